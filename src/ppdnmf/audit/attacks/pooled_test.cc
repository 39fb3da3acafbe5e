// A7 and A11: who works together sees an agent alone exactly when the program says so.
#include <algorithm>
#include <numeric>
#include <utility>

#include <ppdnmf/audit/attacks/a7_pooled_parts.h>
#include <ppdnmf/audit/attacks/a7_pooled_sums.h>
#include <ppdnmf/audit/model/test_runs.h>
#include <ppdnmf/protocol/neighbours/isolation.h>

namespace ppdnmf::audit {
namespace {

std::vector<std::uint32_t> carried_out(const Recording& run, std::uint32_t max_coalition) {
  FewestHelpers found = fewest_helpers(run, max_coalition);
  EXPECT_EQ(found.false_claims, 0);
  return std::move(found.of);
}

TEST(PooledSums, OpenAnAgentAtThePrintedNumberOfHelpersAndNotBelow) {
  constexpr std::uint32_t kAgents = 8;
  int counted = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const protocol::Graph g = testing_runs::graph(seed % 2 == 0 ? "random:4" : "random:3", kAgents, seed);
    const Recording run = testing_runs::record(
        testing_runs::synthetic(protocol::SchemeKind::kHardened, g, std::vector<Index>(kAgents, 4), seed, 1, 6, 2));
    const std::vector<protocol::neighbours::Isolation> printed =
        protocol::neighbours::isolation(g, protocol::SchemeKind::kHardened);
    const std::vector<std::uint32_t> found = carried_out(run, kAgents - 1);
    for (std::uint32_t j = 0; j < kAgents; ++j) {
      ASSERT_TRUE(printed[j].exact);
      EXPECT_EQ(found[j], printed[j].colluders) << "agent " << j << ", seed " << seed;
      ++counted;
    }
  }
  EXPECT_EQ(counted, 96);
}

TEST(PooledSums, OpenMoreWithoutFactorsOnTheEdges) {
  // Two agents whose neighbourhoods differ in one agent subtract their sums.
  const protocol::Graph g = testing_runs::graph("random:4", 10, 3);
  AuditProblem problem =
      testing_runs::synthetic(protocol::SchemeKind::kHardened, g, std::vector<Index>(10, 4), 3, 1, 6, 2);
  const auto sum = [](const std::vector<std::uint32_t>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0U,
                           [](std::uint32_t a, std::uint32_t b) { return a + std::min(b, 5U); });
  };
  const std::uint32_t with = sum(carried_out(testing_runs::record(problem), 5));
  remove_countermeasures(problem.settings, g);
  EXPECT_LE(sum(carried_out(testing_runs::record(problem), 5)), with);
}

TEST(PooledParts, AreBareWhenAllPartnersColludeAndUniformWhenOneDoesNot) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    EXPECT_LT(pooled_parts_trial(1, seed).value().value, 1e-12) << seed;
    const Trial one_short = pooled_parts_trial(2, seed).value();
    EXPECT_GT(one_short.value, 1e6) << seed;  // words are uniform over 128 bits
    EXPECT_LT(one_short.baseline, 10);
  }
}

}  // namespace
}  // namespace ppdnmf::audit
