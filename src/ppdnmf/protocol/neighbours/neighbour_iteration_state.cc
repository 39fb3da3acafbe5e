// Saving and loading a NeighbourIteration. What follows from Y is computed again.
#include <algorithm>
#include <cmath>
#include <utility>

#include <ppdnmf/protocol/neighbours/neighbour_iteration.h>

namespace ppdnmf::protocol::neighbours {

void NeighbourIteration::save(ByteWriter& out) const {
  out.put(static_cast<std::uint8_t>(phase_));
  out.put(round_.iteration);
  out.put(round_.admm);
  out.put(rounds_);
  out.put(stop_admm_);
  out.put<std::uint8_t>(stop_ ? 1 : 0);
  out.put_string(stop_reason_);
  out.put<std::uint64_t>(revealed_.size());
  out.put_array(revealed_.data(), revealed_.size());
  out.put(curvature_);
  out.put(learned_weights_);
  out.put(learned_coupling_);
  out.put(pull_norm_);
  out.put_array(X_before_.data(), static_cast<std::size_t>(X_before_.size()));
  x_step_.save(out);
  weights_.save(out);
  if (phase_ == Phase::kClosed) out.put_array(common_.data(), static_cast<std::size_t>(common_.size()));
  if (y_step_) y_step_->save(out);
}

Status NeighbourIteration::load(ByteReader& in, const std::optional<Opening>& opening) {
  phase_ = static_cast<Phase>(in.get<std::uint8_t>());
  round_.iteration = in.get<std::uint32_t>();
  round_.admm = in.get<std::uint32_t>();
  rounds_ = in.get<std::uint64_t>();
  stop_admm_ = in.get<std::uint32_t>();
  stop_ = in.get<std::uint8_t>() != 0;
  stop_reason_ = in.get_string();
  std::vector<std::int64_t> revealed(std::min<std::uint64_t>(in.get<std::uint64_t>(), neighbours_));
  in.get_array(revealed.data(), revealed.size());
  curvature_ = in.get<double>();
  learned_weights_ = in.get<double>();
  learned_coupling_ = in.get<double>();
  pull_norm_ = in.get<double>();
  in.get_array(X_before_.data(), static_cast<std::size_t>(X_before_.size()));
  x_step_.load(in);
  weights_.load(in);
  if (phase_ == Phase::kClosed) {
    common_.resize(x_step_.X().rows(), x_step_.X().cols());
    in.get_array(common_.data(), static_cast<std::size_t>(common_.size()));
  }
  const bool begun = phase_ != Phase::kNew;
  if (begun) revealed_ = std::move(revealed);  // else the greetings have told
  if (begun != opening.has_value()) return error(ErrorCode::kInvalidData, "its iteration does not fit its opening");
  if (begun) {
    take(*opening);
    y_step_->load(in);
    if (!y_step_->in_range()) return error(ErrorCode::kInvalidData, "its coordinates are damaged");
    moments_ = y_step_->moments();
  }
  if (!is_consistent()) return error(ErrorCode::kInvalidData, "its iteration is damaged");
  if (phase_ == Phase::kExchanging) x_step_.begin(moments_, mu());
  return {};
}

// Whether the iteration can have come here by itself. Damage that passes changes numbers, never where they are looked
// up.
bool NeighbourIteration::is_consistent() const {
  const bool begun = phase_ != Phase::kNew;
  if (phase_ > Phase::kEnded || !x_step_.in_range() || !weights_.in_range(rounds_ > 0) || !X_before_.allFinite())
    return false;
  if (phase_ == Phase::kClosed && !common_.allFinite()) return false;
  for (const double number : {curvature_, learned_weights_, learned_coupling_, pull_norm_}) {
    if (!(number >= 0 && std::isfinite(number))) return false;
  }
  if (!begun) return round_ == Round{} && rounds_ == 0;
  const bool revealed = !printed_scheme() || (revealed_.size() == neighbours_ &&
                                              std::all_of(revealed_.begin(), revealed_.end(), [&](std::int64_t w) {
                                                return w >= 1 && w >> settings_.weight_bits == 0;
                                              }));
  if (phase_ == Phase::kWeighing) return revealed && round_ == Round{} && rounds_ == 0;
  // mu follows from Y
  if (phase_ == Phase::kExchanging && x_step_.mu() != mu()) return false;
  return revealed && rounds_ >= 1 && round_.iteration >= 1 &&
         round_.iteration <= static_cast<std::uint32_t>(settings_.iterations) && round_.admm >= 1 &&
         round_.admm <= static_cast<std::uint32_t>(settings_.admm_x);
}

}  // namespace ppdnmf::protocol::neighbours
