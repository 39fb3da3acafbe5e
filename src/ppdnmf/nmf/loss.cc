#include <ppdnmf/nmf/loss.h>

#include <ppdnmf/base/result.h>
#include <ppdnmf/nmf/internal/divergence_step.h>
#include <ppdnmf/nmf/internal/losses.h>

namespace ppdnmf::nmf {
namespace {

// X becomes what `change` makes of it, but for its known columns.
template <typename Change>
void keep_known(const LossOptions& options, Matrix& X, const Change& change) {
  const Matrix known = X.leftCols(options.known);
  change();
  X.leftCols(options.known) = known;
}

}  // namespace

double Loss::value(const Moments& totals, const Matrix& /*X*/, const Common& /*common*/) const {
  return value_of(totals);
}

bool Loss::plausible(const Moments& totals, Index rows, Index rank) const { return plausible_of(totals, rows, rank); }

std::size_t Loss::words(Index rows, Index rank, bool measure) const { return words_of(rows, rank, measure); }

std::vector<double> Loss::to_numbers(const Moments& totals, bool measure) const { return numbers_of(totals, measure); }

Moments Loss::from_numbers(std::span<const double> numbers, Index rows, Index rank, bool measure) const {
  return moments_of(numbers, rows, rank, measure);
}

Matrix Loss::first_X(Matrix random, std::span<const double> row_totals) const {
  keep_known(options_, random, [&] { first_X_of(random, row_totals); });
  return random;
}

void Loss::next_X(const Moments& totals, const XStep& step, Matrix& X, Executor& executor) const {
  keep_known(options_, X, [&] { next_X_of(totals, step, X, executor); });
}

void Loss::safe_X(const Moments& totals, const XStep& step, Matrix& X) const {
  keep_known(options_, X, [&] { safe_X_of(totals, step, X); });
}

Matrix Loss::further(const Matrix& step, const Matrix& last, const Matrix& from, double b) const {
  Matrix X = (step + b * (step - last)).cwiseMax(0);
  further_of(from, X);
  X.leftCols(options_.known) = from.leftCols(options_.known);
  return X;
}

void Loss::first_X_of(Matrix& /*random*/, std::span<const double> /*row_totals*/) const {}
void Loss::safe_X_of(const Moments& /*totals*/, const XStep& /*step*/, Matrix& /*X*/) const {
  PPDNMF_CHECK(course().repairs);
}
void Loss::further_of(const Matrix& /*from*/, Matrix& /*X*/) const {}

std::shared_ptr<const Loss> loss_of(const LossOptions& options) {
  return options.kind == LossKind::kPoisson ? internal::poisson(options) : internal::squares(options);
}

Curvature automatic_curvature(Index rows, Index rank) {
  constexpr Index kMaxRank = 30;
  constexpr Index kMaxWords = Index{1} << 19;
  return rank <= kMaxRank && rows * internal::triangle(rank) <= kMaxWords ? Curvature::kFull : Curvature::kScaled;
}

int usual_rounds(LossKind kind, Curvature curvature) {
  constexpr int kUsual = 50;
  constexpr int kScaled = 80;
  return kind == LossKind::kPoisson && curvature == Curvature::kScaled ? kScaled : kUsual;
}

}  // namespace ppdnmf::nmf
