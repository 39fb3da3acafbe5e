#include <ppdnmf/audit/model/samples.h>

#include <algorithm>
#include <cmath>

#include <ppdnmf/base/random.h>

namespace ppdnmf::audit {
namespace {

constexpr std::uint8_t kFactor = 'x';
constexpr std::uint8_t kColumn = 'y';

}  // namespace

Matrix synthetic_columns_of(std::uint64_t seed, Index columns, Index rows, Index rank) {
  constexpr double kMeanX = 0.033;
  constexpr double kMeanY = 0.8;
  const double noise = std::sqrt(3.6e-4);
  const Seed base = Seed::from_number(seed);
  Stream factor(base, kFactor);
  Matrix X(rows, rank);
  for (Index t = 0; t < X.size(); ++t) X.data()[t] = kMeanX * factor.exponential();
  Matrix Z(rows, columns);
  for (Index m = 0; m < columns; ++m) {
    Stream stream(base, kColumn, static_cast<std::uint32_t>(m));
    Eigen::VectorXd y(rank);
    for (Index k = 0; k < rank; ++k) y(k) = kMeanY * stream.exponential();
    Z.col(m) = X * y;
    for (Index l = 0; l < rows; ++l) Z(l, m) = std::max(0.0, Z(l, m) + noise * stream.normal());
  }
  return Z;
}

Matrix count_columns_of(std::uint64_t seed, Index columns, Index rows, Index rank) {
  const Seed base = Seed::from_number(seed);
  Stream factor(base, kFactor, 1);
  Matrix X(rows, rank);
  for (Index t = 0; t < X.size(); ++t) X.data()[t] = std::pow(factor.exponential(), 3);
  Matrix Z(rows, columns);
  for (Index m = 0; m < columns; ++m) {
    Stream stream(base, kColumn, static_cast<std::uint32_t>(m), 1);
    const double size = 3 * std::pow(10, stream.uniform());
    Eigen::VectorXd y(rank);
    for (Index k = 0; k < rank; ++k) y(k) = size * stream.exponential();
    Z.col(m) = X * y;
    for (Index l = 0; l < rows; ++l) {
      Z(l, m) = std::max(0.0, std::round(Z(l, m) + std::sqrt(Z(l, m)) * stream.normal()));
    }
  }
  return Z;
}

Matrix even_counts_of(std::uint64_t seed, Index columns, Index rows, Index rank) {
  const Seed base = Seed::from_number(seed);
  Stream factor(base, kFactor, 2);
  Matrix X(rows, rank);
  for (Index t = 0; t < X.size(); ++t) X.data()[t] = factor.exponential() * factor.exponential();
  Matrix Z(rows, columns);
  for (Index m = 0; m < columns; ++m) {
    Stream stream(base, kColumn, static_cast<std::uint32_t>(m), 2);
    Eigen::VectorXd y(rank);
    for (Index k = 0; k < rank; ++k) y(k) = 5 + 10 * stream.uniform();
    Z.col(m) = X * y;
    for (Index l = 0; l < rows; ++l) {
      Z(l, m) = std::max(0.0, std::round(Z(l, m) + std::sqrt(Z(l, m)) * stream.normal()));
    }
  }
  return Z;
}

}  // namespace ppdnmf::audit
