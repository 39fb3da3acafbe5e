#include <ppdnmf/nmf/admm_x_step.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include <ppdnmf/nmf/products.h>

namespace ppdnmf::nmf {

AdmmXStep::AdmmXStep(const Matrix& X0, Updates updates, double q_unit)
    : updates_(updates),
      X_(X0),
      U_(X0),
      P_(Matrix::Zero(X0.rows(), X0.cols())),
      Q_(X0.size()),
      Q_before_(X0.size()),
      damping_(X0.cols()),
      U_last_(X0),
      fixed_(X0.rows(), X0.cols()),
      work_(X0.rows(), X0.cols()),
      rotated_(X0.rows(), X0.cols()) {
  fix_product_blocking();
  set_q_unit(q_unit);
}

void AdmmXStep::set_q_unit(double q_unit) { q_unit_ = updates_ == Updates::kCorrected ? q_unit / 2 : q_unit; }

void AdmmXStep::clear_rows(const std::vector<Index>& rows) {
  for (const Index row : rows) {
    X_.row(row).setZero();
    U_.row(row).setZero();
  }
}

void AdmmXStep::begin(const Moments& moments, double mu) {
  PPDNMF_CHECK(mu > 0 && moments.S.rows() == X_.rows() && moments.S.cols() == X_.cols() &&
               moments.T.rows() == X_.cols() && moments.T.cols() == X_.cols());
  if (mu_ > 0 && mu_ != mu) P_ *= mu_ / mu;
  mu_ = mu;
  ZYt_ = moments.S;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(moments.T);
  eigenvectors_ = eigen.eigenvectors();
  eigenvalues_ = eigen.eigenvalues().cwiseMax(0);  // Y Y^T has no negative ones; round-off may
}

void AdmmXStep::update(double c, int rounds) {
  PPDNMF_CHECK(mu_ > 0 && c >= 0 && rounds >= 1);
  U_last_ = U_;
  fixed_ = ZYt_ + c * U_last_;
  const double q = updates_ == Updates::kCorrected ? q_unit_ : q_unit_ * c;
  double* fixed = fixed_.data();
  for (std::size_t t = 0; t < Q_.size(); ++t) fixed[t] += q * static_cast<double>(2 * Q_[t] - Q_before_[t]);
  damping_ = (eigenvalues_.array() + (mu_ + c)).inverse();

  for (int round = 0; round < rounds; ++round) {
    X_ = (U_ + P_).cwiseMax(0);
    work_ = fixed_ + mu_ * (X_ - P_);
    rotated_.noalias() = work_ * eigenvectors_;
    work_ = rotated_ * damping_.asDiagonal();
    U_.noalias() = work_ * eigenvectors_.transpose();
    P_ += U_ - X_;
  }
  const double norm = U_.norm();
  dual_residual_ = norm > 0 ? (U_ - U_last_).norm() / norm : 0;
}

void AdmmXStep::absorb(std::span<const Int128> pull) {
  PPDNMF_CHECK(pull.size() == Q_.size());
  Q_before_ = Q_;
  for (std::size_t t = 0; t < pull.size(); ++t) Q_[t] += pull[t];
}

Matrix AdmmXStep::Q() const {
  Matrix Q(X_.rows(), X_.cols());
  for (std::size_t t = 0; t < Q_.size(); ++t) Q.data()[t] = q_unit_ * static_cast<double>(Q_[t]);
  return Q;
}

double AdmmXStep::primal_residual() const {
  const double norm = U_.norm();
  return norm > 0 ? (X_ - U_).norm() / norm : 0;
}

bool AdmmXStep::in_range() const {
  constexpr Int128 kMax = Int128{1} << 100;
  const auto small = [](Int128 entry) { return entry < kMax && entry > -kMax; };
  return all_finite() && X_.allFinite() && std::isfinite(mu_) && mu_ >= 0 && std::all_of(Q_.begin(), Q_.end(), small) &&
         std::all_of(Q_before_.begin(), Q_before_.end(), small);
}

void AdmmXStep::save(ByteWriter& out) const {
  for (const Matrix* matrix : {&X_, &U_, &P_}) out.put_array(matrix->data(), matrix->size());
  out.put_array(Q_.data(), Q_.size());
  out.put_array(Q_before_.data(), Q_before_.size());
  out.put(mu_);
  out.put(dual_residual_);
}

void AdmmXStep::load(ByteReader& in) {
  for (Matrix* matrix : {&X_, &U_, &P_}) in.get_array(matrix->data(), matrix->size());
  in.get_array(Q_.data(), Q_.size());
  in.get_array(Q_before_.data(), Q_before_.size());
  mu_ = in.get<double>();
  dual_residual_ = in.get<double>();
}

}  // namespace ppdnmf::nmf
