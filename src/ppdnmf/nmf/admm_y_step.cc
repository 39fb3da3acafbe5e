#include <ppdnmf/nmf/admm_y_step.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include <ppdnmf/base/result.h>
#include <ppdnmf/nmf/products.h>

namespace ppdnmf::nmf {
namespace {

// So many columns run through all iterations before the next ones are touched: they stay in the cache.
constexpr Index kBlock = 64;

}  // namespace

AdmmYStep::AdmmYStep(Index rank, Index columns)
    : Y_(Matrix::Zero(rank, columns)), V_(Y_), R_(Y_), XtZ_(rank, columns) {
  fix_product_blocking();
}

void AdmmYStep::solve(const Matrix& X, const Matrix& Z, double eta, int iterations) {
  PPDNMF_CHECK(eta > 0 && iterations >= 1 && X.cols() == Y_.rows() && Z.cols() == Y_.cols());
  if (eta_ > 0 && eta_ != eta) R_ *= eta_ / eta;
  eta_ = eta;
  const Index K = X.cols();
  Matrix gram = X.transpose() * X;
  gram.diagonal().array() += eta;
  const Matrix inverse = gram.llt().solve(Matrix::Identity(K, K));
  XtZ_.noalias() = X.transpose() * Z;

  Matrix right(K, std::min(kBlock, Y_.cols()));
  for (Index first = 0; first < Y_.cols(); first += kBlock) {
    const Index count = std::min(kBlock, Y_.cols() - first);
    auto Y = Y_.middleCols(first, count);
    auto V = V_.middleCols(first, count);
    auto R = R_.middleCols(first, count);
    const auto XtZ = XtZ_.middleCols(first, count);
    auto work = right.leftCols(count);
    for (int k = 0; k < iterations; ++k) {
      Y = (V + R).cwiseMax(0);
      work = XtZ + eta * (Y - R);
      V.noalias() = inverse * work;
      R += V - Y;
    }
  }
}

double AdmmYStep::squared_error(const Matrix& X, const Matrix& Z) const {
  const double Z_squared = Z.squaredNorm();
  const double cross = (XtZ_.array() * Y_.array()).sum();
  const double model = ((X.transpose() * X * Y_).array() * Y_.array()).sum();
  const double cheap = Z_squared - 2 * cross + model;
  constexpr double kDigitsLost = 1e-8;
  return cheap > kDigitsLost * Z_squared ? cheap : (Z - X * Y_).squaredNorm();
}

bool AdmmYStep::in_range() const { return all_finite() && R_.allFinite() && std::isfinite(eta_) && eta_ >= 0; }

void AdmmYStep::save(ByteWriter& out) const {
  for (const Matrix* matrix : {&Y_, &V_, &R_}) out.put_array(matrix->data(), matrix->size());
  out.put(eta_);
}

void AdmmYStep::load(ByteReader& in) {
  for (Matrix* matrix : {&Y_, &V_, &R_}) in.get_array(matrix->data(), matrix->size());
  eta_ = in.get<double>();
}

}  // namespace ppdnmf::nmf
