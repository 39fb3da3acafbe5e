#include <ppdnmf/audit/attacks/a15_dominant_column.h>

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include <ppdnmf/audit/attacks/a14_rare_rows.h>
#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/samples.h>
#include <ppdnmf/audit/model/totals.h>
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

// The better of the two ways, against one's own mean.
Result<Trial> shape_trial(const AuditProblem& problem, const AuditSetup& setup) {
  PPDNMF_TRY(const Recording run, record(problem));
  const AttackerView view = run.view(kAttacker);
  const Vector truth = problem.Z.all.col(setup.own);
  double error = shape_error(truth, leading_of_X(view));
  if (setup.scheme == kSum) error = std::min(error, shape_error(truth, leading_of_totals(view)));
  return Trial{error, shape_error(truth, Matrix(problem.Z[0]).rowwise().mean())};
}

}  // namespace

Result<Trial> unlike_column_trial(const AuditSetup& setup, bool at_limit, std::uint64_t seed) {
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
  const double norm = rest.squaredNorm();
  double squared = norm / static_cast<double>(rest.cols());
  if (at_limit) {
    const protocol::CrowdRule rule;
    const Vector rows = rest * rest.colwise().norm().transpose();
    squared = rule.norm_part / (1 - rule.norm_part) * norm;
    for (Index l = 0; l < setup.rows; ++l) {
      if (shape(l) > 0) squared = std::min(squared, rule.part / (1 - rule.part) * rows(l) / shape(l));
    }
  }
  Z.col(setup.own) = std::sqrt(squared) * shape;
  return shape_trial(problem, setup);
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
  return shape_trial(problem, setup);
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

}  // namespace

namespace {

void add_unlike(Plan& plan, Index each, bool at_limit, int full, int quick) {
  const AuditSetup s{kSum, "ring", 3, 200, each, 16, 6, true, false};
  AuditRow row = Plan::row("A15", s, "relative error of the shape of a column unlike all others", Measure::kError);
  row.position = fmt::format("one agent in a ring of 3; a column {}, in a quarter of the rows; the others have {}",
                             at_limit ? "as large as the crowd allows" : "of ordinary length", 2 * each);
  row.curve = at_limit ? "" : "A15, columns around one unlike them";
  row.columns = at_limit ? 0 : static_cast<double>(2 * each);
  plan.add(row, plan.seeds(full, quick), [=](std::uint64_t seed) { return unlike_column_trial(s, at_limit, seed); });
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
  for (const Index each : {40, 100, 300, 1000}) add_unlike(plan, each, false, each > 300 ? 20 : 40, 0);
  add_unlike(plan, 40, true, 40, 2);
}

}  // namespace ppdnmf::audit
