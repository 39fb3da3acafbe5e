#include <ppdnmf/protocol/neighbours/isolation.h>

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <bit>

#include <ppdnmf/base/random.h>

namespace ppdnmf::protocol::neighbours {
namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Graph random_graph(std::uint32_t agents, int more_edges, std::uint64_t seed) {
  Stream stream(Seed::from_number(seed), 'T');
  Edges edges;
  for (std::uint32_t i = 1; i < agents; ++i) edges.emplace_back(static_cast<std::uint32_t>(stream.below(i)), i);
  for (int n = 0; n < more_edges; ++n) {
    const auto a = static_cast<std::uint32_t>(stream.below(agents));
    const auto b = static_cast<std::uint32_t>(stream.below(agents));
    if (a != b) edges.emplace_back(a, b);
  }
  return *Graph::create(agents, edges);
}

EdgeFactors equal_factors(const Graph& graph) { return edge_factors(graph, std::nullopt); }

EdgeFactors random_factors(const Graph& graph, std::uint64_t seed) {
  EdgeFactors factors = equal_factors(graph);
  for (std::uint32_t i = 0; i < graph.agents(); ++i) {
    for (std::size_t k = 0; k < factors[i].size(); ++k) {
      const std::uint32_t j = graph.neighbours(AgentId{i})[k].value;
      Stream stream(Seed::from_number(seed), 'T', std::min(i, j), std::max(i, j));
      factors[i][k] = 1 + static_cast<std::uint32_t>(stream.below(9));
    }
  }
  return factors;
}

// All sets of agents, and the rank in floating point: another program than the one that is tested.
std::vector<std::uint32_t> by_all_sets(const Graph& graph, const EdgeFactors& factors) {
  const std::uint32_t agents = graph.agents();
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(agents, agents);
  for (std::uint32_t i = 0; i < agents; ++i) {
    for (std::size_t k = 0; k < factors[i].size(); ++k) rows(i, graph.neighbours(AgentId{i})[k].value) = factors[i][k];
  }
  std::vector<std::uint32_t> fewest(agents, agents);
  for (std::uint32_t set = 1; set < (1U << agents); ++set) {
    const auto size = static_cast<std::uint32_t>(std::popcount(set));
    Eigen::MatrixXd seen = Eigen::MatrixXd::Zero(size + 1, agents);
    Eigen::Index row = 0;
    for (std::uint32_t i = 0; i < agents; ++i) {
      if ((set >> i & 1U) == 0) continue;
      for (std::uint32_t j = 0; j < agents; ++j) seen(row, j) = (set >> j & 1U) == 0 ? rows(i, j) : 0;
      ++row;
    }
    const auto rank = seen.fullPivLu().rank();
    for (std::uint32_t j = 0; j < agents; ++j) {
      if ((set >> j & 1U) != 0) continue;
      seen.row(size).setZero();
      seen(size, j) = 1;
      if (seen.fullPivLu().rank() == rank) fewest[j] = std::min(fewest[j], size - 1);
    }
  }
  return fewest;
}

TEST(Isolation, TwoOverlappingNeighbourhoodsAreSubtracted) {
  // 0 sees 2 + 3, 1 sees 2 + 3 + 4: together they see 4 alone, though the smallest neighbourhood of 4 has three.
  const auto graph = Graph::create(5, {{0, 2}, {0, 3}, {1, 2}, {1, 3}, {1, 4}, {4, 2}, {4, 3}});
  EXPECT_EQ(hardened_isolation(*graph, equal_factors(*graph))[4], (Isolation{1, true}));
  EXPECT_EQ(isolated_by({AgentId{0}, AgentId{1}}, *graph, equal_factors(*graph)), std::vector<AgentId>{{4}});
  EXPECT_TRUE(isolated_by({AgentId{1}}, *graph, equal_factors(*graph)).empty());
}

TEST(Isolation, OfNamedGraphs) {
  const auto line = Graph::create(3, {{0, 1}, {1, 2}});
  EXPECT_EQ(isolation(*line, SchemeKind::kHardened), (std::vector<Isolation>{{1, true}, {0, true}, {1, true}}));
  Edges complete, ring, star;
  constexpr std::uint32_t kAgents = 40;
  for (std::uint32_t i = 0; i < kAgents; ++i) {
    ring.emplace_back(i, (i + 1) % kAgents);
    if (i > 0) star.emplace_back(0, i);
    for (std::uint32_t j = 0; j < i; ++j) complete.emplace_back(i, j);
  }
  // All see the same sum of those who do not collude: all others but one are needed.
  for (const Isolation& agent : isolation(*Graph::create(kAgents, complete), SchemeKind::kHardened))
    EXPECT_EQ(agent, (Isolation{kAgents - 2, true}));
  for (const Isolation& agent : isolation(*Graph::create(kAgents, ring), SchemeKind::kHardened))
    EXPECT_EQ(agent, (Isolation{1, true}));
  const auto of_star = isolation(*Graph::create(kAgents, star), SchemeKind::kHardened);
  EXPECT_EQ(of_star[0], (Isolation{0, true}));
  EXPECT_EQ(of_star[5], (Isolation{kAgents - 2, true}));
}

TEST(Isolation, IsWhatTryingAllSetsGives) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Graph graph = random_graph(3 + seed % 6, static_cast<int>(seed % 13), seed);
    for (const EdgeFactors& factors : {equal_factors(graph), random_factors(graph, seed)}) {
      const auto expected = by_all_sets(graph, factors);
      const auto found = hardened_isolation(graph, factors);
      for (std::uint32_t j = 0; j < graph.agents(); ++j) {
        EXPECT_TRUE(found[j].exact);
        EXPECT_EQ(found[j].colluders, expected[j]) << "seed " << seed << ", agent " << j;
      }
    }
  }
}

TEST(Isolation, SaysAtLeastWhereItGaveUp) {
  const Graph graph = random_graph(30, 200, 1);
  const auto all = hardened_isolation(graph, equal_factors(graph));
  const auto some = hardened_isolation(graph, equal_factors(graph), 20'000);
  int inexact = 0;
  for (std::size_t j = 0; j < some.size(); ++j) {
    if (!some[j].exact) ++inexact;
    EXPECT_LE(some[j].colluders, all[j].colluders);
  }
  EXPECT_GT(inexact, 0);
}

TEST(Isolation, OfTheOtherSchemes) {
  const Graph graph = random_graph(70, 10, 2);
  for (const Isolation& agent : isolation(graph, SchemeKind::kSum)) EXPECT_EQ(agent, (Isolation{63, true}));
  for (const Isolation& agent : isolation(graph, SchemeKind::kAsPrinted)) EXPECT_EQ(agent, (Isolation{0, true}));
  EXPECT_EQ(isolation(random_graph(6, 3, 1), SchemeKind::kSum).front(), (Isolation{4, true}));
  EXPECT_TRUE(isolation(*Graph::create(1, {}), SchemeKind::kHardened).empty());
}

}  // namespace
}  // namespace ppdnmf::protocol::neighbours
