// A8 and A9 on private runs: what the noise leaves, and that the attacks work where it is taken away.
#include <cmath>
#include <functional>

#include <ppdnmf/audit/attacks/a8_fit_totals.h>
#include <ppdnmf/audit/attacks/a9_private.h>
#include <ppdnmf/audit/curves.h>
#include <ppdnmf/audit/judge.h>
#include <ppdnmf/audit/model/private_totals.h>
#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/test_runs.h>
#include <ppdnmf/audit/table.h>
#include <ppdnmf/privacy/meaning.h>

namespace ppdnmf::audit {
namespace {

AuditSetup private_setup(Index each, Index rows, Index rank, double epsilon, double noise) {
  return {protocol::SchemeKind::kSum, "ring", 3, each, each, rows, rank, false, false, epsilon, noise};
}

Estimate over_seeds(int seeds, const std::function<Result<Trial>(std::uint64_t)>& trial) {
  std::vector<double> values;
  for (int seed = 1; seed <= seeds; ++seed) values.push_back(trial(static_cast<std::uint64_t>(seed)).value().value);
  return estimate(values);
}

Estimate worst_column(double noise, int seeds) {
  const AuditSetup s = private_setup(20, 8, 1, 8, noise);
  return over_seeds(seeds, [&](std::uint64_t seed) { return knowing_all_trial(s, false, 10, seed); });
}

// The attacker's picture of a private run is the run's own. Without this an attack that fails would say nothing.
TEST(PrivateTotals, AreTheOthersPartsAndTheirNoise) {
  for (const double noise : {0.0, 1.0}) {
    const Recording run = testing_runs::record(problem_of(private_setup(10, 10, 3, 4, noise), 3));
    const AttackerView view = run.view(kAttacker);
    const PrivateTotals totals = private_totals(view);
    const Vector left = totals.others - bounded_parts(view, totals.requests, run.others(kAttacker));
    const double squares = left.squaredNorm() / (totals.deviation * totals.deviation);
    const auto count = static_cast<double>(left.size());
    EXPECT_NEAR(squares / count, 1, 5 * std::sqrt(2 / count)) << noise;
    EXPECT_GT(totals.deviation, noise > 0 ? 1 : 1e-7);
  }
}

TEST(KnowingAll, ComesNearTheBoundAndNotAboveIt) {
  const double bound = privacy::largest_auc(account_of(private_setup(20, 8, 1, 8, 1)));
  const Estimate auc = worst_column(1, 20);
  EXPECT_LT(auc.low, bound);
  EXPECT_GT(auc.mean, bound - 0.08);
  // The test can fail: half the noise.
  EXPECT_GT(worst_column(0.5, 20).low, bound);
}

TEST(KnowingAll, TellsEveryColumnWithoutNoise) {
  const AuditSetup s = private_setup(30, 30, 5, 8, 0);
  EXPECT_EQ(knowing_all_trial(s, true, 5, 1).value().value, 1);
}

TEST(NoisyMembership, IsToldWithoutNoiseAndNotAtASmallEpsilon) {
  const auto auc = [](double epsilon, double noise) {
    const AuditSetup s = private_setup(15, 30, 5, epsilon, noise);
    return over_seeds(8, [&](std::uint64_t seed) { return noisy_membership_trial(s, seed); }).mean;
  };
  EXPECT_GT(auc(1, 0), kTellsMembers);
  EXPECT_LT(auc(1, 1), kTellsMembers);
}

TEST(NoisyFit, FindsColumnsWithoutNoiseAndNothingAtEpsilonEight) {
  double ratio = 0;
  constexpr int kSeeds = 5;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    AuditSetup s{protocol::SchemeKind::kSum, "line", 2, 40, 2, 10, 3, false, false, 8, 0};
    EXPECT_LT(noisy_fit_trial(s, {0, 100, 30}, seed).value().value, kFound);
    s.noise = 1;
    const Trial noisy = noisy_fit_trial(s, {0, 10, 30}, seed).value();
    ratio += noisy.value / noisy.baseline / kSeeds;
  }
  EXPECT_GT(ratio, kNoBetterThanGuess);
}

TEST(PrivateSetups, AreAcceptedWithTheFewestColumnsAndAllOfTheNoise) {
  EXPECT_TRUE(is_accepted(private_setup(30, 30, 5, 1, 1)));
  EXPECT_FALSE(is_accepted(private_setup(29, 30, 5, 1, 1)));
  EXPECT_FALSE(is_accepted(private_setup(30, 30, 5, 1, 0.5)));
  EXPECT_FALSE(is_accepted(private_setup(30, 30, 5, 0.1, 1)));  // hardly anything but noise
}

TEST(PrivateRows, AreBrokenIfTheirIntervalLiesAboveTheBound) {
  AuditRow row;
  row.kind = Measure::kPromise;
  row.rho = 0.5;
  EXPECT_NEAR(bound_of(row).value(), 0.760, 1e-3);
  EXPECT_FALSE(summarise(row, {{0.72, 0.5}, {0.83, 0.5}}).broken);  // above it, but by chance
  row = summarise(row, {{0.800, 0.5}, {0.805, 0.5}});
  EXPECT_TRUE(row.broken);
  EXPECT_NE(audit_json({"", 1, false, 0, {row}}).find("\"bound\": 0.760"), std::string::npos);
  EXPECT_NE(table_text({row}).find(" 0.76 "), std::string::npos);
  row.kind = Measure::kAuc;
  row.rho = 0;
  EXPECT_FALSE(bound_of(row).has_value());
  EXPECT_NE(audit_json({"", 1, false, 0, {row}}).find("\"bound\": null"), std::string::npos);
}

TEST(Judge, SaysWhatABudgetPromisesAndWhenItIsTooSmall) {
  PlannedRun run{testing_runs::graph("ring", 3), protocol::SchemeKind::kSum, 30, 5, {}, {500, 500, 500},
                 privacy::Budget{4, 1e-6}};
  const Judgement judged = judge(run).value();
  EXPECT_TRUE(judged.accepted);
  EXPECT_NEAR(judged.bound.value(), 0.7232, 1e-4);
  EXPECT_EQ(judged.agents[0].membership, "AUC 0.724 at most");
  EXPECT_NE(judgement_text(run, judged).find("an AUC of 0.724 at best"), std::string::npos);
  EXPECT_NE(judgement_json(run, judged).find("\"membership_bound\": 0.723"), std::string::npos);
  run.budget = privacy::Budget{0.01, 1e-6};
  const Judgement buried = judge(run).value();
  EXPECT_FALSE(buried.accepted);
  EXPECT_NE(judgement_text(run, buried).find("hardly anything but noise"), std::string::npos);
  run.budget = privacy::Budget{4, 0.5};
  EXPECT_FALSE(judge(run).has_value());
  run.budget.reset();
  EXPECT_FALSE(judge(run).value().bound.has_value());
}

TEST(Curves, OverEpsilonHaveTheBoundAndTheLevelWithoutNoise) {
  AuditRow row;
  row.kind = Measure::kAuc;
  row.curve = "noise off";
  row.value = 0.65;
  std::vector<AuditRow> rows{row};
  row.curve = "curious";
  for (const double epsilon : {1.0, 4.0}) {
    row.epsilon = epsilon;
    row.rho = epsilon / 10;
    rows.push_back(row);
  }
  const std::string csv = audit_curves(rows).back().csv;
  for (const char* name : {"bound", "curious", "noise off"}) EXPECT_NE(csv.find(name), std::string::npos) << csv;
}

}  // namespace
}  // namespace ppdnmf::audit
