#include <ppdnmf/protocol/spanning_tree.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace ppdnmf::protocol {
namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::uint32_t root_of(const std::vector<TreePlace>& places) {
  const auto root = std::find_if(places.begin(), places.end(), [](const TreePlace& p) { return !p.parent; });
  return static_cast<std::uint32_t>(root - places.begin());
}

TEST(SpanningTree, IsRootedInTheCentre) {
  EXPECT_EQ(root_of(spanning_tree(*Graph::create(1, {}))), 0U);
  EXPECT_EQ(root_of(spanning_tree(*Graph::create(5, Edges{{0, 1}, {1, 2}, {2, 3}, {3, 4}}))), 2U);
  EXPECT_EQ(root_of(spanning_tree(*Graph::create(4, Edges{{3, 0}, {3, 1}, {3, 2}}))), 3U);
  EXPECT_EQ(root_of(spanning_tree(*Graph::create(4, Edges{{0, 1}, {1, 2}, {2, 3}}))), 1U) << "the smaller of two";
}

TEST(SpanningTree, EveryAgentHasOneParentThatIsNearerToTheRoot) {
  const Graph graph =
      *Graph::create(9, Edges{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 0}, {0, 4}, {2, 7}});
  const std::vector<TreePlace> places = spanning_tree(graph);
  const std::uint32_t root = root_of(places);
  const std::vector<std::uint32_t> distance = graph.distances_from(root);
  std::size_t children = 0;
  for (std::uint32_t i = 0; i < graph.agents(); ++i) {
    children += places[i].children.size();
    EXPECT_TRUE(std::is_sorted(places[i].children.begin(), places[i].children.end()));
    if (i == root) continue;
    ASSERT_TRUE(places[i].parent);
    const std::uint32_t parent = places[i].parent->value;
    EXPECT_EQ(distance[parent] + 1, distance[i]);
    const auto& siblings = places[parent].children;
    EXPECT_NE(std::find(siblings.begin(), siblings.end(), AgentId{i}), siblings.end());
    for (const AgentId neighbour : graph.neighbours(AgentId{i})) {
      EXPECT_FALSE(distance[neighbour.value] + 1 == distance[i] && neighbour.value < parent) << "ties by number";
    }
  }
  EXPECT_EQ(children, 8U);
}

}  // namespace
}  // namespace ppdnmf::protocol
