#include "nmf/factorize.h"

#include <algorithm>
#include <utility>

#include "nmf/penalties.h"

namespace ppdnmf {
namespace {

constexpr int kStoppingWindow = 10;

}  // namespace

Status check_factorizable(const Matrix& Z, Index rank) {
  if (Z.size() == 0)
    return error(ErrorCode::kInvalidData, "there is nothing to factorise: {} x {}", Z.rows(), Z.cols());
  if (!Z.allFinite()) return error(ErrorCode::kInvalidData, "the data hold a value that is not a finite number");
  if (Z.minCoeff() < 0) return error(ErrorCode::kInvalidData, "the data hold a negative value");
  const double largest = Z.maxCoeff();
  if (largest <= 0) return error(ErrorCode::kInvalidData, "all entries are zero: there is nothing to factorise");
  if (largest < kSmallestMaximum || largest > kLargestMaximum) {
    return error(ErrorCode::kInvalidData, "the largest entry is {:g}: choose a unit in which it is from {:g} to {:g}",
                 largest, kSmallestMaximum, kLargestMaximum);
  }
  if (rank < 1) return error(ErrorCode::kUsage, "the rank must be at least 1, not {}", rank);
  if (rank > std::min(Z.rows(), Z.cols())) {
    return error(ErrorCode::kUsage, "rank {} is larger than the data allow: {} rows and {} columns give at most {}",
                 rank, Z.rows(), Z.cols(), std::min(Z.rows(), Z.cols()));
  }
  return {};
}

Result<Factorization> Factorization::create(Matrix Z, const FactorizeOptions& options, const Seed& seed) {
  PPDNMF_TRY_STATUS(check_factorizable(Z, options.rank));
  const double scale = data_scale(Z.mean());
  const Matrix X0 = common_start(options.start, Z.rows(), options.rank, seed);
  Z /= scale;
  return Factorization(std::move(Z), scale, options, X0);
}

Factorization::Factorization(Matrix Z, double scale, const FactorizeOptions& options, const Matrix& X0)
    : Z_(std::move(Z)),
      scale_(scale),
      options_(options),
      left_(X0, Updates::kCorrected, 0),
      right_(options.rank, Z_.cols()) {
  fit_.squared_norm = Z_.squaredNorm();
  if (options_.y_first) right_.solve(X0, Z_, options_.eta.value_or(automatic_eta(X0)), options_.admm_y);
}

Status Factorization::step() {
  left_.begin(Z_, right_.Y(), options_.mu ? *options_.mu / (scale_ * scale_) : automatic_mu(left_curvature(right_.Y())));
  for (int m = 0; m < options_.admm_x; ++m) left_.update(0);
  right_.solve(left_.X(), Z_, options_.eta.value_or(automatic_eta(left_.X())), options_.admm_y);
  ++n_;
  if (!left_.all_finite() || !right_.all_finite()) {
    return error(ErrorCode::kNumeric, "a number stopped being finite in iteration {}: try another --seed or --mu", n_);
  }
  fit_.squared_error = right_.squared_error(left_.X(), Z_);
  if (n_ % kStoppingWindow == 0) {
    const double now = relative_error();
    const bool slow = earlier_error_ - now < options_.tolerance * earlier_error_;
    if (options_.tolerance > 0 && n_ > kStoppingWindow && slow) stopped_because_ = "tolerance";
    earlier_error_ = now;
  }
  if (n_ >= options_.bcd) stopped_because_ = "iterations";
  return {};
}

double Factorization::relative_error() const { return ppdnmf::relative_error({&fit_, 1}); }

Bytes Factorization::save() const {
  ByteWriter out;
  out.put<std::int32_t>(n_);
  out.put(earlier_error_);
  out.put(fit_.squared_error);
  left_.save(out);
  right_.save(out);
  return out.take();
}

Status Factorization::load(ByteSpan saved) {
  ByteReader in(saved);
  n_ = in.get<std::int32_t>();
  earlier_error_ = in.get<double>();
  fit_.squared_error = in.get<double>();
  left_.load(in);
  right_.load(in);
  PPDNMF_TRY_STATUS(in.status());
  if (n_ < 0 || !left_.in_range() || !right_.in_range())
    return error(ErrorCode::kInvalidData, "the saved state is damaged");
  return {};
}

}  // namespace ppdnmf
