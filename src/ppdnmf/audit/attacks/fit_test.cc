// A8, A9 and A10: what sums and totals tell when few columns stand behind them, and what they do not when many do.
#include <algorithm>

#include <ppdnmf/audit/attacks/a10_first_plane.h>
#include <ppdnmf/audit/attacks/a8_fit_sums.h>
#include <ppdnmf/audit/attacks/a8_fit_totals.h>
#include <ppdnmf/audit/attacks/a9_membership.h>
#include <ppdnmf/audit/model/network_model.h>
#include <ppdnmf/audit/model/prior.h>
#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/test_runs.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/nmf/admm_y_step.h>
#include <ppdnmf/nmf/penalties.h>
#include <ppdnmf/protocol/column_minimum.h>
#include <ppdnmf/protocol/purposes.h>
#include <ppdnmf/sim/ciphers.h>

namespace ppdnmf::audit {
namespace {

double sums_error(const std::string& topology, std::uint32_t agents, std::uint64_t seed, bool bare, Index rows) {
  std::vector<Index> columns(agents, 1);
  columns[0] = rows == 30 ? 10 : 20;
  const protocol::Graph g = testing_runs::graph(topology, agents);
  AuditProblem problem =
      testing_runs::synthetic(protocol::SchemeKind::kHardened, g, columns, seed, 9, rows, rows == 30 ? 5 : 3);
  if (bare) remove_countermeasures(problem.settings, g);
  const Recording run = testing_runs::record(problem);
  Stream stream(Seed::from_number(seed), 'f');
  const ColumnClaim claim = fit_sums(run.view(kAttacker), columns, {}, stream);
  return column_error(run.others(kAttacker), claim.columns);
}

TEST(FitSums, FindsEverybodysOnlyColumn) {
  for (const std::uint64_t seed : {1, 2, 3}) EXPECT_LT(sums_error("ring", 3, seed, true, 30), 1e-3) << seed;
  EXPECT_LT(sums_error("complete", 4, 1, true, 30), 1e-3);
}

TEST(FitSums, FindsItInSpiteOfPrivateStarts) { EXPECT_LT(sums_error("ring", 3, 1, false, 10), 1e-3); }

TEST(FitSums, IsNoBetterThanAGuessWithTheFewestColumnsAllowed) {
  const AuditSetup s{
      protocol::SchemeKind::kHardened, "ring", 3, 40, protocol::kFewestColumnsPerAgent, 8, 2, false, false};
  ASSERT_TRUE(is_accepted(s));
  double ratio = 0;
  for (const std::uint64_t seed : {1, 2}) {
    const Trial trial = fit_sums_trial(s, {9, 1, 4}, seed).value();
    ratio += trial.value / trial.baseline / 2;
  }
  EXPECT_GT(ratio, kNoBetterThanGuess);
}

// No attack, but what is there to be found: with the fewest columns allowed, totals determine columns in principle
// where sums over neighbours leave a part open.
TEST(LinearBound, LeavesMoreOpenInSumsThanInTotals) {
  AuditSetup s{protocol::SchemeKind::kHardened, "ring", 3, 40, protocol::kFewestColumnsPerAgent, 10, 3, false, false};
  const double sums = sums_bound_trial(s, 30, 1).value().value;
  s.scheme = protocol::SchemeKind::kSum;
  const double totals = totals_bound_trial(s, 20, 1).value().value;
  RecordProperty("sums", std::to_string(sums));
  RecordProperty("totals", std::to_string(totals));
  EXPECT_GT(sums, 0.1);
  EXPECT_LT(totals, 0.1);
}

// The attacker's picture of the network is the network's own: at the truth it explains what was seen to the quantum.
// Without this an attack that fails would say nothing.
TEST(NetworkModel, ExplainsWhatWasSeenToTheQuantum) {
  for (const bool bare : {true, false}) {
    const protocol::Graph g = testing_runs::graph("ring", 4);
    const std::vector<Index> columns{5, 3, 4, 2};
    AuditProblem problem = testing_runs::synthetic(protocol::SchemeKind::kHardened, g, columns, 7, 12, 10, 3);
    if (bare) remove_countermeasures(problem.settings, g);
    const Recording run = testing_runs::record(problem);
    const AttackerView view = run.view(kAttacker);
    const NetworkModel model(view, columns, 12);
    Vector truth = Vector::Zero(model.parameters());
    const Matrix others = run.others(kAttacker) / run.scale();
    truth.head(others.size()) = Eigen::Map<const Vector>(others.data(), others.size());
    Index next = model.column_parameters();
    for (const AgentId j : model.others()) {
      Stream start(protocol::simulated_secret(problem.seed, j), protocol::kStartStream);
      for (Index t = 0; !bare && t < 30; ++t) truth(next++) = 2 * start.uniform() - 1;
    }
    const double misfit = (model.simulate(truth) - model.observed()).cwiseAbs().maxCoeff();
    // Secret weights are rounded, and how is not in these parameters.
    EXPECT_LT(misfit, bare ? 5e-3 : 3e-6);
  }
}

double totals_error(Index others, std::uint64_t seed, int starts) {
  const protocol::Graph g = testing_runs::graph("ring", 3);
  const std::vector<Index> columns{40, (others + 1) / 2, others / 2};
  const bool two = others == 1;  // two agents: the smallest sum there is
  const protocol::Graph line = testing_runs::graph("line", 2);
  const Recording run = testing_runs::record(testing_runs::synthetic(
      protocol::SchemeKind::kSum, two ? line : g, two ? std::vector<Index>{40, 1} : columns, seed, 0));
  FitOptions options;
  options.rounds = 20;
  options.starts = starts;
  options.steps = 30;
  Stream stream(Seed::from_number(seed), 'f');
  const ColumnClaim claim = fit_totals(run.view(kAttacker), others, options, stream);
  return column_error(run.others(kAttacker), claim.columns);
}

TEST(FitTotals, FindsOneTwoAndThreeColumns) {
  EXPECT_LT(totals_error(1, 1, 4), 1e-6);
  EXPECT_LT(totals_error(2, 1, 4), 1e-6);
  EXPECT_LT(totals_error(3, 1, 20), 1e-5);
}

TEST(SecondMoments, FollowFromOneTotalUpToRankColumns) {
  const protocol::Graph g = testing_runs::graph("ring", 3);
  const Recording run = testing_runs::record(testing_runs::synthetic(protocol::SchemeKind::kSum, g, {40, 2, 2}, 1, 0));
  const Matrix others = run.others(kAttacker);
  EXPECT_LT(relative_error_of(others * others.transpose(), second_moments(run.view(kAttacker))), 1e-6);
}

// AUC of the best score, over seeds.
double membership(protocol::SchemeKind scheme, Index each, int seeds) {
  std::vector<std::vector<double>> by_score;
  for (int seed = 1; seed <= seeds; ++seed) {
    const protocol::Graph g = testing_runs::graph("ring", 3);
    const std::vector<Index> columns{20, each, each};
    constexpr Index kCandidates = 8;
    constexpr Index kReference = 100;
    const Index members = std::min(kCandidates, 2 * each);
    AuditProblem problem = testing_runs::synthetic(scheme, g, columns, static_cast<std::uint64_t>(seed), 0);
    const Matrix population = synthetic_columns_of(problem.seed, 20 + 2 * each + kCandidates + kReference);
    Matrix candidates(30, members + kCandidates);
    for (Index m = 0; m < members; ++m) candidates.col(m) = population.col(20 + m * (2 * each) / members);
    candidates.rightCols(kCandidates) = population.middleCols(20 + 2 * each, kCandidates);
    const Recording run = testing_runs::record(problem);
    Stream stream(Seed::from_number(problem.seed), 'm');
    const AttackerView view = run.view(kAttacker);
    const Matrix reference = population.rightCols(kReference);
    const auto scores = scheme == protocol::SchemeKind::kSum
                            ? membership_from_totals(view, 2 * each, candidates, reference, 10)
                            : membership_from_sums(view, columns, candidates, reference, 3, stream);
    by_score.resize(scores.size());
    for (std::size_t k = 0; k < scores.size(); ++k) {
      const std::span all(scores[k].scores.data(), static_cast<std::size_t>(candidates.cols()));
      by_score[k].push_back(area_under_curve(all.first(static_cast<std::size_t>(members)),
                                             all.subspan(static_cast<std::size_t>(members))));
    }
  }
  double best = 0;
  for (const std::vector<double>& values : by_score) best = std::max(best, estimate(values).mean);
  return best;
}

TEST(Membership, IsPlainFromTotalsOfFewColumnsAndLessSoFromMany) {
  const double few = membership(protocol::SchemeKind::kSum, 5, 3);
  EXPECT_GT(few, 0.95);
  EXPECT_LT(membership(protocol::SchemeKind::kSum, 50, 3), few - 0.1);
}

// The largest part of a neighbour's y outside the plane found, over all attackers of a ring of seven.
double worst_plane(bool bare) {
  const protocol::Graph g = testing_runs::graph("ring", 7);
  AuditProblem problem =
      testing_runs::synthetic(protocol::SchemeKind::kHardened, g, std::vector<Index>(7, 1), 1, 1, 96, 4);
  if (bare) remove_countermeasures(problem.settings, g);
  problem.Z = {count_columns_of(1, 7), std::vector<Index>(7, 1)};
  const Recording run = testing_runs::record(problem);
  double worst = 0;
  for (std::uint32_t i = 0; i < 7; ++i) {
    Matrix Y(4, 0);
    for (const AgentId j : g.neighbours(AgentId{i})) {
      nmf::AdmmYStep right(4, data::view(run.all_of(j).Z), run.scale());
      right.solve(run.X0(), nmf::automatic_eta(run.X0()), problem.settings.admm_y);
      Y.conservativeResize(4, Y.cols() + 1);
      Y.rightCols(1) = right.coordinates();
    }
    Stream stream(Seed::from_number(i), 'p');
    const AttackerView view = run.view(AgentId{i});
    worst = std::max(worst, outside_of(Y, first_plane(view, 2, stream)));
  }
  return worst;
}

TEST(FirstPlane, HoldsTheNeighboursCoordinatesUnlessStartsArePrivate) {
  EXPECT_LT(worst_plane(true), 1e-3);
  EXPECT_GT(worst_plane(false), 0.1);
}

}  // namespace
}  // namespace ppdnmf::audit
