#include <ppdnmf/sim/topology.h>

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace ppdnmf::sim {
namespace {

protocol::Graph make(const std::string& name, std::uint32_t agents, std::uint64_t seed = 1) {
  auto graph = make_topology(name, agents, Seed::from_number(seed));
  EXPECT_TRUE(graph) << name << ": " << graph.error().message;
  return *std::move(graph);
}

TEST(Topology, NamedShapes) {
  EXPECT_EQ(make("ring", 6).edges().size(), 6U);
  EXPECT_EQ(make("ring", 6).diameter(), 3U);
  EXPECT_EQ(make("line", 6).diameter(), 5U);
  EXPECT_EQ(make("star", 6).neighbours(AgentId{0}).size(), 5U);
  EXPECT_EQ(make("star", 6).diameter(), 2U);
  EXPECT_EQ(make("complete", 6).edges().size(), 15U);
  EXPECT_EQ(make("complete", 6).diameter(), 1U);
}

TEST(Topology, SmallNumbersOfAgents) {
  for (const char* name : {"ring", "line", "star", "complete", "random:3", "random:1"}) {
    EXPECT_EQ(make(name, 1).edges().size(), 0U) << name;
    EXPECT_EQ(make(name, 2).edges().size(), 1U) << name;
    EXPECT_LE(make(name, 3).edges().size(), 3U) << name;
  }
}

// Connected (or Graph::create would have refused it), with the mean degree that was asked for, nobody with one
// neighbour.
TEST(Topology, RandomGraphsHaveTheMeanDegreeAndTwoNeighboursAtLeast) {
  for (const std::uint32_t agents : {4U, 10U, 57U, 300U}) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const protocol::Graph graph = make("random:3", agents, seed);
      EXPECT_EQ(graph.edges().size(), (3 * agents + 1) / 2) << agents;
      for (std::uint32_t i = 0; i < agents; ++i) EXPECT_GE(graph.neighbours(AgentId{i}).size(), 2U);
    }
  }
  EXPECT_EQ(make("random:1", 20).edges().size(), 19U) << "a tree is the least that connects";
  EXPECT_EQ(make("random:2.5", 20).edges().size(), 25U);
  EXPECT_EQ(make("random:50", 10).edges().size(), 45U) << "all edges there can be";
}

TEST(Topology, RandomGraphsFollowTheSeed) {
  EXPECT_EQ(make("random:3", 40, 5).edges(), make("random:3", 40, 5).edges());
  std::set<std::vector<std::pair<std::uint32_t, std::uint32_t>>> different;
  for (std::uint64_t seed = 0; seed < 20; ++seed) different.insert(make("random:3", 40, seed).edges());
  EXPECT_EQ(different.size(), 20U);
}

TEST(Topology, OtherNamesAreRefusedInOneSentence) {
  for (const char* name : {"", "rings", "random", "random:", "random:x", "random:-1", "random:0", "random:3x",
                           "random:nan", "random:inf"}) {
    const auto graph = make_topology(name, 5, Seed::from_number(1));
    ASSERT_FALSE(graph) << name;
    EXPECT_EQ(graph.error().code, ErrorCode::kUsage);
    EXPECT_NE(graph.error().message.find("`topology="), std::string::npos);
  }
  EXPECT_TRUE(is_topology_name("ring"));
  EXPECT_TRUE(is_topology_name("random:x"));
  EXPECT_FALSE(is_topology_name("edges.txt"));
}

TEST(EdgeList, ReadsBlanksCommasCommentsAndLineEnds) {
  const auto graph = parse_edge_list("# a ring\n0 1\n1,2\r\n\t2 ,\t3  # last\n\n3 0", 4);
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_EQ(graph->edges(), make("ring", 4).edges());
  EXPECT_TRUE(parse_edge_list("", 1));
}

TEST(EdgeList, BadLinesAreNamed) {
  const auto refuse = [](const std::string& text, const char* words) {
    const auto graph = parse_edge_list(text, 3);
    ASSERT_FALSE(graph) << text;
    EXPECT_NE(graph.error().message.find(words), std::string::npos) << text << ": " << graph.error().message;
  };
  refuse("0 1\n1\n", "line 2");
  refuse("0 1\n1 2 0\n", "line 2 has 3 numbers");
  refuse("0 1\n\n# x\n1 b\n", "line 4");
  refuse("0 1\n1 -2\n", "line 2");
  refuse("0 1.5\n", "line 1");
  refuse("0x1 2\n", "line 1");
  refuse("0 99999999999\n", "line 1");
  refuse("0;1\n", "line 1");
  refuse(std::string("0 1\0\n", 5), "line 1");
  refuse("0 1\n1 3\n", "1-3");
  refuse("0 1\n1 1\n", "itself");
  refuse("0 1\n", "not connected");
  refuse("", "not connected");
}

}  // namespace
}  // namespace ppdnmf::sim
