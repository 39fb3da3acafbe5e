#include <ppdnmf/nmf/noisy_descent.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include <ppdnmf/nmf/internal/lane_products.h>
#include <ppdnmf/nmf/internal/unit_factor.h>
#include <ppdnmf/nmf/lanes.h>

namespace ppdnmf::nmf {

using internal::normalise_columns;

namespace {

// Chosen by measurement on counts made from the COSMIC signatures (docs/privacy.md).
constexpr double kNewest = 0.08;   // the weight of the newest totals in the averages falls to this, from 1,
constexpr double kFalling = 0.25;  // as 1 / (1 + kFalling n): the first ones are of a random X and soon forgotten
constexpr double kPull = 0.5;      // how far entries of S are pulled to zero, in standard deviations of their noise,
constexpr double kClear = 0.1;     // and less where the noise is below this part of the data
constexpr double kRaise = 0.5;     // eigenvalues of T are at least so many times the norm of its noise
constexpr double kAhead = 2;       // how far ahead to ask at first, in steps,
constexpr double kDoubt = 10;      // and less where the noise is more than one part in so many of the data
constexpr int kNoisySweeps = 100;
constexpr double kNoisyPart = 1e-8;
constexpr double kSmallest = 1e-9;  // where there is no noise: keeps T definite

Matrix raise_eigenvalues(const Matrix& T, double least) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(T);
  const Matrix& V = solver.eigenvectors();
  const Matrix raised = V * solver.eigenvalues().cwiseMax(least).asDiagonal() * V.transpose();
  return (raised + raised.transpose()) / 2;
}

// How large the noise of a column of S is beside the mean diagonal of T.
double noise_beside_data(double noise, Index rows, const Matrix& T) {
  const double data = T.trace() / static_cast<double>(T.cols());
  const double part = noise * std::sqrt(static_cast<double>(rows));
  return part == 0 ? 0 : data > 0 ? part / data : std::numeric_limits<double>::infinity();
}

}  // namespace

NoisyDescent::NoisyDescent(const NoisyDescentOptions& options, const Matrix& X0)
    : options_(options), X_(X0), sum_(Matrix::Zero(X0.rows(), X0.cols())) {
  PPDNMF_CHECK(options.rounds >= 1 && options.noise_S >= 0 && options.noise_T >= 0);
  normalise_columns(X_, X0);
  best_ = X_;
}

// How many steps ahead to ask.
double NoisyDescent::look_ahead() const {
  if (rounds_ < 2 || options_.in_span) return 0;  // the first step is that from a random X
  const double left = 1 - static_cast<double>(rounds_) / options_.rounds;
  const double doubt = kDoubt * noise_beside_data(options_.noise_S * std::sqrt(spread_), X_.rows(), T_);
  return kAhead * left * left / (1 + doubt * doubt);
}

Status NoisyDescent::absorb(const Matrix& S, const Matrix& T) {
  PPDNMF_CHECK(!done_ && S.rows() == X_.rows() && S.cols() == X_.cols() && T.rows() == X_.cols() &&
               T.cols() == T.rows());
  if (!S.allFinite() || !T.allFinite())
    return error(ErrorCode::kNumeric, "the sums over all columns hold a number that is not finite");
  ++rounds_;
  const double newest = std::max(kNewest, 1 / (1 + kFalling * (rounds_ - 1)));
  if (rounds_ == 1) {
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
  const double noise_S = options_.noise_S * deviation;
  const double pull =
      options_.in_span ? 0 : kPull * noise_S * std::min(1.0, noise_beside_data(noise_S, X_.rows(), T_) / kClear);
  const Matrix before = best_;
  if (least > 0) {
    internal::descend_rows(automatic_lanes(), raise_eigenvalues(T_, least), S_.array() - pull, kNoisySweeps, kNoisyPart,
                           best_);
  }
  normalise_columns(best_, before);
  X_ = (best_ + look_ahead() * (best_ - before)).cwiseMax(0);
  normalise_columns(X_, best_);
  if (rounds_ > options_.rounds - std::max(1, options_.rounds / 3)) sum_ += best_;
  if (rounds_ >= options_.rounds) finish();
  return {};
}

void NoisyDescent::finish() {
  if (done_) return;
  done_ = true;
  X_ = best_;
  if (sum_.maxCoeff() <= 0) return;  // the last third was never reached
  X_ = sum_;
  normalise_columns(X_, best_);
}

void NoisyDescent::save(ByteWriter& out) const {
  out.put(rounds_);
  out.put<std::uint8_t>(done_ ? 1 : 0);
  out.put(spread_);
  for (const Matrix* matrix : {&X_, &best_, &sum_})
    out.put_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
  if (rounds_ == 0) return;
  for (const Matrix* matrix : {&S_, &T_}) out.put_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
}

void NoisyDescent::load(ByteReader& in) {
  rounds_ = in.get<std::int32_t>();
  done_ = in.get<std::uint8_t>() != 0;
  spread_ = in.get<double>();
  for (Matrix* matrix : {&X_, &best_, &sum_}) in.get_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
  if (rounds_ == 0) return;
  S_.resize(X_.rows(), X_.cols());
  T_.resize(X_.cols(), X_.cols());
  for (Matrix* matrix : {&S_, &T_}) in.get_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
}

bool NoisyDescent::in_range() const {
  if (rounds_ < 0 || rounds_ > options_.rounds || !(spread_ > 0 && spread_ <= 1)) return false;
  if (rounds_ > 0 && !(S_.allFinite() && T_.allFinite())) return false;
  const auto is_factor = [](const Matrix& X) { return X.allFinite() && X.minCoeff() >= 0; };
  return is_factor(X_) && is_factor(best_) && is_factor(sum_) && (done_ || rounds_ < options_.rounds);
}

}  // namespace ppdnmf::nmf
