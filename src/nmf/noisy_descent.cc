#include "nmf/noisy_descent.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "nmf/internal/lane_products.h"
#include "nmf/lanes.h"

namespace ppdnmf {
namespace {

// Chosen by measurement on counts made from the COSMIC signatures (docs/privacy.md).
constexpr double kNewest = 0.12;   // the weight of the newest totals in the averages falls to this, from 1,
constexpr double kFalling = 0.25;  // as 1 / (1 + kFalling n): the first ones are of a random X and soon forgotten
constexpr double kPull = 0.5;      // how far entries of S are pulled to zero, in standard deviations of their noise,
constexpr double kClear = 0.1;     // and less where the noise is below this part of the data
constexpr double kRaise = 0.5;     // eigenvalues of T are at least so many times the norm of its noise
constexpr int kSweeps = 100;
constexpr double kPart = 1e-8;
constexpr double kSmallest = 1e-9;  // where there is no noise: keeps T definite

// Columns to length one; one that has become zero is what it was.
void normalise(Matrix& X, const Matrix& before) {
  for (Index k = 0; k < X.cols(); ++k) {
    const double length = X.col(k).norm();
    if (length > 0) {
      X.col(k) /= length;
    } else {
      X.col(k) = before.col(k);
    }
  }
}

Matrix raise_eigenvalues(const Matrix& T, double least) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(T);
  const Matrix& V = solver.eigenvectors();
  const Matrix raised = V * solver.eigenvalues().cwiseMax(least).asDiagonal() * V.transpose();
  return (raised + raised.transpose()) / 2;
}

// How far to pull S to zero. The noise of a column of S is large or small beside the mean diagonal of T.
double pull(double noise, Index rows, const Matrix& T) {
  const double data = T.trace() / static_cast<double>(T.cols());
  const double part = noise * std::sqrt(static_cast<double>(rows));
  return kPull * noise * (part < kClear * data ? part / (kClear * data) : 1);
}

}  // namespace

NoisyDescent::NoisyDescent(const NoisyDescentOptions& options, const Matrix& X0)
    : options_(options), X_(X0), sum_(Matrix::Zero(X0.rows(), X0.cols())) {
  PPDNMF_CHECK(options.exchanges >= 1 && options.noise_S >= 0 && options.noise_T >= 0);
  normalise(X_, X0);
}

Status NoisyDescent::absorb(const Matrix& S, const Matrix& T) {
  PPDNMF_CHECK(!done_ && S.rows() == X_.rows() && S.cols() == X_.cols() && T.rows() == X_.cols() &&
               T.cols() == T.rows());
  if (!S.allFinite() || !T.allFinite())
    return error(ErrorCode::kNumeric, "the sums over all columns hold a number that is not finite");
  ++exchanges_;
  const double newest = std::max(kNewest, 1 / (1 + kFalling * (exchanges_ - 1)));
  if (exchanges_ == 1) {
    S_ = S;
    T_ = T;
  } else {
    S_ = (1 - newest) * S_ + newest * S;
    T_ = (1 - newest) * T_ + newest * T;
    spread_ = (1 - newest) * (1 - newest) * spread_ + newest * newest;
  }
  const double deviation = std::sqrt(spread_);
  const double norm_of_noise = options_.noise_T * deviation * std::sqrt(static_cast<double>(X_.cols()));
  const double least = std::max(kRaise * norm_of_noise, kSmallest * T_.cwiseAbs().maxCoeff());
  const Matrix pulled = S_.array() - pull(options_.noise_S * deviation, X_.rows(), T_);
  const Matrix before = X_;
  if (least > 0) internal::descend_rows(automatic_lanes(), raise_eigenvalues(T_, least), pulled, kSweeps, kPart, X_);
  normalise(X_, before);
  if (exchanges_ > options_.exchanges - std::max(1, options_.exchanges / 3)) sum_ += X_;
  if (exchanges_ >= options_.exchanges) finish();
  return {};
}

void NoisyDescent::finish() {
  if (done_) return;
  done_ = true;
  if (sum_.maxCoeff() <= 0) return;  // the last third was never reached
  const Matrix last = X_;
  X_ = sum_;
  normalise(X_, last);
}

void NoisyDescent::save(ByteWriter& out) const {
  out.put(exchanges_);
  out.put<std::uint8_t>(done_ ? 1 : 0);
  out.put(spread_);
  for (const Matrix* matrix : {&X_, &sum_}) out.put_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
  if (exchanges_ == 0) return;
  for (const Matrix* matrix : {&S_, &T_}) out.put_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
}

void NoisyDescent::load(ByteReader& in) {
  exchanges_ = in.get<std::int32_t>();
  done_ = in.get<std::uint8_t>() != 0;
  spread_ = in.get<double>();
  for (Matrix* matrix : {&X_, &sum_}) in.get_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
  if (exchanges_ == 0) return;
  S_.resize(X_.rows(), X_.cols());
  T_.resize(X_.cols(), X_.cols());
  for (Matrix* matrix : {&S_, &T_}) in.get_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
}

bool NoisyDescent::in_range() const {
  if (exchanges_ < 0 || exchanges_ > options_.exchanges || !(spread_ > 0 && spread_ <= 1)) return false;
  if (exchanges_ > 0 && !(S_.allFinite() && T_.allFinite())) return false;
  return X_.allFinite() && X_.minCoeff() >= 0 && sum_.allFinite() && sum_.minCoeff() >= 0 &&
         (done_ || exchanges_ < options_.exchanges);
}

}  // namespace ppdnmf
