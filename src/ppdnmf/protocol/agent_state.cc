// Saving and loading an Agent. What can be asked for again or computed again is not saved: messages that came in but
// were not acted on, and everything that follows from Y.
#include <algorithm>
#include <cmath>
#include <utility>

#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/protocol/column_minimum.h>

namespace ppdnmf::protocol {
namespace {

constexpr std::uint32_t kFormat = 8;

}  // namespace

Bytes Agent::save_in(Bytes room) const {
  ByteWriter out(std::move(room));
  out.put(kFormat);
  out.put_array(config_.settings_digest.data(), config_.settings_digest.size());
  out.put_array(config_.run.data(), config_.run.size());
  out.put(config_.self.value);
  out.put(static_cast<std::uint8_t>(phase_));
  out.put_array(chain_.data(), chain_.size());
  out.put_array(told_.data(), told_.size());
  out.put_string(because_);
  out.put<std::int64_t>(all_columns_);
  early_.save(out);
  out.put<std::uint8_t>(opening_ ? 1 : 0);
  if (opening_) {
    out.put(opening_->scale);
    out.put(opening_->squared_norm);
    config_.columns->save(out);
  }
  greeting_.save(out);
  sums_.save(out);
  scheme_->save(out);
  return out.take();
}

Status Agent::load(ByteSpan saved) {
  ByteReader in(saved);
  const auto format = in.get<std::uint32_t>();
  Digest digest{};
  RunId run{};
  in.get_array(digest.data(), digest.size());
  in.get_array(run.data(), run.size());
  const auto self = in.get<std::uint32_t>();
  if (format != kFormat || digest != config_.settings_digest || run != config_.run || self != config_.self.value) {
    return error(ErrorCode::kInvalidData, "the saved state belongs to another run or another agent than agent {}",
                 config_.self.value);
  }
  if (auto loaded = load_parts(in); !loaded) {
    return at(fmt::format("the saved state of agent {}", config_.self.value), std::move(loaded).error());
  }
  return {};
}

Status Agent::load_parts(ByteReader& in) {
  phase_ = static_cast<Phase>(in.get<std::uint8_t>());
  in.get_array(chain_.data(), chain_.size());
  in.get_array(told_.data(), told_.size());
  because_ = in.get_string();
  all_columns_ = in.get<std::int64_t>();
  PPDNMF_TRY_STATUS(early_.load(in));
  const bool opened = in.get<std::uint8_t>() != 0;
  if (opened) {
    opening_.emplace();
    opening_->dropped = early_.dropped();
    opening_->scale = in.get<double>();
    opening_->squared_norm = in.get<double>();
    opening_->agents = config_.agents;
    opening_->present = present_parts();
    opening_->columns = all_columns_;
    // Only a power of two divides data without rounding.
    int exponent = 0;
    if (std::frexp(opening_->scale, &exponent) != 0.5) return error(ErrorCode::kInvalidData, "its scale is damaged");
    config_.columns->begin(config_.settings.rank, opening_->scale);
    config_.columns->load(in);
    if (!config_.columns->in_range()) return error(ErrorCode::kInvalidData, "its coordinates are damaged");
  }
  PPDNMF_TRY_STATUS(greeting_.load(in));
  sums_.load(in);
  const bool iterated = phase_ == Phase::kIterating || phase_ == Phase::kFinished;
  PPDNMF_TRY_STATUS(scheme_->load(in, iterated ? opening_ : std::nullopt));
  PPDNMF_TRY_STATUS(in.status());
  if (!is_consistent()) return error(ErrorCode::kInvalidData, "it is damaged");
  if (phase_ == Phase::kNew || phase_ == Phase::kGreeting) return {};
  const Digest chain = chain_;
  PPDNMF_TRY_STATUS(agree_on_masks());
  chain_ = chain;
  return {};
}

// Whether the machine can have come here by itself. Damage that passes changes numbers, never where they are looked up.
bool Agent::is_consistent() const {
  if (phase_ > Phase::kFinished || !sums_.is_consistent()) return false;
  const std::uint32_t early = early_sums(config_.settings);
  const bool counted = phase_ > Phase::kOpening || (phase_ == Phase::kOpening && sums_.number() > 0);
  const std::uint32_t known = counted ? std::min(phase_ == Phase::kOpening ? sums_.number() - 1 : early, early) : 0;
  if (!early_.has_absorbed(known)) return false;
  if ((all_columns_ > 0) != (counted && !config_.settings.privacy) || all_columns_ < 0 || all_columns_ > kMaxColumns)
    return false;
  const bool iterated = phase_ == Phase::kIterating || phase_ == Phase::kFinished;
  if (greeting_.active() != (phase_ == Phase::kGreeting)) return false;
  switch (phase_) {
    case Phase::kNew:
    case Phase::kGreeting:
      return !opening_ && !sums_.waiting() && !exchanging();
    case Phase::kOpening:
      return sums_.waiting() && sums_.number() < kOpeningSums + early &&
             opening_.has_value() == (opening_sum(sums_.number()) == OpeningSum::kNorm) && !exchanging();
    default:
      return iterated && opening_ && opening_->squared_norm > 0 && std::isfinite(opening_->squared_norm) &&
             (sums_.waiting() != exchanging()) == (phase_ == Phase::kIterating) &&
             (phase_ == Phase::kIterating || !sums_.waiting());
  }
}

}  // namespace ppdnmf::protocol
