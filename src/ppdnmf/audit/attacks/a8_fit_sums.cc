#include <ppdnmf/audit/attacks/a8_fit_sums.h>

#include <cmath>
#include <limits>

#include <ppdnmf/audit/model/network_model.h>
#include <ppdnmf/audit/model/prior.h>

namespace ppdnmf::audit {
namespace {

// A misfit this small is explained by rounding; no other start can do better.
constexpr double kExplained = 20;

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

FitProblem problem_of(const NetworkModel& model, const ColumnPrior& prior) {
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
  // The first BCD iteration alone is nearly linear: it leads near, all of them to the end.
  const NetworkModel first(view, columns, std::min(options.exchanges, view.settings.admm_x));
  const NetworkModel all(view, columns, options.exchanges);
  const FitProblem coarse = problem_of(first, prior);
  const FitProblem fine = problem_of(all, prior);
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

double bound_of_sums(const AttackerView& view, const std::vector<Index>& columns, int exchanges, const Matrix& truth) {
  const ColumnPrior prior = prior_of(own_columns(view));
  const NetworkModel model(view, columns, exchanges);
  const FitProblem problem = problem_of(model, prior);
  Vector at = Vector::Zero(model.parameters());
  at.head(model.column_parameters()) = Eigen::Map<const Vector>(truth.data(), truth.size());
  return linear_bound(problem, at).head(model.column_parameters()).norm() / truth.norm();
}

}  // namespace ppdnmf::audit
