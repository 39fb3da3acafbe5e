#include <ppdnmf/nmf/measures.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/nnls.h>
#include <ppdnmf/nmf/products.h>
#include <ppdnmf/nmf/start.h>

namespace ppdnmf::nmf {
namespace {

double ratio(double squared_error, double squared_norm) {
  return squared_norm > 0 ? std::sqrt(squared_error / squared_norm) : 0;
}

// The fit with the Y that `Y_of(dense columns, their range)` gives for some columns at a time.
template <typename YOf>
LocalFit fit_with(const Matrix& X, const data::Columns& columns, Executor& executor, const YOf& Y_of) {
  fix_product_blocking();
  const std::vector<data::Range> leaves = data::leaves(columns.rows(), columns.count());
  std::vector<LocalFit> fits(leaves.size());
  data::for_each_leaf(leaves, executor, [&](std::size_t i, const data::Range& leaf) {
    data::PairedSum error;
    data::PairedSum norm;
    std::vector<double> space;
    data::walk(columns, leaf, [&](const data::Block& block, const data::Range& range) {
      Matrix Z(block.rows, block.count);
      for (Index m = 0; m < block.count; ++m)
        std::copy_n(data::dense_column(block, m, space), block.rows, Z.col(m).data());
      const Matrix rest = Z - X * Y_of(Z, range);
      error.add(rest.size(), [&](Index t) { return rest.data()[t] * rest.data()[t]; });
      norm.add(Z.size(), [&](Index t) { return Z.data()[t] * Z.data()[t]; });
    });
    fits[i] = {error.total(), norm.total()};
  });
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
  return loss == LossKind::kPoisson ? sum : 0.5 * sum;
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
      std::vector<double> space;
      for (Index m = 0; m < block.count; ++m) {
        const auto y = Y.col(range.first + m);
        const double* const z = data::dense_column(block, m, space);
        double value = sums.dot(y);
        for (Index l = 0; l < block.rows; ++l) {
          if (z[l] > 0) value += z[l] * std::log(z[l] / X.row(l).dot(y)) - z[l];
        }
        parts[i] += value;
      }
    });
  });
  return data::add_up(std::move(parts), [](double& a, double b) { a += b; });
}

Matrix poisson_coordinates(const Matrix& X, const data::SharedColumns& columns, Executor& executor) {
  Holder holder(columns, executor, loss_of({LossKind::kPoisson, Curvature::kScaled}));
  const auto entries = static_cast<double>(columns->rows() * columns->count());
  holder.begin(X.cols(), data_scale(data::entry_sum(*columns, executor) / std::max(entries, 1.0)));
  DescentRequest request;
  request.X = X;
  request.restart = request.thorough = request.measure_only = true;
  static_cast<void>(holder.answer(request));
  return holder.Y();
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
  return fit_with(X, columns, executor, [&](const Matrix& /*Z*/, const data::Range& range) {
    return Y.middleCols(range.first, range.count);
  });
}

double best_error(const Matrix& X, const data::Columns& columns, const Matrix& guess, Executor& executor) {
  const LocalFit fit = fit_with(X, columns, executor, [&](const Matrix& Z, const data::Range& range) {
    return nonnegative_least_squares(X, Z,
                                     guess.size() == 0 ? Matrix() : Matrix(guess.middleCols(range.first, range.count)));
  });
  return relative_error({&fit, 1});
}

double best_error(const Matrix& X, const Matrix& Z, const Matrix& guess) {
  return best_error(X, *data::view(Z), guess);
}

}  // namespace ppdnmf::nmf
