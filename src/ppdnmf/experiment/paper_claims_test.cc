// The numbers that the experiment shows, on fixed seeds: wide bounds around what was found, and none that would hold of
// anything.
#include <gtest/gtest.h>

#include <ppdnmf/experiment/synthetic_data.h>
#include <ppdnmf/experiment/trial.h>

namespace ppdnmf::experiment {
namespace {

TrialProblem synthetic_problem(std::uint64_t seed) {
  TrialProblem problem;
  problem.Z = make_synthetic_data(seed).Z;
  problem.columns = synthetic_columns();
  problem.rank = kSyntheticRank;
  problem.paper = kSyntheticParameters;
  problem.seed = seed;
  return problem;
}

CurvePoint end_of(const TrialProblem& problem, const Variant& variant) {
  const auto outcome = run_trial(problem, variant, [] { return false; });
  EXPECT_TRUE(outcome) << outcome.error().message;
  return (*outcome)->curve.back();
}

class PaperClaims : public testing::TestWithParam<std::uint64_t> {
 protected:
  TrialProblem problem_ = synthetic_problem(GetParam());
  CurvePoint centre_ = end_of(problem_, {Kind::kCentralised});
};

TEST_P(PaperClaims, AsPrintedTheLocalNmseIsBelowTheCentralisedOneAndTheAgentsDisagree) {
  for (const std::int64_t n_max : {10, 1'000'000}) {
    const CurvePoint printed = end_of(problem_, {Kind::kAsPrinted, n_max});
    EXPECT_GT(printed.disagreement, 0.3) << n_max;
    EXPECT_LT(printed.nmse, 0.98 * centre_.nmse) << n_max;
    EXPECT_GT(printed.worst_agent_error, 1.2 * centre_.worst_agent_error) << n_max;
  }
}

TEST_P(PaperClaims, CorrectedEveryAgentsXIsWithinOnePercentOfCentralisedAndNmax10IsWorse) {
  const CurvePoint fine = end_of(problem_, {Kind::kCorrected, 1'000'000});
  const CurvePoint thousand = end_of(problem_, {Kind::kCorrected, 1'000});
  const CurvePoint ten = end_of(problem_, {Kind::kCorrected, 10});
  for (const CurvePoint& end : {fine, thousand}) {
    EXPECT_LT(end.worst_agent_error, 1.01 * centre_.worst_agent_error);
    EXPECT_LT(end.disagreement, 0.02);
    EXPECT_EQ(end.rounds, 3000);
  }
  EXPECT_GT(ten.worst_agent_error, 1.005 * fine.worst_agent_error);
  EXPECT_GT(ten.disagreement, 3 * fine.disagreement);
}

TEST_P(PaperClaims, TheProductsDefaultsNeedATenthOfTheRounds) {
  const CurvePoint defaults = end_of(problem_, {Kind::kDefaults});
  EXPECT_LE(defaults.rounds, 300);
  EXPECT_LT(defaults.worst_agent_error, 1.01 * centre_.worst_agent_error);
  EXPECT_LT(defaults.disagreement, 0.001);
}

TEST_P(PaperClaims, MaskedSumsNeedASixtiethOfTheRounds) {
  const CurvePoint sum = end_of(problem_, {Kind::kSum});
  EXPECT_EQ(sum.rounds, 50);
  EXPECT_LT(sum.worst_agent_error, 1.01 * centre_.worst_agent_error);
  EXPECT_EQ(sum.disagreement, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PaperClaims, testing::Values(1, 2));

}  // namespace
}  // namespace ppdnmf::experiment
