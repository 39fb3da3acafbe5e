#include <ppdnmf/nmf/measures.h>

#include <algorithm>
#include <cmath>

#include <ppdnmf/nmf/nnls.h>

namespace ppdnmf::nmf {
namespace {

double ratio(double squared_error, double squared_norm) {
  return squared_norm > 0 ? std::sqrt(squared_error / squared_norm) : 0;
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

double best_error(const Matrix& X, const Matrix& Z, const Matrix& guess) {
  return ratio((Z - X * nonnegative_least_squares(X, Z, guess)).squaredNorm(), Z.squaredNorm());
}

}  // namespace ppdnmf::nmf
