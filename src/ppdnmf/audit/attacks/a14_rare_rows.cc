#include <ppdnmf/audit/attacks/a14_rare_rows.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <ppdnmf/audit/attacks/a14_row_equations.h>
#include <ppdnmf/audit/model/claims.h>
#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/prior.h>
#include <ppdnmf/audit/model/samples.h>
#include <ppdnmf/audit/model/totals.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/protocol/crowd.h>

namespace ppdnmf::audit {
namespace {

constexpr int kAllExchanges = 1000;

// Row l of S of one exchange, as the loss has it.
Vector row_in(const nmf::Moments& moments, const nmf::Loss& loss, Index row) {
  return loss.kind() == nmf::LossKind::kSquares ? Vector(moments.S.row(row).transpose()) : Vector(moments.S.col(row));
}

// The same of every exchange, one after the other, if these columns were behind it.
Vector row_of(const OthersTotals& totals, const Matrix& columns, Index row, Index rank) {
  nmf::Holder holder(data::view(columns), serial_executor(), totals.loss);
  holder.begin(rank, 1);
  Vector out(static_cast<Index>(totals.requests.size()) * rank);
  for (std::size_t e = 0; e < totals.requests.size(); ++e) {
    out.segment(static_cast<Index>(e) * rank, rank) = row_in(holder.answer(totals.requests[e]), *totals.loss, row);
  }
  return out;
}

Vector seen_of(const OthersTotals& totals, Index row) {
  const Index rank = totals.requests.front().X.cols();
  Vector out(static_cast<Index>(totals.others.size()) * rank);
  for (std::size_t e = 0; e < totals.others.size(); ++e) {
    out.segment(static_cast<Index>(e) * rank, rank) = row_in(totals.others[e], *totals.loss, row);
  }
  return out;
}

FitProblem row_problem(const OthersTotals& totals, const Matrix& own, Index row, Index columns) {
  constexpr double kDeviation = 1e-7;
  constexpr double kStep = 1e-6;
  const Index rows = own.rows();
  const Index rank = totals.requests.front().X.cols();
  const auto model = [&totals, row, rank](const Matrix& Z) { return row_of(totals, Z, row, rank); };
  FitProblem problem;
  problem.model = [=](const Vector& w) { return model(Eigen::Map<const Matrix>(w.data(), rows, columns)); };
  problem.jacobian = [=](const Vector& w, const Vector& at) {
    Matrix J(at.size(), w.size());
    for (Index m = 0; m < columns; ++m) {
      const Vector z = w.segment(m * rows, rows);
      const Vector here = model(z);
      for (Index l = 0; l < rows; ++l) {
        Vector moved = z;
        moved(l) += kStep;
        J.col(m * rows + l) = (model(moved) - here) / kStep;
      }
    }
    return J;
  };
  const ColumnPrior prior = prior_of(own);
  problem.observed = seen_of(totals, row);
  problem.deviation = Vector::Constant(problem.observed.size(), kDeviation);
  problem.precision = prior.precision;
  problem.mean = prior.mean.replicate(columns, 1);
  problem.least = Vector::Zero(problem.mean.size());
  return problem;
}

}  // namespace

Vector column_behind_row(const AttackerView& view, Index row) {
  const OthersTotals totals = others_totals(view, kAllExchanges);
  if (!(seen_of(totals, row).maxCoeff() > 0)) return {};
  const Vector guess = (view.alone().Z / view.scale).rowwise().mean();
  const Vector w = column_behind(row_exchanges(totals, row), guess);
  return view.scale * (w(row) > 0 ? Vector(w / std::sqrt(w(row))) : w);
}

Matrix columns_behind_row(const AttackerView& view, Index row, Index columns, int starts, std::uint64_t seed) {
  const OthersTotals totals = others_totals(view, kAllExchanges);
  const Matrix own = view.alone().Z / view.scale;
  const FitProblem problem = row_problem(totals, own, row, columns);
  const Vector sum = column_behind(row_exchanges(totals, row), own.rowwise().mean());
  Stream stream(Seed::from_number(seed), 'r');
  constexpr int kSteps = 10;
  for (int n = 0; n < starts; ++n) {
    Vector start = random_columns(own, columns, stream);
    const double entry = std::sqrt(std::max(sum(row), 0.0) / static_cast<double>(columns));
    for (Index m = 0; m < columns; ++m) {
      auto z = start.segment(m * own.rows(), own.rows());
      if (entry > 0) z = (0.5 * z + 0.5 * sum.cwiseMax(0) / entry / static_cast<double>(columns)).eval();
      z(row) = entry * (0.5 + stream.uniform());
    }
    const FitResult found = fit(problem, start, {1e4, 1e2, 1}, kSteps);
    if (found.cost < kExplained)
      return view.scale * Eigen::Map<const Matrix>(found.parameters.data(), own.rows(), columns);
  }
  return {};
}

Vector column_from_X(const AttackerView& view, Index row) {
  const Matrix& X = view.alone().X;
  const auto own = nmf::dense_holder(view.alone().Z / view.scale);
  own->begin(X.cols(), 1);
  nmf::DescentRequest request;
  request.X = X;
  request.restart = request.thorough = true;
  return X * (own->answer(request).T * X.row(row).transpose());
}

double unexplained_of_row(const AttackerView& view, Index row, const Vector& column) {
  const OthersTotals totals = others_totals(view, kAllExchanges);
  const Vector seen = seen_of(totals, row);
  return (seen - row_of(totals, column / view.scale, row, totals.requests.front().X.cols())).norm() /
         std::max(seen.norm(), 1e-300);
}

double shape_error(const Vector& truth, const Vector& claim) {
  if (claim.size() == 0 || !(claim.squaredNorm() > 0)) return 1;
  return (truth - claim * (claim.dot(truth) / claim.squaredNorm())).norm() / truth.norm();
}

Vector poisson_column_behind_row(const AttackerView& view, Index row, int starts, std::uint64_t seed) {
  constexpr int kSteps = 15;
  constexpr int kExchanges = 12;  // later ones say little more
  const OthersTotals totals = others_totals(view, kExchanges);
  const Matrix own = view.alone().Z / view.scale;
  const Vector seen = seen_of(totals, row);
  const double entry = seen.head(totals.requests.front().X.cols()).sum();  // x_lk z_l y_k / r_l, added up over k
  if (!(entry > 0)) return {};
  const FitProblem problem = row_problem(totals, own, row, 1);
  Stream stream(Seed::from_number(seed), 'r');
  FitResult best;
  best.cost = std::numeric_limits<double>::infinity();
  for (int n = 0; n < starts && !(best.cost < kExplained); ++n) {
    Vector start = n == 0 ? Vector(own.rowwise().mean()) : random_columns(own, 1, stream);
    start(row) = entry;
    const FitResult found = fit(problem, start, {1e4, 1e2, 1}, kSteps);
    if (found.cost < best.cost) best = found;
  }
  return best.parameters.size() > 0 ? Vector(view.scale * best.parameters) : Vector();
}

AuditProblem rare_row_problem(const AuditSetup& setup, const RareRow& row, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed);
  Matrix& Z = problem.Z.all;
  Z = even_counts_of(seed, Z.cols(), setup.rows, setup.rank);
  Z.row(0).setZero();
  // z_0 |z| decides how much of the row is a column's: the first has its share, the others the rest in equal parts.
  const auto rest = static_cast<double>(row.behind - 1);
  const double first = row.share > 0 && rest > 0 ? row.share / (1 - row.share) * rest : 1;
  constexpr double kRare = 3;
  const double length = Z.col(setup.own).norm();
  for (Index m = 0; m < row.behind; ++m) {
    auto z = Z.col(setup.own + m);
    z(0) = kRare * (m == 0 ? first : length / z.norm());
  }
  problem.settings.crowd = row.crowd;
  return problem;
}

Result<Trial> rare_row_trial(const AuditSetup& setup, const RareRow& row, std::uint64_t seed) {
  const AuditProblem problem = rare_row_problem(setup, row, seed);
  PPDNMF_TRY(const Recording run, record(problem));
  const AttackerView view = run.view(kAttacker);
  const Vector truth = problem.Z.all.col(setup.own);
  const Vector guess = Matrix(problem.Z[0]).rowwise().mean();
  const double guessed = shape_error(truth, guess);
  constexpr int kStarts = 3;
  const bool sum = setup.scheme == kSum && !setup.poisson;
  const Vector claim = sum             ? column_behind_row(view, 0)
                       : setup.poisson ? poisson_column_behind_row(view, 0, kStarts, seed)
                                       : column_from_X(view, 0);
  double error = claim.size() > 0 ? shape_error(truth, claim) : guessed;
  constexpr Index kFitted = 3;
  if (sum && claim.size() > 0 && row.behind > 1 && row.behind <= kFitted) {
    const Matrix found = columns_behind_row(view, 0, row.behind, kStarts, seed);
    for (Index m = 0; m < found.cols(); ++m) error = std::min(error, shape_error(truth, found.col(m)));
  }
  return Trial{error, guessed};
}

namespace {

// Others with as many columns as a real run asks for, and more.
AuditSetup many(protocol::SchemeKind scheme) { return {scheme, "ring", 4, 40, 40, 16, 3, true, false}; }

void add_rare_row(Plan& plan, const AuditSetup& s, const RareRow& rare, const char* curve, double columns, int full,
                  int quick) {
  AuditRow row = Plan::row("A14", s, "relative error of the shape of a column behind a row", Measure::kError);
  const protocol::CrowdRule rule;
  if (rare.crowd == protocol::CrowdKind::kBlank) row.scheme += ", crowd blank";
  if (rare.crowd == protocol::CrowdKind::kDrop) row.scheme += ", crowd drop";
  row.accepted = row.accepted &&
                 (rare.crowd != protocol::CrowdKind::kOff || (rare.behind >= rule.fewest && rare.share <= rule.part));
  row.position = fmt::format("one agent in a ring of 4; {} of the others' 120 columns ha{} a row", rare.behind,
                             rare.behind == 1 ? "s" : "ve");
  if (rare.share > 0) row.position += fmt::format(", the column {:g} % of it", 100 * rare.share);
  row.curve = curve;
  row.columns = columns;
  plan.add(row, plan.seeds(full, quick), [s, rare](std::uint64_t seed) { return rare_row_trial(s, rare, seed); });
}

}  // namespace

void plan_rare_rows(Plan& plan) {
  const protocol::CrowdRule rule;
  for (const Index behind : {1, 2, 3, 5, 10, 20}) {
    const bool enforced = behind >= rule.fewest;
    add_rare_row(plan, many(kSum), {behind}, "A14, columns behind a row", static_cast<double>(behind),
                 enforced ? 100 : 10, behind == 1 || behind == 10 ? 3 : 0);
  }
  for (const double share : {0.5, 0.3, 0.2, 0.1}) {
    add_rare_row(plan, many(kSum), {20, share}, "A14, 1 / share of a row", 1 / share, share > rule.part ? 20 : 100, 0);
  }
  add_rare_row(plan, many(kSum), {1, 0, protocol::CrowdKind::kBlank}, "", 0, 20, 2);
  add_rare_row(plan, many(kSum), {1, 0, protocol::CrowdKind::kDrop}, "", 0, 20, 2);
  add_rare_row(plan, many(kHardened), {1}, "", 0, 20, 0);
  for (const RareRow& enforced : {RareRow{rule.fewest}, RareRow{20, rule.part}}) {
    add_rare_row(plan, many(kHardened), enforced, "", 0, 40, 0);
  }
}

void plan_poisson_rare_rows(Plan& plan) {
  const protocol::CrowdRule rule;
  for (const nmf::Curvature curvature : {nmf::Curvature::kFull, nmf::Curvature::kScaled}) {
    AuditSetup s = many(kSum);
    s.poisson = curvature;
    for (const Index behind : {Index{1}, Index{3}, rule.fewest}) {
      add_rare_row(plan, s, {behind}, "", 0, behind < rule.fewest ? 10 : 40,
                   behind == 1 && curvature == nmf::Curvature::kScaled ? 2 : 0);
    }
    add_rare_row(plan, s, {20, rule.part}, "", 0, 40, 0);
    add_rare_row(plan, s, {1, 0, protocol::CrowdKind::kBlank}, "", 0, 10, 0);
  }
}

}  // namespace ppdnmf::audit
