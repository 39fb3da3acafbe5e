#include <ppdnmf/protocol/neighbours/weights.h>

#include <algorithm>
#include <cmath>

#include <ppdnmf/protocol/purposes.h>

namespace ppdnmf::protocol::neighbours {

Weights::Weights(const RunSettings& settings, std::size_t neighbours)
    : one_(settings.scheme != SchemeKind::kAsPrinted),
      common_(settings.common_weights()),
      fixed_(settings.weight || settings.scaled_weight),
      g_scale_(settings.g_scale),
      largest_((std::int64_t{1} << settings.weight_bits) - 1),
      rounds_planned_(static_cast<std::uint64_t>(settings.iterations) * static_cast<std::uint64_t>(settings.admm_x)),
      now_(one_ ? 1 : neighbours),
      next_(one_ ? 0 : neighbours) {
  if (fixed_) {
    const double real = settings.scaled_weight.value_or(settings.weight.value_or(0) / settings.data_scale.value_or(1));
    bound_ = std::clamp<std::int64_t>(std::llround(real * g_scale_), 1, largest_);
  }
}

void Weights::raise_bound(double g) {
  if (fixed_) return;
  const double wanted = std::min(g * g_scale_, static_cast<double>(largest_));
  bound_ = std::max<std::int64_t>(bound_, std::llround(wanted));
}

void Weights::follow(double g) {
  if (fixed_) return;
  const double wanted = std::min(g * g_scale_, static_cast<double>(largest_));
  bound_ = std::max<std::int64_t>(1, std::llround(wanted));
}

void Weights::announce_first(const Seed& secret) {
  for (std::size_t j = 0; j < next_.size(); ++j) next_[j] = draw_printed(0, j, 1, secret);
}

void Weights::advance(std::uint64_t number, const Seed& secret) {
  if (one_) {
    now_[0] = the_one(number, secret);
    return;
  }
  now_ = next_;
  for (std::size_t j = 0; j < next_.size(); ++j) next_[j] = draw_printed(now_[j], j, number + 1, secret);
}

std::int64_t Weights::draw_printed(std::int64_t last, std::size_t neighbour, std::uint64_t number,
                                   const Seed& secret) const {
  if (last >= bound_) return last;
  Stream stream(secret, kWeightStream, static_cast<std::uint32_t>(neighbour), number);
  return last + 1 + static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(bound_ - last)));
}

std::int64_t Weights::draw_sorted(std::int64_t last, std::uint64_t number, const Seed& secret) const {
  const std::int64_t from = std::max(last, (bound_ + 1) / 2);
  const double left = number < rounds_planned_ ? static_cast<double>(rounds_planned_ - number + 1) : 1;
  // The smallest of `left` uniform draws from [from, bound].
  const double smallest = 1 - std::pow(1 - Stream(secret, kWeightStream, 0, number).uniform(), 1 / left);
  return from + std::llround(smallest * static_cast<double>(bound_ - from));
}

std::int64_t Weights::risen(std::uint64_t number) const {
  const std::int64_t from = (bound_ + 1) / 2;
  const auto steps = static_cast<std::int64_t>(std::min(number, rounds_planned_));
  return from + (bound_ - from) * steps / static_cast<std::int64_t>(rounds_planned_);
}

std::int64_t Weights::the_one(std::uint64_t number, const Seed& secret) const {
  if (!fixed_) return bound_;
  return common_ ? risen(number) : draw_sorted(now_[0], number, secret);
}

bool Weights::in_range(bool advanced) const {
  const std::int64_t least = advanced ? 1 : 0;
  const auto fits = [&](std::int64_t weight) { return weight >= least && weight <= largest_; };
  return bound_ >= 1 && bound_ <= largest_ && std::all_of(now_.begin(), now_.end(), fits) &&
         std::all_of(next_.begin(), next_.end(), fits);
}

void Weights::save(ByteWriter& out) const {
  out.put(bound_);
  out.put_array(now_.data(), now_.size());
  out.put_array(next_.data(), next_.size());
}

void Weights::load(ByteReader& in) {
  bound_ = in.get<std::int64_t>();
  in.get_array(now_.data(), now_.size());
  in.get_array(next_.data(), next_.size());
}

Status check_revealed_weight(AgentId from, std::int64_t weight, int weight_bits) {
  if (weight >= 1 && weight >> weight_bits == 0) return {};
  return error(ErrorCode::kPeer, "agent {} announced a weight out of bounds", from.value);
}

}  // namespace ppdnmf::protocol::neighbours
