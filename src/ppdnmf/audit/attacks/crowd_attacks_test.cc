// A14, A15 and A16: what exact totals tell of single columns, and what stands against it.
#include <gtest/gtest.h>

#include <ppdnmf/audit/attacks/a14_rare_rows.h>
#include <ppdnmf/audit/attacks/a14_row_equations.h>
#include <ppdnmf/audit/attacks/a15_dominant_column.h>
#include <ppdnmf/audit/attacks/a16_hardened.h>
#include <ppdnmf/audit/attacks/a16_steering.h>
#include <ppdnmf/audit/attacks/search_starts.h>
#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/totals.h>
#include <ppdnmf/privacy/meaning.h>
#include <ppdnmf/protocol/crowd.h>

namespace ppdnmf::audit {
namespace {

const AuditSetup kMany{protocol::SchemeKind::kSum, "ring", 4, 40, 40, 16, 3, true, false};

double mean_ratio(int seeds, const std::function<Result<Trial>(std::uint64_t)>& trial) {
  double ratio = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Trial one = trial(static_cast<std::uint64_t>(seed)).value();
    ratio += one.value / one.baseline / seeds;
  }
  return ratio;
}

// The attacker's sweeps are the holder's own, to the last sweep. Without this an attack that fails would say nothing.
TEST(RareRows, EveryExchangeOfTheColumnBehindTheRowIsReproduced) {
  const auto run = record(rare_row_problem(kMany, {}, 1));
  ASSERT_TRUE(run);
  const OthersTotals totals = others_totals(run->view(kAttacker), 50);
  const Vector z = run->others(kAttacker).col(0) / run->scale();
  const std::vector<RowExchange> exchanges = row_exchanges(totals, 0);
  ASSERT_EQ(exchanges.size(), 50U);
  int same = 0;
  for (const RowExchange& e : exchanges) {
    const Matrix G = e.X.transpose() * e.X;
    const Swept swept = sweep_column(G, e.X.transpose() * (z(0) * z), e.before, e.sweeps, e.part);
    same += (swept.y - e.after).norm() < 1e-9 * e.after.norm() ? 1 : 0;
  }
  EXPECT_GT(same, 45) << "an entry that was extrapolated to zero hides what it was";
}

TEST(RareRows, OneColumnBehindARowIsFoundWhole) {
  for (const std::uint64_t seed : {1, 2, 3}) EXPECT_LT(rare_row_trial(kMany, {}, seed).value().value, kFound) << seed;
}

TEST(RareRows, TenColumnsBehindARowAreNotToldApart) {
  EXPECT_GT(mean_ratio(40, [](std::uint64_t seed) { return rare_row_trial(kMany, {10}, seed); }), kNoBetterThanGuess);
}

TEST(RareRows, ABlankedRowTellsNothing) {
  const RareRow blanked{1, 0, protocol::CrowdKind::kBlank};
  EXPECT_EQ(mean_ratio(2, [&](std::uint64_t seed) { return rare_row_trial(kMany, blanked, seed); }), 1);
}

TEST(RareRows, ARowThatWasDroppedForAllTellsNothing) {
  const RareRow dropped{1, 0, protocol::CrowdKind::kDrop};
  EXPECT_EQ(mean_ratio(2, [&](std::uint64_t seed) { return rare_row_trial(kMany, dropped, seed); }), 1);
}

TEST(RareRows, UnderThePoissonLossOneColumnBehindARowIsFoundAndTenAreNot) {
  for (const nmf::Curvature curvature : {nmf::Curvature::kFull, nmf::Curvature::kScaled}) {
    AuditSetup poisson = kMany;
    poisson.poisson = curvature;
    const auto ratio = [&](Index behind) {
      return mean_ratio(3, [&](std::uint64_t seed) { return rare_row_trial(poisson, {behind}, seed); });
    };
    EXPECT_LT(ratio(1), 0.5);
    EXPECT_GT(ratio(10), kNoBetterThanGuess);
  }
}

TEST(SearchStarts, OneColumnBehindARowIsFoundWholeInOneOfThem) {
  for (const std::uint64_t seed : {1, 2}) EXPECT_LT(search_row_trial(kMany, {}, 1, seed).value().value, kFound) << seed;
}

const AuditSetup kAroundOne{protocol::SchemeKind::kSum, "ring", 3, 60, 60, 16, 6, true, false};

TEST(UnlikeColumn, OfOrdinaryLengthShowsInXUntilItIsLowered) {
  const auto ratio = [](int seeds, protocol::CrowdKind crowd) {
    return mean_ratio(seeds, [&](std::uint64_t seed) {
      return unlike_column_trial(kAroundOne, {0, false, crowd}, seed);
    });
  };
  const double as_it_is = ratio(20, protocol::CrowdKind::kOff);
  EXPECT_LT(as_it_is, 0.5);
  EXPECT_GT(ratio(20, protocol::CrowdKind::kBlank), as_it_is + 0.1);
}

// What is left is a limit, and known: if this fails because the error is larger, tell docs/threat_model.md.
TEST(UnlikeColumn, AtTheLimitOfTheRuleShowsInFewRuns) {
  AuditSetup more = kAroundOne;
  more.each = 100;
  const UnlikeColumn limit{protocol::CrowdRule{}.direction_part, true};
  const double mean = mean_ratio(40, [&](std::uint64_t seed) { return unlike_column_trial(more, limit, seed); });
  EXPECT_GT(mean, 0.5);
  EXPECT_LT(mean, kNoBetterThanGuess);
}

TEST(DominantColumn, ShowsUntilItIsLowered) {
  const auto ratio = [](double part, protocol::CrowdKind crowd) {
    return mean_ratio(4, [&](std::uint64_t seed) { return dominant_column_trial(kMany, part, seed, crowd); });
  };
  EXPECT_LT(ratio(0.3, protocol::CrowdKind::kOff), 0.75);
  EXPECT_GT(ratio(0.3, protocol::CrowdKind::kBlank), kNoBetterThanGuess);
}

// All that the others have may be one member's: its own rule has to do.
TEST(DominantColumn, AtTheLimitOfTheRuleDoesNotShow) {
  const double part = protocol::CrowdRule{}.norm_part;
  EXPECT_GT(mean_ratio(20, [&](std::uint64_t seed) { return dominant_column_trial(kMany, part, seed); }),
            kNoBetterThanGuess);
}

TEST(Steering, ReadsColumnsExactlyHoweverManyThereAre) {
  for (const Index each : {35, 335}) {
    const AuditSetup s{protocol::SchemeKind::kSum, "ring", 4, each, each, 12, 4, false, false};
    EXPECT_GE(steering_trial(s, Steering::kHalfSpaces, 1).value().value, 1) << each;
  }
}

TEST(Steering, ReadsColumnsWithManyBehindEveryTest) {
  const AuditSetup s{protocol::SchemeKind::kSum, "ring", 4, 35, 35, 12, 4, false, false};
  EXPECT_GE(steering_trial(s, Steering::kTrackers, 1).value().value, 1);
}

TEST(Steering, OfAHardenedRunPullsAllOthersTowardsTheFactorThatIsHeld) {
  const AuditSetup s{protocol::SchemeKind::kHardened, "ring", 4, 35, 35, 12, 4, false, false};
  EXPECT_LT(mean_ratio(5, [&](std::uint64_t seed) { return held_distance_trial(s, seed); }), 0.5);
}

TEST(Steering, TellsNoMoreThanTheAccountSaysInAnyRunAndFourTimesThatWithHalfTheNoise) {
  for (const double noise : {1.0, 0.5}) {
    const AuditSetup s{protocol::SchemeKind::kSum, "ring", 3, 20, 20, 8, 1, false, false, 4, noise};
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const double told = steered_account_trial(s, seed).value().value;
      EXPECT_LE(told, kWholeAccount / (noise * noise)) << seed;
      EXPECT_GT(told, 0.9 / (noise * noise)) << "the attacker uses the account up";
    }
  }
}

TEST(Steering, StaysBelowTheAccountsBoundInPrivateRunsAndNotWithHalfTheNoise) {
  const auto auc = [](double noise) {
    const AuditSetup s{protocol::SchemeKind::kSum, "ring", 3, 20, 20, 8, 1, false, false, 8, noise};
    std::vector<double> values;
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
      values.push_back(private_steering_trial(s, 10, seed).value().value);
    return estimate(values);
  };
  const AuditSetup s{protocol::SchemeKind::kSum, "ring", 3, 20, 20, 8, 1, false, false, 8, 1};
  const double bound = privacy::largest_auc(account_of(s));
  const Estimate full = auc(1);
  EXPECT_LT(full.low, bound);
  EXPECT_GT(full.mean, bound - 0.04) << "the attacker uses the account up";
  EXPECT_GT(auc(0.5).low, bound);
}

}  // namespace
}  // namespace ppdnmf::audit
