#include <ppdnmf/audit/attacks/a15_dominant_column.h>

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include <ppdnmf/audit/attacks/a14_rare_rows.h>
#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/samples.h>
#include <ppdnmf/audit/model/totals.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/nmf/leverage.h>
#include <ppdnmf/protocol/crowd.h>

namespace ppdnmf::audit {

Vector leading_of_totals(const AttackerView& view) {
  constexpr int kAll = 1000;
  constexpr double kNothing = 1e-9;
  const OthersTotals totals = others_totals(view, kAll);
  const nmf::Moments& last = totals.others.back();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(last.T);
  const Vector& values = eigen.eigenvalues();
  Matrix V = last.S * eigen.eigenvectors();
  for (Index k = 0; k < values.size(); ++k)
    V.col(k) *= values(k) > kNothing * values.maxCoeff() ? 1 / std::sqrt(values(k)) : 0;
  const Eigen::SelfAdjointEigenSolver<Matrix> moments(V * V.transpose());
  return moments.eigenvectors().rightCols(1).cwiseAbs();
}

Vector leading_of_X(const AttackerView& view) {
  const Matrix& X = view.alone().X;
  const Vector mean = view.alone().Z.rowwise().mean();
  Index least = 0;
  const auto alike = [&](Index k) { return X.col(k).dot(mean) / std::max(X.col(k).norm(), 1e-300); };
  for (Index k = 1; k < X.cols(); ++k) least = alike(k) < alike(least) ? k : least;
  return X.col(least);
}

namespace {

// By the better of the two ways.
Result<double> error_of(const AuditProblem& problem, const Vector& truth) {
  PPDNMF_TRY(const Recording run, record(problem));
  const AttackerView view = run.view(kAttacker);
  const double by_X = shape_error(truth, leading_of_X(view));
  if (problem.settings.scheme != kSum) return by_X;
  return std::min(by_X, shape_error(truth, leading_of_totals(view)));
}

AgentColumns without(const AgentColumns& Z, Index column) {
  AgentColumns out{Matrix(Z.all.rows(), Z.all.cols() - 1), Z.counts};
  out.all << Z.all.leftCols(column), Z.all.rightCols(Z.all.cols() - column - 1);
  std::size_t owner = 0;
  for (Index before = Z.counts[0]; before <= column; before += Z.counts[owner]) ++owner;
  --out.counts[owner];
  return out;
}

// As long as makes it this part of the leading directions of all of them together.
double length_for_part(const Matrix& rest, const Vector& shape, Index directions, double part) {
  constexpr int kSteps = 40;
  Matrix Z(rest.rows(), rest.cols() + 1);
  Z.leftCols(rest.cols()) = rest;
  double low = 1e-6 * rest.norm();
  double high = 1e3 * rest.norm();
  for (int n = 0; n < kSteps; ++n) {
    const double length = std::sqrt(low * high);
    Z.rightCols(1) = length * shape;
    (nmf::leverages(*data::view(Z), directions).back() > part ? high : low) = length;
  }
  return low;
}

// The largest length with which it keeps to what the crowd says of rows and the norm.
double length_within(const Matrix& rest, const Vector& shape) {
  const protocol::CrowdRule rule;
  const Vector rows = rest * rest.colwise().norm().transpose();
  double squared = rule.norm_part / (1 - rule.norm_part) * rest.squaredNorm();
  for (Index l = 0; l < rest.rows(); ++l) {
    if (shape(l) > 0) squared = std::min(squared, rule.part / (1 - rule.part) * rows(l) / shape(l));
  }
  return std::sqrt(squared);
}

}  // namespace

Result<Trial> shape_trial(const AuditProblem& problem, Index column) {
  const Vector truth = problem.Z.all.col(column);
  PPDNMF_TRY(const double error, error_of(problem, truth));
  AuditProblem lacking = problem;
  lacking.Z = without(problem.Z, column);
  PPDNMF_TRY(const double without_it, error_of(lacking, truth));
  const double guess = shape_error(truth, Matrix(problem.Z[kAttacker.value]).rowwise().mean());
  return Trial{error, std::min(guess, without_it)};
}

Result<Trial> unlike_column_trial(const AuditSetup& setup, const UnlikeColumn& column, std::uint64_t seed) {
  constexpr Index kPart = 4;  // one row in so many
  AuditProblem problem = problem_of(setup, seed);
  Matrix& Z = problem.Z.all;
  Z = even_counts_of(seed, Z.cols(), setup.rows, setup.rank);
  Stream stream(Seed::from_number(seed), 'u');
  Vector shape = Vector::Zero(setup.rows);
  for (Index n = 0; n < setup.rows / kPart; ++n)
    shape(static_cast<Index>(stream.below(static_cast<std::uint64_t>(setup.rows)))) = 0.5 + stream.uniform();
  shape /= shape.norm();
  const Matrix rest = Z.rightCols(Z.cols() - setup.own - 1);
  double length = rest.norm() / std::sqrt(static_cast<double>(rest.cols()));
  if (column.part > 0) length = length_for_part(rest, shape, setup.rank, column.part);
  if (column.within) length = std::min(length, length_within(rest, shape));
  Z.col(setup.own) = length * shape;
  problem.settings.crowd = column.crowd;
  return shape_trial(problem, setup.own);
}

Result<Trial> dominant_column_trial(const AuditSetup& setup, double part, std::uint64_t seed,
                                    protocol::CrowdKind crowd) {
  AuditProblem problem = problem_of(setup, seed);
  Matrix& Z = problem.Z.all;
  Z = even_counts_of(seed, Z.cols(), setup.rows, setup.rank);
  const double rest = Z.rightCols(Z.cols() - setup.own - 1).squaredNorm();
  auto column = Z.col(setup.own);
  column *= std::sqrt(part / (1 - part) * rest / column.squaredNorm());
  problem.settings.crowd = crowd;
  return shape_trial(problem, setup.own);
}

namespace {

void add_dominant(Plan& plan, protocol::SchemeKind scheme, double part, bool blank, int full, int quick) {
  const AuditSetup s{scheme, "ring", 4, 40, 40, 16, 3, true, false};
  AuditRow row = Plan::row("A15", s, "relative error of the shape of the largest column", Measure::kError);
  const protocol::CrowdKind crowd = blank ? protocol::CrowdKind::kBlank : protocol::CrowdKind::kOff;
  // Of one agent's squared norm; where another agent has nearly all columns, that is nearly all of the others'.
  if (blank) row.scheme = "sum, crowd blank";
  row.accepted = row.accepted && (blank || part <= protocol::CrowdRule{}.norm_part);
  row.position = fmt::format("one agent in a ring of 4; a column has {:.2g} of the others' squared norm", part);
  row.curve = blank ? "" : scheme == kSum ? "A15, 1 / part of the norm" : "A15, hardened";
  row.columns = blank ? 0 : 1 / part;
  plan.add(row, plan.seeds(full, quick),
           [=](std::uint64_t seed) { return dominant_column_trial(s, part, seed, crowd); });
}

// Of ordinary length with this crowd, or this part of the others' leading directions.
void add_unlike(Plan& plan, Index each, const UnlikeColumn& column, int full, int quick) {
  const AuditSetup s{kSum, "ring", 3, 60, each, 16, 6, true, false};
  AuditRow row = Plan::row("A15", s, "relative error of the shape of a column unlike all others", Measure::kError);
  row.position = column.part > 0 ? fmt::format(
                                       "one agent in a ring of 3; the column has {:g} of a leading direction "
                                       "of the others' {}",
                                       column.part, 2 * each)
                                 : fmt::format(
                                       "one agent in a ring of 3; the column is of ordinary length; the others "
                                       "have {}",
                                       2 * each);
  const bool blank = column.crowd == protocol::CrowdKind::kBlank;
  if (blank) row.scheme = "sum, crowd blank";
  // Of one agent's columns, as with the norm.
  row.accepted = row.accepted && (blank || (column.part > 0 && column.part <= protocol::CrowdRule{}.direction_part));
  if (column.part > 0) row.curve = "A15, 1 / part of a direction";
  if (column.part == 0 && !blank) row.curve = "A15, columns around one unlike them";
  row.columns = column.part > 0 ? 1 / column.part : blank ? 0 : static_cast<double>(2 * each);
  plan.add(row, plan.seeds(full, quick), [=](std::uint64_t seed) { return unlike_column_trial(s, column, seed); });
}

}  // namespace

void plan_dominant_columns(Plan& plan) {
  const double enforced = protocol::CrowdRule{}.norm_part;
  for (const double part : {0.5, 0.3, 0.2, 0.1, enforced}) {
    add_dominant(plan, kSum, part, false, part > enforced ? 40 : 100, part == 0.3 ? 3 : 0);
  }
  add_dominant(plan, kSum, 0.3, true, 20, 2);
  for (const double part : {0.5, 0.3, enforced})
    add_dominant(plan, kHardened, part, false, part > enforced ? 5 : 20, 0);
  for (const Index each : {60, 100, 300, 1000}) add_unlike(plan, each, {}, each > 300 ? 20 : 40, 0);
  const double of_direction = protocol::CrowdRule{}.direction_part;
  for (const double part : {0.9, 0.7, of_direction, 0.3, 0.2, 0.1, 0.05})
    add_unlike(plan, 100, {part, part <= of_direction}, part > of_direction ? 40 : 100, part == 0.9 ? 3 : 0);
  for (const Index each : {60, 100}) add_unlike(plan, each, {0, false, protocol::CrowdKind::kBlank}, 100, 0);
}

}  // namespace ppdnmf::audit
