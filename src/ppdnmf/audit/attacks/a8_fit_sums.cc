#include <ppdnmf/audit/attacks/a8_fit_sums.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include <ppdnmf/audit/model/network_model.h>
#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/prior.h>
#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/audit/model/setups.h>

namespace ppdnmf::audit {
namespace {

Matrix own_columns(const AttackerView& view) {
  Index count = 0;
  for (const auto& [id, member] : view.members) count += member.Z.cols();
  Matrix own(view.settings.rows, count);
  Index next = 0;
  for (const auto& [id, member] : view.members) {
    own.middleCols(next, member.Z.cols()) = member.Z / view.scale;
    next += member.Z.cols();
  }
  return own;
}

FitProblem fit_problem_of(const NetworkModel& model, const ColumnPrior& prior) {
  const Index columns = model.column_parameters() / prior.mean.size();
  FitProblem problem;
  problem.model = [&model](const Vector& p) { return model.simulate(p); };
  problem.jacobian = [&model](const Vector& p, const Vector& at) { return forward_differences(model, p, at); };
  problem.observed = model.observed();
  problem.deviation = model.deviation();
  problem.mean = Vector::Zero(model.parameters());
  problem.mean.head(model.column_parameters()) = prior.mean.replicate(columns, 1);
  problem.precision = prior.precision;
  problem.rest = Vector::Constant(model.parameters() - model.column_parameters(), model.hidden_precision());
  problem.least = Vector::Zero(model.parameters());
  problem.least.tail(problem.rest.size()).setConstant(-1);
  return problem;
}

}  // namespace

ColumnClaim fit_sums(const AttackerView& view, const std::vector<Index>& columns, const FitOptions& options,
                     Stream& stream) {
  const Matrix own = own_columns(view);
  const ColumnPrior prior = prior_of(own);
  // The first iteration alone is nearly linear: it leads near, all of them to the end.
  const NetworkModel first(view, columns, std::min(options.rounds, view.settings.admm_x));
  const NetworkModel all(view, columns, options.rounds);
  const FitProblem coarse = fit_problem_of(first, prior);
  const FitProblem fine = fit_problem_of(all, prior);
  const Index count = all.column_parameters() / own.rows();
  ColumnClaim claim{{}, std::numeric_limits<double>::infinity(), 0};
  Vector best;
  while (claim.starts < options.starts && !(claim.cost < kExplained)) {
    ++claim.starts;
    Vector start = Vector::Zero(first.parameters());
    start.head(first.column_parameters()) = random_columns(own, count, stream);
    const FitResult near = fit(coarse, start, {2e4, 2e2}, options.steps);
    Vector wide = Vector::Zero(all.parameters());
    wide.head(near.parameters.size()) = near.parameters;
    const FitResult found = fit(fine, wide, {2e2, 10, 1}, options.steps);
    if (!(found.cost < claim.cost)) continue;
    claim.cost = found.cost;
    best = found.parameters;
  }
  if (best.size() == 0) return {guessed_columns(own, count) * view.scale, claim.cost, claim.starts};
  claim.columns = Eigen::Map<const Matrix>(best.data(), own.rows(), count) * view.scale;
  return claim;
}

double bound_of_sums(const AttackerView& view, const std::vector<Index>& columns, int rounds, const Matrix& truth) {
  const ColumnPrior prior = prior_of(own_columns(view));
  const NetworkModel model(view, columns, rounds);
  const FitProblem problem = fit_problem_of(model, prior);
  Vector at = Vector::Zero(model.parameters());
  at.head(model.column_parameters()) = Eigen::Map<const Vector>(truth.data(), truth.size());
  return linear_bound(problem, at).head(model.column_parameters()).norm() / truth.norm();
}

Result<Trial> fit_sums_trial(const AuditSetup& setup, const FitOptions& options, std::uint64_t seed) {
  const AuditProblem problem = problem_of(setup, seed, static_cast<std::uint64_t>(options.rounds));
  PPDNMF_TRY(const Recording run, record(problem));
  const Matrix truth = run.others(kAttacker);
  Stream stream(Seed::from_number(seed), 'f');
  const ColumnClaim claim = fit_sums(run.view(kAttacker), columns_of(setup), options, stream);
  return Trial{column_error(truth, claim.columns), guess_error(truth, problem.Z[0])};
}

Result<Trial> sums_bound_trial(const AuditSetup& setup, int rounds, std::uint64_t seed) {
  const AuditProblem problem = problem_of(setup, seed, static_cast<std::uint64_t>(rounds));
  PPDNMF_TRY(const Recording run, record(problem));
  const Matrix truth = run.others(kAttacker);
  const double bound = bound_of_sums(run.view(kAttacker), columns_of(setup), rounds, truth / run.scale());
  return Trial{bound, guess_error(truth, problem.Z[0])};
}

AuditRow fit_row(const AuditSetup& setup, const char* curve) {
  AuditRow row = Plan::row("A8", setup, "relative error of all others' columns", Measure::kError);
  row.position += fmt::format("; {} rows, rank {}", setup.rows, setup.rank);
  row.columns = static_cast<double>(setup.scheme == kSum ? setup.each * (setup.agents - 1) : setup.each);
  row.curve = curve;
  return row;
}

namespace {

void add_sums_fit(Plan& plan, const AuditSetup& s, const FitOptions& options, int full, int quick, const char* curve) {
  plan.add(fit_row(s, curve), plan.seeds(full, quick),
           [s, options](std::uint64_t seed) { return fit_sums_trial(s, options, seed); });
}

}  // namespace

// Fits take nearly all of the audit's time: the more unknowns, the fewer seeds. The rows with the fewest columns that a
// real run accepts have a hundred.
void plan_fits_to_sums(Plan& plan) {
  const FitOptions few{9, 4, 15};
  const FitOptions many{9, 2, 15};
  add_sums_fit(plan, {kHardened, "ring", 3, 10, 1, 30, 5, false, true}, few, 20, 2, "");
  add_sums_fit(plan, {kHardened, "complete", 4, 10, 1, 30, 5, false, true}, few, 10, 0, "");
  add_sums_fit(plan, {kHardened, "ring", 5, 10, 1, 30, 5, false, true}, few, 5, 0, "");
  add_sums_fit(plan, {kHardened, "ring", 3, 20, 1, 30, 5, false, false}, few, 5, 0, "");
  for (const bool bare : {true, false}) {
    const char* curve = bare ? "hardened, bare" : "hardened";
    for (const auto& [each, full] : {std::pair{1, 10}, {2, 10}, {3, 5}, {5, 3}}) {
      add_sums_fit(plan, {kHardened, "ring", 3, 20, each, 10, 3, false, bare}, few, full, each < 2 ? 2 : 0, curve);
    }
    add_sums_fit(plan, {kHardened, "ring", 3, 20, 10, 10, 3, false, bare}, many, 3, 0, curve);
  }
  add_sums_fit(plan, {kHardened, "ring", 3, 40, 20, 8, 2, false, false}, many, 100, 2, "hardened");
}

}  // namespace ppdnmf::audit
