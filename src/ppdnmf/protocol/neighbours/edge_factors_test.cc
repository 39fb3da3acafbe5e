#include <ppdnmf/protocol/neighbours/edge_factors.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include <ppdnmf/protocol/neighbours/isolation.h>

namespace ppdnmf::protocol::neighbours {
namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::uint32_t easiest(const std::vector<Isolation>& agents) {
  return std::min_element(agents.begin(), agents.end(),
                          [](const Isolation& a, const Isolation& b) { return a.colluders < b.colluders; })
      ->colluders;
}

TEST(EdgeFactors, AreSymmetricSmallAndDiffer) {
  std::set<std::uint32_t> seen;
  for (std::uint32_t a = 0; a < 20; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      const std::uint32_t factor = edge_factor(7, AgentId{a}, AgentId{b});
      EXPECT_EQ(factor, edge_factor(7, AgentId{b}, AgentId{a}));
      EXPECT_EQ(factor >> factor_bits(7), 0U);
      EXPECT_GE(4 * factor, 3 * factor_unit(7));
      EXPECT_LE(4 * factor, 5 * factor_unit(7));
      seen.insert(factor);
    }
  }
  EXPECT_GT(seen.size(), 25U);
  EXPECT_EQ(edge_factor(std::nullopt, AgentId{1}, AgentId{2}), 1U);
  EXPECT_EQ(factor_unit(std::nullopt), 1U);
}

TEST(EdgeFactors, KeepOverlappingNeighbourhoodsFromBeingSubtracted) {
  // Everybody but a pair of opposite agents is a neighbour: neighbourhoods differ in few agents.
  Edges edges;
  for (std::uint32_t a = 0; a < 8; ++a) {
    for (std::uint32_t b = a + 1; b < 8; ++b) {
      if (b != a + 4) edges.emplace_back(a, b);
    }
  }
  edges.emplace_back(0, 4);  // 0 sees one more than the others do
  const auto graph = Graph::create(8, edges);
  const FactorSeed chosen = choose_factors(*graph);
  ASSERT_TRUE(chosen.has_value());
  EXPECT_GT(easiest(hardened_isolation(*graph, edge_factors(*graph, chosen))),
            easiest(hardened_isolation(*graph, edge_factors(*graph, std::nullopt))));
}

TEST(EdgeFactors, AreEqualWhereEqualSumsRepeatEachOther) {
  Edges complete;
  for (std::uint32_t a = 0; a < 6; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) complete.emplace_back(a, b);
  }
  EXPECT_FALSE(choose_factors(*Graph::create(6, complete)).has_value());
  EXPECT_FALSE(choose_factors(*Graph::create(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}})).has_value()) << "equal, so simpler";
}

}  // namespace
}  // namespace ppdnmf::protocol::neighbours
