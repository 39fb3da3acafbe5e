#include <ppdnmf/audit/attacks/search_starts.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include <ppdnmf/audit/attacks/a9_membership.h>
#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/nmf/resample.h>
#include <ppdnmf/protocol/crowd.h>

namespace ppdnmf::audit {
namespace {

constexpr int kStartsOfARank = 10;  // as many as a search has, and rounds of each
constexpr int kRounds = 40;

Matrix resampled(const Matrix& Z, nmf::LossKind loss, const Seed& seed) {
  const data::SharedColumns drawn = nmf::resampled(*data::view(Z), loss, seed, serial_executor());
  Matrix out(Z.rows(), Z.cols());
  std::vector<double> space;
  data::walk(*drawn, {0, Z.cols()}, [&](const data::Block& block, const data::Range& part) {
    for (Index m = 0; m < block.count; ++m) {
      const double* const z = data::dense_column(block, m, space);
      std::copy_n(z, Z.rows(), out.col(part.first + m).data());
    }
  });
  return out;
}

// As Poisson's fits go, few starts and a few ranks more say little more.
Vector claimed_column(const AttackerView& view, bool poisson, std::uint64_t seed) {
  return poisson ? poisson_column_behind_row(view, 0, 1, seed) : column_behind_row(view, 0);
}

}  // namespace

Result<std::vector<Recording>> record_starts(const AuditProblem& problem, int ranks) {
  std::vector<Recording> out;
  for (int n = 0; n < ranks * kStartsOfARank; ++n) {
    AuditProblem start = problem;
    const std::uint64_t seed = problem.seed * 1'000'003 + static_cast<std::uint64_t>(n);
    start.Z.all = resampled(problem.Z.all, problem.settings.loss, Seed::from_number(seed));
    start.seed = seed;
    start.settings.rank += n / kStartsOfARank;
    start.settings.iterations = kRounds;
    protocol::complete(start.settings, start.graph);
    PPDNMF_TRY(Recording run, record(start));
    out.push_back(std::move(run));
  }
  return out;
}

Result<Trial> search_row_trial(const AuditSetup& setup, const RareRow& row, int ranks, std::uint64_t seed) {
  const AuditProblem problem = rare_row_problem(setup, row, seed);
  PPDNMF_TRY(const std::vector<Recording> runs, record_starts(problem, ranks));
  Vector best;
  double unexplained = std::numeric_limits<double>::infinity();
  for (const Recording& run : runs) {
    const AttackerView view = run.view(kAttacker);
    const Vector claim = claimed_column(view, setup.poisson.has_value(), seed);
    if (claim.size() == 0 || !claim.allFinite()) continue;
    const double rest = unexplained_of_row(view, 0, claim);
    if (!(rest < unexplained)) continue;
    unexplained = rest;
    best = claim;
  }
  const Vector guess = Matrix(problem.Z[0]).rowwise().mean();
  Trial trial{1, 1};
  for (Index m = 0; m < row.behind; ++m) {
    const Vector truth = problem.Z.all.col(setup.own + m);
    trial.baseline = std::min(trial.baseline, shape_error(truth, guess));
    trial.value = std::min(trial.value, shape_error(truth, best));
  }
  if (best.size() == 0) trial.value = trial.baseline;
  return trial;
}

Result<Trial> search_membership_trial(const AuditSetup& setup, int ranks, std::uint64_t seed) {
  constexpr Index kReference = 200;
  constexpr int kTotalsSeen = 10;
  const MembershipCandidates those = candidates_of(setup, seed, kReference);
  PPDNMF_TRY(const std::vector<Recording> runs, record_starts(problem_of(setup, seed), ranks));
  Vector scores = Vector::Zero(those.columns.cols());
  for (const Recording& run : runs) {
    const auto of_start = membership_from_totals(run.view(kAttacker), setup.each * (setup.agents - 1), those.columns,
                                                 those.reference, kTotalsSeen);
    scores += of_start.at(1).scores;  // the likelihood
  }
  return Trial{those.area(scores), 0.5};
}

namespace {

void add_row(Plan& plan, const AuditSetup& s, Index behind, int full, int quick) {
  constexpr int kRanks = 4;
  AuditRow row = Plan::row("A14", s, "relative error of the shape of a column behind a row", Measure::kError);
  row.scheme += ", a range of ranks";
  row.accepted = row.accepted && behind >= protocol::resampled_crowd().fewest;
  row.position = fmt::format("one agent in a ring of 4; {} of the others' 120 columns ha{} a row; {} starts", behind,
                             behind == 1 ? "s" : "ve", kRanks * kStartsOfARank);
  plan.add(row, plan.seeds(full, quick),
           [s, behind](std::uint64_t seed) { return search_row_trial(s, {behind}, kRanks, seed); });
}

}  // namespace

void plan_search_starts(Plan& plan) {
  const AuditSetup squares{kSum, "ring", 4, 40, 40, 16, 3, true, false};
  AuditSetup poisson = squares;
  poisson.poisson = nmf::Curvature::kScaled;
  for (const Index behind : {1, 10, 40}) {
    add_row(plan, squares, behind, behind == 1 ? 5 : 20, behind == 40 ? 0 : 1);
    add_row(plan, poisson, behind, behind == 1 ? 5 : 10, 0);
  }
  for (const bool counts : {false, true}) {
    AuditSetup s{kSum, "ring", 3, 20, 20, 20, 4, true, false};
    if (counts) s.poisson = nmf::Curvature::kScaled;
    AuditRow row = Plan::row("A9", s, "AUC, totals of ten starts", Measure::kAuc);
    row.scheme += ", a range of ranks";
    plan.add(row, plan.seeds(20, counts ? 0 : 1),
             [s](std::uint64_t seed) { return search_membership_trial(s, 1, seed); });
  }
}

}  // namespace ppdnmf::audit
