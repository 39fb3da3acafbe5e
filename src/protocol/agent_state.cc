// Saving and loading an Agent. What can be asked for again or computed again is not saved: messages that came in but
// were not acted on, and everything that follows from Y.
#include <algorithm>
#include <cmath>
#include <utility>

#include "protocol/agent.h"
#include "protocol/fixed_point.h"

namespace ppdnmf {
namespace {

constexpr std::uint32_t kFormat = 1;
constexpr std::size_t kMostStages = 16;

void put(ByteWriter& out, const Round& round) {
  out.put(round.bcd);
  out.put(round.admm);
}

Round get_round(ByteReader& in) {
  Round round;
  round.bcd = in.get<std::uint32_t>();
  round.admm = in.get<std::uint32_t>();
  return round;
}

void put(ByteWriter& out, const std::vector<Bytes>& list) {
  out.put<std::uint64_t>(list.size());
  for (const Bytes& bytes : list) out.put_bytes(bytes);
}

std::vector<Bytes> get_list(ByteReader& in) {
  std::vector<Bytes> list(std::min<std::uint64_t>(in.get<std::uint64_t>(), kMostStages));
  for (Bytes& bytes : list) bytes = in.get_bytes();
  return list;
}

}  // namespace

Bytes Agent::save() const {
  ByteWriter out;
  out.put(kFormat);
  out.put_array(config_.settings_digest.data(), config_.settings_digest.size());
  out.put(static_cast<std::uint8_t>(phase_));
  out.put(stage_);
  put(out, round_);
  out.put(exchanges_);
  out.put(stop_admm_);
  out.put(stop_bcd_);
  out.put_string(stop_reason_);
  out.put(learned_weights_);
  out.put(learned_coupling_);
  out.put(pull_norm_);
  out.put_array(X_before_.data(), static_cast<std::size_t>(X_before_.size()));
  put(out, own_query_.round);
  out.put(own_query_.stop_admm);
  out.put(own_query_.stop_bcd);
  out.put_bytes(own_query_.payload);
  left_.save(out);
  right_.save(out);
  weights_.save(out);
  for (const Neighbour& n : neighbours_) {
    put(out, n.greetings);
    put(out, n.own_greetings);
    out.put(n.first_weight);
    out.put(n.revealed_weight);
    put(out, n.answered);
    out.put_array(n.answered_digest.data(), n.answered_digest.size());
    put(out, n.answer.round);
    out.put(n.answer.weight);
    out.put_bytes(n.answer.payload);
  }
  return out.take();
}

Status Agent::load(ByteSpan saved) {
  ByteReader in(saved);
  const auto format = in.get<std::uint32_t>();
  Digest digest{};
  in.get_array(digest.data(), digest.size());
  if (format != kFormat || digest != config_.settings_digest) {
    return error(ErrorCode::kInvalidData, "the saved state of agent {} belongs to a run with other settings",
                 config_.self.value);
  }
  phase_ = static_cast<Phase>(in.get<std::uint8_t>());
  stage_ = in.get<std::uint32_t>();
  round_ = get_round(in);
  exchanges_ = in.get<std::uint64_t>();
  stop_admm_ = in.get<std::uint32_t>();
  stop_bcd_ = in.get<std::uint32_t>();
  stop_reason_ = in.get_string();
  learned_weights_ = in.get<double>();
  learned_coupling_ = in.get<double>();
  pull_norm_ = in.get<double>();
  in.get_array(X_before_.data(), static_cast<std::size_t>(X_before_.size()));
  own_query_.round = get_round(in);
  own_query_.stop_admm = in.get<std::uint32_t>();
  own_query_.stop_bcd = in.get<std::uint32_t>();
  own_query_.payload = in.get_bytes();
  left_.load(in);
  right_.load(in);
  weights_.load(in);
  for (Neighbour& n : neighbours_) {
    n.greetings = get_list(in);
    n.own_greetings = get_list(in);
    n.first_weight = in.get<std::int64_t>();
    n.revealed_weight = in.get<std::int64_t>();
    n.answered = get_round(in);
    in.get_array(n.answered_digest.data(), n.answered_digest.size());
    n.answer.round = get_round(in);
    n.answer.weight = in.get<std::int64_t>();
    n.answer.payload = in.get_bytes();
  }
  if (auto whole = in.status(); !whole) {
    return at(fmt::format("the saved state of agent {}", config_.self.value), std::move(whole).error());
  }
  if (!is_consistent()) {
    return error(ErrorCode::kInvalidData, "the saved state of agent {} is damaged", config_.self.value);
  }
  return restore_derived();
}

// Whether the machine can have come here by itself. Damage that passes changes numbers, never where they are looked up.
bool Agent::is_consistent() const {
  const RunSettings& s = config_.settings;
  const bool printed = s.exchange == ExchangeKind::kAsPrinted;
  const bool begun = phase_ == Phase::kQuerying || phase_ == Phase::kReplying || phase_ == Phase::kFinished;
  if (phase_ > Phase::kFinished || stage_ >= config_.cipher->stages()) return false;
  if (!left_.in_range() || !right_.in_range() || !weights_.in_range(begun) || !X_before_.allFinite()) return false;
  for (const double number : {learned_weights_, learned_coupling_, pull_norm_}) {
    if (!(number >= 0 && std::isfinite(number))) return false;
  }
  const bool in_round = phase_ == Phase::kQuerying || phase_ == Phase::kReplying;
  if (in_round && left_.mu() != mu()) return false;  // mu follows from Y
  if (begun && (round_.bcd < 1 || round_.bcd > static_cast<std::uint32_t>(s.bcd) || round_.admm < 1 ||
                round_.admm > static_cast<std::uint32_t>(s.admm_x) || own_query_.round != round_ || exchanges_ < 1)) {
    return false;
  }
  if (!begun && (round_ != Round{} || exchanges_ != 0)) return false;
  const std::size_t stages_sent = phase_ == Phase::kNew ? 0 : std::size_t{stage_} + 1;
  return std::all_of(neighbours_.begin(), neighbours_.end(), [&](const Neighbour& n) {
    const bool greeted = n.own_greetings.size() == stages_sent && n.greetings.size() <= stages_sent &&
                         n.greetings.size() + (begun ? 0 : 1) >= stages_sent;
    const bool weighed = !printed || !begun || (n.revealed_weight >= 1 && n.revealed_weight >> s.weight_bits == 0);
    return greeted && weighed && (phase_ != Phase::kReplying || n.answered == round_);
  });
}

// The cipher goes through the start-up again with the same greetings; the X step takes up its Y.
Status Agent::restore_derived() {
  for (std::uint32_t stage = 0; phase_ != Phase::kNew && stage <= stage_; ++stage) {
    for (const Neighbour& n : neighbours_) (void)config_.cipher->greeting(stage, n.id);
    for (const Neighbour& n : neighbours_) {
      if (stage < n.greetings.size())
        PPDNMF_TRY_STATUS(config_.cipher->accept_greeting(stage, n.id, n.greetings[stage]));
    }
  }
  if (phase_ != Phase::kQuerying && phase_ != Phase::kReplying) return {};
  left_.begin(Z_, right_.Y(), mu());
  if (config_.settings.exchange == ExchangeKind::kHardened) u_.back() = 1;
  PPDNMF_TRY_STATUS(quantise(left_.U(), config_.settings.n_max, config_.settings.u_bound,
                             std::span(u_).first(static_cast<std::size_t>(left_.U().size()))));
  // In the second half of an exchange the questions have been answered; they count as received.
  for (Neighbour& n : neighbours_) {
    if (phase_ == Phase::kReplying) n.query = Query{round_, kNever, kNever, {}};
  }
  return {};
}

}  // namespace ppdnmf
