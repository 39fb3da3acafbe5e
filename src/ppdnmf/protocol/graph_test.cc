#include <ppdnmf/protocol/graph.h>

#include <gtest/gtest.h>

namespace ppdnmf::protocol {
namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

TEST(Graph, NeighboursEdgesDegreesAndDiameter) {
  const auto graph = Graph::create(5, {{3, 1}, {0, 1}, {1, 2}, {1, 0}, {3, 4}});  // one edge twice
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->agents(), 5U);
  EXPECT_EQ(graph->neighbours(AgentId{1}), (std::vector<AgentId>{{0}, {2}, {3}}));
  EXPECT_EQ(graph->edges(), (Edges{{0, 1}, {1, 2}, {1, 3}, {3, 4}}));
  EXPECT_EQ(graph->max_degree(), 3U);
  EXPECT_EQ(graph->diameter(), 3U);
}

TEST(Graph, OneAgentAlone) {
  const auto graph = Graph::create(1, {});
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->diameter(), 0U);
  EXPECT_EQ(graph->max_degree(), 0U);
  EXPECT_TRUE(graph->edges().empty());
}

TEST(Graph, RefusesWhatIsNoNetwork) {
  const auto refuse = [](std::uint32_t agents, const Edges& edges, const char* words) {
    const auto graph = Graph::create(agents, edges);
    ASSERT_FALSE(graph) << words;
    EXPECT_EQ(graph.error().code, ErrorCode::kUsage);
    EXPECT_NE(graph.error().message.find(words), std::string::npos) << graph.error().message;
  };
  refuse(0, {}, "at least one agent");
  refuse(2, {{0, 2}}, "0-2");
  refuse(2, {{7, 0}}, "7-0");
  refuse(2, {{0, 1}, {1, 1}}, "agent 1 has an edge to itself");
  refuse(3, {{0, 1}}, "agent 2 cannot be reached");
  refuse(2, {}, "not connected");
}

}  // namespace
}  // namespace ppdnmf::protocol
