#include <ppdnmf/nmf/shrinkage.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace ppdnmf::nmf {
namespace {

// A part of the trace beside which a direction is nothing.
constexpr double kNothing = 1e-9;
// The numbers that are fitted may nearly be as many as the entries.
constexpr double kLeastFree = 0.1;
// What noise explains of a direction may be all of it.
constexpr double kLeastLeft = 0.1;

Matrix firm(Matrix A) {
  A.diagonal().array() += kNothing * A.trace() / static_cast<double>(A.rows());
  return A;
}

}  // namespace

Matrix shrinkage(const Matrix& X, const Matrix& T, double squared_error, const Common& common) {
  const auto rows = static_cast<double>(X.rows());
  const auto rank = static_cast<double>(X.cols());
  double present = 0;  // rows that a column has, on average
  for (const double part : common.present) present += part;
  if (common.present.empty() || common.columns <= 0 || present >= rows) return {};
  const double entries = present * common.columns;
  const double fitted = rank * (rows + common.columns - rank);
  const double noise = squared_error / std::max(entries - fitted, kLeastFree * entries);
  if (!(noise > 0) || !(T.trace() > 0) || !(X.squaredNorm() > 0)) return {};
  // What noise adds to the mean of y yᵀ: its variance times that of the inverse of a column's Gram matrix, `present`
  // rows that happen to be there.
  const Matrix inverse = firm(X.transpose() * X / rows).llt().solve(Matrix::Identity(X.cols(), X.cols()));
  const Matrix added = noise / std::max(present - rank - 1, 1.0) * (inverse + inverse.transpose()) / 2;
  const Matrix C = added.llt().matrixL();
  const auto lower = C.triangularView<Eigen::Lower>();
  const Matrix half = lower.solve(firm(T / common.columns));
  const Matrix ratio = lower.solve(half.transpose());
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen((ratio + ratio.transpose()) / 2);
  if (eigen.info() != Eigen::Success) return {};
  const Eigen::VectorXd& value = eigen.eigenvalues();
  Matrix R = lower.solve(Matrix::Identity(X.cols(), X.cols()));
  R = eigen.eigenvectors().transpose() * R;
  for (Index k = 0; k < R.rows(); ++k) {
    const double left = std::max({value(k) - 1, kLeastLeft * value(k), kNothing});
    R.row(k) *= std::sqrt(noise / left);
  }
  return R.allFinite() ? R : Matrix();
}

}  // namespace ppdnmf::nmf
