#include <ppdnmf/audit/attacks/a8_fit_totals.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include <ppdnmf/audit/attacks/a8_fit_sums.h>
#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/prior.h>
#include <ppdnmf/audit/model/private_totals.h>
#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/totals.h>

namespace ppdnmf::audit {
namespace {

constexpr double kDeviation = 1e-7;  // words are finer; sweeps that end one earlier or later move y by more
constexpr double kStep = 1e-6;

// What columns would put into everything opened, added up over them.
using ColumnsModel = std::function<Vector(const Matrix& columns)>;

// z = basis w for every column: the model and its derivatives, column by column.
class TotalsModel {
 public:
  TotalsModel(ColumnsModel model, Matrix basis, Index columns)
      : model_(std::move(model)), basis_(std::move(basis)), columns_(columns) {}

  [[nodiscard]] Index unknowns() const { return basis_.cols(); }
  [[nodiscard]] Index columns() const { return columns_; }
  [[nodiscard]] Matrix expand(const Vector& w) const {
    return basis_ * Eigen::Map<const Matrix>(w.data(), unknowns(), columns_);
  }
  [[nodiscard]] Vector simulate(const Vector& w) const { return model_(expand(w)); }
  [[nodiscard]] Matrix differences(const Vector& w, Index observations) const {
    Matrix J(observations, w.size());
    for (Index m = 0; m < columns_; ++m) {
      const Matrix z = basis_ * w.segment(m * unknowns(), unknowns());
      const Vector at = model_(z);
      for (Index k = 0; k < unknowns(); ++k) {
        const Matrix moved = z + kStep * basis_.col(k);
        J.col(m * unknowns() + k) = (model_(moved) - at) / kStep;
      }
    }
    return J;
  }

 private:
  ColumnsModel model_;
  Matrix basis_;
  Index columns_;
};

ColumnsModel moments_model(const OthersTotals& totals, const AttackerView& view) {
  return [&totals, rank = view.settings.rank](const Matrix& Z) {
    return moments_of(totals.requests, Z, rank, totals.loss);
  };
}

Matrix basis_of(const OthersTotals& totals, Index columns) {
  const Index rows = totals.requests.front().X.rows();
  const Index rank = totals.requests.front().X.cols();
  // Under the Poisson loss S has no span of columns.
  if (columns >= rows || totals.loss->kind() != nmf::LossKind::kSquares) return Matrix::Identity(rows, rows);
  Matrix all(rows, rank * static_cast<Index>(totals.others.size()));
  for (std::size_t e = 0; e < totals.others.size(); ++e) {
    all.middleCols(static_cast<Index>(e) * rank, rank) = totals.others[e].S;
  }
  return Eigen::JacobiSVD<Matrix>(all, Eigen::ComputeThinU).matrixU().leftCols(std::min(columns, all.cols()));
}

// `observed`: the sum over all columns, with noise of this deviation.
FitProblem totals_problem_of(const TotalsModel& model, const Vector& observed, double deviation,
                             const ColumnPrior& prior, const Matrix& basis) {
  FitProblem problem;
  problem.model = [&model](const Vector& w) { return model.simulate(w); };
  problem.jacobian = [&model](const Vector& w, const Vector& at) { return model.differences(w, at.size()); };
  problem.observed = observed;
  problem.deviation = Vector::Constant(observed.size(), deviation);
  problem.precision = basis.transpose() * prior.precision * basis;
  const Vector inside = problem.precision.ldlt().solve(basis.transpose() * (prior.precision * prior.mean));
  problem.mean = inside.replicate(model.columns(), 1);
  problem.least = Vector::Constant(problem.mean.size(), -std::numeric_limits<double>::infinity());
  return problem;
}

// Another start near the best so far: two of its columns turned into each other.
Vector turned(const Vector& best, Index unknowns, Index columns, Stream& stream) {
  Vector out = best;
  if (columns < 2) return out;
  const auto a = static_cast<Index>(stream.below(static_cast<std::uint64_t>(columns)));
  const Index b = (a + 1 + static_cast<Index>(stream.below(static_cast<std::uint64_t>(columns - 1)))) % columns;
  const double angle = 2 * std::numbers::pi * stream.uniform();
  const Vector first = best.segment(a * unknowns, unknowns);
  const Vector second = best.segment(b * unknowns, unknowns);
  out.segment(a * unknowns, unknowns) = std::cos(angle) * first - std::sin(angle) * second;
  out.segment(b * unknowns, unknowns) = std::sin(angle) * first + std::cos(angle) * second;
  return out;
}

// From several starts, until one explains what was seen. Columns as the model has them; none if nothing was found.
ColumnClaim fit_columns(const TotalsModel& model, const FitProblem& problem, const Matrix& own, const Matrix& basis,
                        const FitOptions& options, Stream& stream) {
  const Index columns = model.columns();
  ColumnClaim claim{{}, std::numeric_limits<double>::infinity(), 0};
  Vector best;
  while (claim.starts < options.starts && !(claim.cost < kExplained)) {
    const bool fresh = best.size() == 0 || claim.starts % 2 == 0;
    ++claim.starts;
    const Vector drawn = random_columns(own, columns, stream);
    const Matrix inside = basis.transpose() * Eigen::Map<const Matrix>(drawn.data(), own.rows(), columns);
    const Vector start = fresh ? Vector(Eigen::Map<const Vector>(inside.data(), inside.size()))
                               : turned(best, model.unknowns(), columns, stream);
    const FitResult found = fit(problem, start, {1e6, 1e4, 1e2, 1}, options.steps);
    if (!(found.cost < claim.cost)) continue;
    claim.cost = found.cost;
    best = found.parameters;
  }
  claim.columns = best.size() == 0 ? guessed_columns(own, columns) : model.expand(best);
  return claim;
}

}  // namespace

ColumnClaim fit_totals(const AttackerView& view, Index columns, const FitOptions& options, Stream& stream) {
  const Matrix own = view.alone().Z / view.scale;
  const OthersTotals totals = others_totals(view, options.rounds);
  const Matrix basis = basis_of(totals, columns);
  const TotalsModel model(moments_model(totals, view), basis, columns);
  const FitProblem problem = totals_problem_of(model, moments_of(totals), kDeviation, prior_of(own), basis);
  ColumnClaim claim = fit_columns(model, problem, own, basis, options, stream);
  claim.columns *= view.scale;
  return claim;
}

ColumnClaim fit_noisy_totals(const AttackerView& view, Index columns, const FitOptions& options, Stream& stream) {
  const Matrix own = shapes_of(view.alone().Z);
  const PrivateTotals totals = private_totals(view);
  const Matrix basis = Matrix::Identity(own.rows(), own.rows());  // noise has no span
  const ColumnsModel parts = [&](const Matrix& Z) { return bounded_parts(view, totals.requests, Z, true); };
  const TotalsModel model(parts, basis, columns);
  const FitProblem problem = totals_problem_of(model, totals.others, totals.deviation, prior_of(own), basis);
  ColumnClaim claim = fit_columns(model, problem, own, basis, options, stream);
  claim.columns = shapes_of(claim.columns);
  return claim;
}

Matrix second_moments(const AttackerView& view) {
  const OthersTotals totals = others_totals(view, 1);
  const nmf::Moments& first = totals.others.front();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(first.T);
  const Vector& values = eigen.eigenvalues();
  Vector inverse(values.size());
  for (Index k = 0; k < values.size(); ++k) inverse(k) = values(k) > 1e-9 * values.maxCoeff() ? 1 / values(k) : 0;
  const Matrix V = first.S * eigen.eigenvectors();
  return view.scale * view.scale * (V * inverse.asDiagonal() * V.transpose());
}

double bound_of_totals(const AttackerView& view, int rounds, const Matrix& truth) {
  const ColumnPrior prior = prior_of(view.alone().Z / view.scale);
  const OthersTotals totals = others_totals(view, rounds);
  const Matrix basis = Matrix::Identity(truth.rows(), truth.rows());
  const TotalsModel model(moments_model(totals, view), basis, truth.cols());
  const FitProblem problem = totals_problem_of(model, moments_of(totals), kDeviation, prior, basis);
  return linear_bound(problem, Eigen::Map<const Vector>(truth.data(), truth.size())).norm() / truth.norm();
}

Result<Trial> fit_totals_trial(const AuditSetup& setup, const FitOptions& options, std::uint64_t seed) {
  const AuditProblem problem = problem_of(setup, seed);
  PPDNMF_TRY(const Recording run, record(problem));
  const Matrix truth = run.others(kAttacker);
  Stream stream(Seed::from_number(seed), 'f');
  const ColumnClaim claim = fit_totals(run.view(kAttacker), truth.cols(), options, stream);
  return Trial{column_error(truth, claim.columns), guess_error(truth, problem.Z[0])};
}

Result<Trial> totals_bound_trial(const AuditSetup& setup, int rounds, std::uint64_t seed) {
  const AuditProblem problem = problem_of(setup, seed);
  PPDNMF_TRY(const Recording run, record(problem));
  const Matrix truth = run.others(kAttacker);
  const double bound = bound_of_totals(run.view(kAttacker), rounds, truth / run.scale());
  return Trial{bound, guess_error(truth, problem.Z[0])};
}

Result<Trial> noisy_fit_trial(const AuditSetup& setup, const FitOptions& options, std::uint64_t seed) {
  const AuditProblem problem = problem_of(setup, seed);
  PPDNMF_TRY(const Recording run, record(problem));
  const Matrix truth = shapes_of(run.others(kAttacker));
  Stream stream(Seed::from_number(seed), 'f');
  const ColumnClaim claim = fit_noisy_totals(run.view(kAttacker), truth.cols(), options, stream);
  return Trial{column_error(truth, claim.columns), guess_error(truth, shapes_of(problem.Z[0]))};
}

namespace {

constexpr double kLargestEpsilon = 8;  // of those in the table: where the noise is switched off, any would do

void add_totals_fit(Plan& plan, const AuditSetup& s, const FitOptions& options, int full, int quick,
                    const char* curve) {
  plan.add(fit_row(s, curve), plan.seeds(full, quick),
           [s, options](std::uint64_t seed) { return fit_totals_trial(s, options, seed); });
}

void add_noisy_fit(Plan& plan, const AuditSetup& s, const FitOptions& options, int full, int quick) {
  plan.add(Plan::row("A8", s, "relative error of the shapes of all others' columns", Measure::kError),
           plan.seeds(full, quick), [s, options](std::uint64_t seed) { return noisy_fit_trial(s, options, seed); });
}

}  // namespace

void plan_fits_to_totals(Plan& plan) {
  const FitOptions totals{20, 40, 30};
  const FitOptions many_totals{20, 2, 15};
  for (const auto& [others, full] : {std::pair{1, 10}, {2, 10}, {3, 10}, {5, 10}, {10, 3}}) {
    add_totals_fit(plan, {kSum, "line", 2, 40, others, 10, 3, false, false}, totals, full, others < 5 ? 2 : 0, "sum");
  }
  for (const Index others : {1, 2, 3}) {
    add_totals_fit(plan, {kSum, "line", 2, 40, others, 30, 5, false, false}, totals, 10, 0, "");
  }
  add_totals_fit(plan, {kSum, "ring", 3, 40, 20, 8, 2, false, false}, many_totals, 100, 2, "sum");
}

// The totals of the Poisson loss are many times as many. Made counts: the paper's synthetic data are none.
void plan_poisson_fits(Plan& plan) {
  const FitOptions few{10, 20, 30};
  for (const nmf::Curvature curvature : {nmf::Curvature::kFull, nmf::Curvature::kScaled}) {
    for (const Index others : {1, 2, 3}) {
      add_totals_fit(plan, {kSum, "line", 2, 40, others, 10, 3, true, false, 0, 1, curvature}, few, 10,
                     others == 1 && curvature == nmf::Curvature::kScaled ? 2 : 0, "");
    }
    add_totals_fit(plan, {kSum, "ring", 3, 40, 20, 8, 2, true, false, 0, 1, curvature}, {10, 1, 10}, 40, 0, "");
  }
}

void plan_noisy_fits(Plan& plan) {
  const FitOptions few{0, 100, 30};
  for (const double noise : {0.0, 1.0}) {
    for (const Index others : {1, 3}) {
      add_noisy_fit(plan, {kSum, "line", 2, 40, others, 10, 3, false, false, kLargestEpsilon, noise}, few, 20, 3);
    }
  }
  add_noisy_fit(plan, {kSum, "ring", 3, 40, 20, 8, 2, false, false, kLargestEpsilon, 1}, {0, 1, 6}, 100, 3);
}

}  // namespace ppdnmf::audit
