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

double Loss::value(const Moments& totals, const DescentRequest& asked, const Common& common) const {
  if (!options_.penalties.any()) return value_of(totals);
  return value_of(totals) + (kind() == LossKind::kSquares ? 2 : 1) * penalty(totals, asked, common);
}

bool Loss::plausible(const Moments& totals, Index rows, Index rank, Executor& executor) const {
  const Index sums = options_.penalties.any() ? 2 : 0;
  PPDNMF_CHECK(totals.Y_sums.cols() == sums && totals.Y_sums.rows() == (sums > 0 ? rank : 0));
  return plausible_of(totals, rows, rank, executor) &&
         (sums == 0 || (totals.Y_sums.allFinite() && totals.Y_sums.minCoeff() >= 0));
}

std::size_t Loss::further_words(Index rank) const {
  return options_.penalties.any() ? static_cast<std::size_t>(2 * rank) : 0;
}

std::size_t Loss::words(Index rows, Index rank, bool measure) const {
  return words_of(rows, rank, measure) + further_words(rank);
}

std::vector<double> Loss::to_numbers(const Moments& totals, bool measure) const {
  std::vector<double> numbers = numbers_of(totals, measure);
  numbers.insert(numbers.end(), totals.Y_sums.data(), totals.Y_sums.data() + totals.Y_sums.size());
  return numbers;
}

Moments Loss::from_numbers(std::span<const double> numbers, Index rows, Index rank, bool measure) const {
  const std::size_t further = further_words(rank);
  Moments totals = moments_of(numbers.first(numbers.size() - further), rows, rank, measure);
  if (further > 0) totals.Y_sums = Eigen::Map<const Matrix>(numbers.last(further).data(), rank, 2);
  return totals;
}

Matrix Loss::first_X(Matrix random, std::span<const double> row_totals) const {
  keep_known(options_, random, [&] { first_X_of(random, row_totals); });
  return random;
}

void Loss::next_X(const Moments& totals, const XStep& step, Matrix& X, Executor& executor) const {
  XStep weighed = step;
  weighed.weights = x_weights(totals, step, X);
  const std::vector<Index> ended = gone(totals, X);
  keep_known(options_, X, [&] { next_X_of(totals, weighed, X, executor); });
  for (const Index k : ended) X.col(k).setZero();
}

void Loss::safe_X(const Moments& totals, const XStep& step, Matrix& X) const {
  XStep weighed = step;
  weighed.weights = x_weights(totals, step, X);
  const std::vector<Index> ended = gone(totals, X);
  keep_known(options_, X, [&] { safe_X_of(totals, weighed, X); });
  for (const Index k : ended) X.col(k).setZero();
}

void Loss::further(const Matrix& step, const Matrix& last, const Matrix& from, double b, Matrix& X,
                   Executor& executor) const {
  std::vector<char> zero(static_cast<std::size_t>(X.cols()));
  executor.for_each(zero.size(), [&](std::size_t i) {
    const auto k = static_cast<Index>(i);
    X.col(k) = (step.col(k) + b * (step.col(k) - last.col(k))).cwiseMax(0);
    zero[i] = step.col(k).maxCoeff() > 0 ? 0 : 1;
  });
  further_of(from, X);
  for (Index k = 0; k < X.cols(); ++k) {
    if (zero[static_cast<std::size_t>(k)] != 0) X.col(k).setZero();
  }
  X.leftCols(options_.known) = from.leftCols(options_.known);
}

void Loss::first_X_of(Matrix& /*random*/, std::span<const double> /*row_totals*/) const {}
void Loss::safe_X_of(const Moments& /*totals*/, const XStep& /*step*/, Matrix& /*X*/) const {
  PPDNMF_CHECK(course().repairs);
}
void Loss::further_of(const Matrix& /*from*/, Matrix& /*X*/) const {}

std::shared_ptr<const Loss> loss_of(const LossOptions& options) {
  return options.kind == LossKind::kPoisson ? internal::poisson(options) : internal::squares(options);
}

Status check_known(const KnownColumns& known, Index rows, Index rank) {
  const Matrix& values = known.values;
  PPDNMF_CHECK(static_cast<Index>(known.names.size()) == values.cols());
  if (values.cols() == 0) return error(ErrorCode::kUsage, "the known components have no columns");
  if (values.rows() != rows)
    return error(ErrorCode::kUsage, "the known components have {} rows, and the data {}", values.rows(), rows);
  if (values.cols() > rank) {
    return error(ErrorCode::kUsage, "there are {} known components, more than `rank={}`: raise it, or leave some out",
                 values.cols(), rank);
  }
  if (!values.allFinite() || values.minCoeff() < 0)
    return error(ErrorCode::kUsage, "the known components hold a value that is negative or not a finite number");
  for (Index k = 0; k < values.cols(); ++k) {
    if (values.col(k).maxCoeff() <= 0) {
      return error(ErrorCode::kUsage, "the known component {} is all zero", known.names[static_cast<std::size_t>(k)]);
    }
  }
  return {};
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
