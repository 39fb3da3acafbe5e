#include <ppdnmf/nmf/measures.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/nmf/far_columns.h>
#include <ppdnmf/nmf/gappy_fit.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/internal/column_descent.h>
#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/nmf/nnls.h>
#include <ppdnmf/nmf/start.h>

namespace ppdnmf::nmf {
namespace {

double ratio(double squared_error, double squared_norm) {
  return squared_norm > 0 ? std::sqrt(squared_error / squared_norm) : 0;
}

// ||z - X y||² of columns, from products with X that follow what is lent.
class ColumnErrors {
 public:
  explicit ColumnErrors(const Matrix& X)
      : X_(X), lanes_(automatic_lanes()), grouped_(X), gram_(internal::gram(lanes_, X, grouped_)) {}

  // visit(||z||², ||z - X y||²) for every column of the block, with its column of Y.
  template <typename Visit>
  void walk(const data::Block& block, const Eigen::Ref<const Matrix>& Y, const Visit& visit) const {
    Matrix XtZ(grouped_.groups() * internal::kLanes, internal::round_up(block.count, internal::kTileColumns));
    internal::multiply_block(lanes_, grouped_, block, XtZ);
    std::vector<double> space;
    for (Index m = 0; m < block.count; ++m) {
      const double square = data::paired_column_sum(block, m, [](double z) { return z * z; });
      visit(square, error_of(block, m, square, XtZ.col(m).data(), Y.col(m).data(), space));
    }
  }

 private:
  // The cheap formula loses its digits where the fit is good. Each column decides for itself.
  double error_of(const data::Block& block, Index m, double square, const double* XtZ, const double* y,
                  std::vector<double>& space) const {
    constexpr double kDigitsLost = 1e-3;
    double quadratic = 0;
    for (Index k = 0; k < X_.cols(); ++k) {
      double product = 0;
      for (Index j = 0; j < X_.cols(); ++j) product += gram_(j, k) * y[j];
      quadratic += y[k] * (product - 2 * XtZ[k]);
    }
    const double cheap = square + quadratic;
    if (cheap > kDigitsLost * square) return cheap;
    return lanes_.residual(block.rows, X_.cols(), X_.data(), y, data::dense_column(block, m, space));
  }

  const Matrix& X_;
  const internal::ColumnLanes& lanes_;
  internal::GroupedColumns grouped_;
  Matrix gram_;
};

// The fit of every leaf with the Y that `Y_of(block, its range)` gives for some columns at a time.
template <typename YOf>
std::vector<LocalFit> fits_with(const Matrix& X, const data::Columns& columns, const std::vector<data::Range>& leaves,
                                Executor& executor, const YOf& Y_of) {
  const ColumnErrors errors(X);
  std::vector<LocalFit> fits(leaves.size());
  data::for_each_leaf(leaves, executor, [&](std::size_t i, const data::Range& leaf) {
    data::walk(columns, leaf, [&](const data::Block& block, const data::Range& range) {
      errors.walk(block, Y_of(block, range), [&](double square, double error) {
        fits[i].squared_norm += square;
        fits[i].squared_error += error;
      });
    });
  });
  return fits;
}

LocalFit add_up_fits(std::vector<LocalFit> fits) {
  return data::add_up(std::move(fits), [](LocalFit& a, const LocalFit& b) {
    a.squared_error += b.squared_error;
    a.squared_norm += b.squared_norm;
  });
}

}  // namespace

double relative_error(std::span<const LocalFit> fits) {
  LocalFit sum;
  for (const LocalFit& fit : fits) {
    sum.squared_error += fit.squared_error;
    sum.squared_norm += fit.squared_norm;
  }
  return ratio(sum.squared_error, sum.squared_norm);
}

double loss_value(LossKind loss, std::span<const LocalFit> fits) {
  double sum = 0;
  for (const LocalFit& fit : fits) sum += loss == LossKind::kPoisson ? fit.divergence : fit.squared_error;
  double penalties = 0;
  for (const LocalFit& fit : fits) penalties += fit.penalty;
  return (loss == LossKind::kPoisson ? sum : 0.5 * sum) + penalties;
}

double scaled_loss(LossKind loss, double value, double scale) {
  return loss == LossKind::kPoisson ? value * scale : value * scale * scale;
}

double divergence_of(const Matrix& X, const data::Columns& columns, const Matrix& Y, Executor& executor) {
  const Eigen::VectorXd sums = X.colwise().sum();
  const std::vector<data::Range> leaves = data::leaves(columns.rows(), columns.count());
  std::vector<double> parts(leaves.size());
  data::for_each_leaf(leaves, executor, [&](std::size_t i, const data::Range& leaf) {
    data::walk(columns, leaf, [&](const data::Block& block, const data::Range& range) {
      const data::Gaps gaps = columns.gaps(range);
      for (Index m = 0; m < block.count; ++m) {
        const auto y = Y.col(range.first + m);
        double value = sums.dot(y);
        for (const int l : gaps.of(m)) value -= X.row(l).dot(y);
        data::for_entries(block, m, [&](Index l, double z) {
          if (z > 0) value += z * std::log(z / X.row(l).dot(y)) - z;
        });
        parts[i] += value;
      }
    });
  });
  return data::add_up(std::move(parts), [](double& a, double b) { a += b; });
}

Matrix best_coordinates(const Matrix& X, const data::SharedColumns& columns, LossOptions loss, Executor& executor) {
  loss.curvature = Curvature::kScaled;  // the smaller one: nobody looks at totals
  loss.known = X.cols();
  Holder holder(columns, executor, loss_of(loss));
  const auto entries = static_cast<double>(columns->rows() * columns->count());
  holder.begin(X.cols(), data_scale(data::entry_sum(*columns, executor) / std::max(entries, 1.0)));
  DescentRequest request;
  request.X = X;
  request.restart = request.thorough = request.measure_only = true;
  static_cast<void>(holder.answer(request));
  return holder.Y();
}

double penalty_of(const Matrix& X, const Matrix& Y, const Penalties& p) {
  return p.l1_x * X.sum() + p.l2_x / 2 * X.squaredNorm() + p.l1_y * Y.sum() + p.l2_y / 2 * Y.squaredNorm();
}

double nmse(std::span<const LocalFit> fits) {
  double sum = 0;
  int counted = 0;
  for (const LocalFit& fit : fits) {
    if (fit.squared_norm <= 0) continue;
    sum += ratio(fit.squared_error, fit.squared_norm);
    ++counted;
  }
  return counted > 0 ? sum / counted : 0;
}

Matrix mean_factor(std::span<const Matrix* const> X) {
  Matrix mean = *X.front();
  for (const Matrix* X_i : X.subspan(1)) mean += *X_i;
  return mean / static_cast<double>(X.size());
}

double disagreement(std::span<const Matrix* const> X, const Matrix& mean) {
  const double norm = mean.norm();
  double largest = 0;
  for (const Matrix* X_i : X) largest = std::max(largest, (*X_i - mean).norm());
  return norm > 0 ? largest / norm : 0;
}

LocalFit fit_of(const Matrix& X, const data::Columns& columns, const Matrix& Y, Executor& executor) {
  if (data::has_gaps(columns)) return gappy_fit(X, columns, Y, executor);
  const std::vector<data::Range> leaves = data::leaves(columns.rows(), columns.count());
  return add_up_fits(fits_with(
      X, columns, leaves, executor,
      [&](const data::Block& /*block*/, const data::Range& range) { return Y.middleCols(range.first, range.count); }));
}

double best_error(const Matrix& X, const data::Columns& columns, const Matrix& guess, Executor& executor) {
  if (data::has_gaps(columns)) {
    const LocalFit fit = gappy_fit(X, columns, gappy_coordinates(X, columns, executor), executor);
    return relative_error({&fit, 1});
  }
  const auto* const far = dynamic_cast<const FarColumns*>(&columns);
  const LocalFit fit = add_up_fits(
      far != nullptr ? far->far_best_fits(X, guess)
                     : best_fits(X, columns, data::leaves(columns.rows(), columns.count()), guess, executor));
  return relative_error({&fit, 1});
}

std::vector<LocalFit> best_fits(const Matrix& X, const data::Columns& columns, const std::vector<data::Range>& leaves,
                                const Matrix& guess, Executor& executor) {
  const LeastSquares squares(X);
  return fits_with(X, columns, leaves, executor, [&](const data::Block& block, const data::Range& range) {
    Matrix Y = guess.size() == 0 ? Matrix::Constant(X.cols(), block.count, 1)
                                 : Matrix(guess.middleCols(range.first, range.count));
    squares.solve(block, Y);
    return Y;
  });
}

double best_error(const Matrix& X, const Matrix& Z, const Matrix& guess) {
  return best_error(X, *data::view(Z), guess);
}

}  // namespace ppdnmf::nmf
