// Saving and loading a Participant: its own parts, then the roll call, the Agent or what is left of it.
#include <algorithm>
#include <utility>

#include <ppdnmf/member/participant.h>
#include <ppdnmf/protocol/seeded_secrets.h>

namespace ppdnmf::member {
namespace {

constexpr std::uint32_t kFormat = 2;
enum Kind : std::uint8_t { kWhole = 1, kFarewell = 2 };

// Of the answers only those to neighbours that have not said goodbye are kept; they are encoded as they travel.
void put(ByteWriter& out, const std::vector<protocol::Send>& answers, const std::set<AgentId>& gone) {
  const auto needed = [&](const protocol::Send& send) { return !gone.contains(send.to); };
  out.put<std::uint64_t>(static_cast<std::uint64_t>(std::count_if(answers.begin(), answers.end(), needed)));
  for (const protocol::Send& send : answers) {
    if (!needed(send)) continue;
    out.put(send.to.value);
    out.put_bytes(wire::encode_letter(0, send.message));
  }
}

Result<std::vector<protocol::Send>> get_answers(ByteReader& in) {
  std::vector<protocol::Send> answers;
  const auto count = in.get<std::uint64_t>();
  for (std::uint64_t n = 0; n < count && !in.failed(); ++n) {
    const AgentId to{in.get<std::uint32_t>()};
    PPDNMF_TRY(wire::Envelope envelope, wire::decode(in.view_bytes()));
    auto* letter = std::get_if<wire::Letter>(&envelope);
    if (letter == nullptr) return error(ErrorCode::kInvalidData, "its last answers are damaged");
    answers.push_back(protocol::Send{to, std::move(letter->message), true});
  }
  return answers;
}

crypto::SecretBytes secret_copy(Bytes bytes) {
  crypto::SecretBytes out(bytes.size());
  std::copy(bytes.begin(), bytes.end(), out.span().begin());
  crypto::wipe(bytes.data(), bytes.size());
  return out;
}

}  // namespace

crypto::SecretBytes Participant::save_farewell() const {
  PPDNMF_CHECK(phase_ == Phase::kLeaving);
  return write(true, {});
}

// `agent_state`: what the agent's last step carried; nothing: no step of the agent's asked for it to be saved.
crypto::SecretBytes Participant::write(bool farewell, ByteSpan agent_state) const {
  PPDNMF_CHECK(phase_ != Phase::kFailed);
  farewell = farewell || (phase_ == Phase::kLeaving && !agent_);
  ByteWriter out;
  out.put(kFormat);
  out.put<std::uint8_t>(farewell ? kFarewell : kWhole);
  out.put(config_.self.value);
  out.put_array(nonce_.data(), nonce_.size());
  out.put_array(seen_.data(), seen_.size());
  out.put<std::uint64_t>(goodbyes_.size());
  for (const AgentId id : goodbyes_) out.put(id.value);
  if (farewell) {
    put(out, agent_ ? agent_->last_answers() : answers_, goodbyes_);
    return secret_copy(out.take());
  }
  out.put<std::uint8_t>(static_cast<std::uint8_t>(phase_));
  if (config_.throw_away_seed) {
    out.put_bytes({});
  } else {
    out.put_bytes(secret_.reveal_secret_bytes());
  }
  out.put_array(reinterpret_cast<const std::uint8_t*>(nonces_.data()), nonces_.size() * sizeof(crypto::IdentityBytes));
  save_shown(out);
  call_.save(out);
  if (agent_ && agent_state.empty()) {
    Bytes state = agent_->save();
    out.put_bytes(state);
    crypto::wipe(state.data(), state.size());
  } else if (agent_) {
    out.put_bytes(agent_state);
  }
  return secret_copy(out.take());
}

// By neighbour: whether something was taken of it, and the nonces that it showed.
void Participant::save_shown(ByteWriter& out) const {
  for (const AgentId id : config_.neighbours) {
    const auto shown = shown_.find(id);
    out.put<std::uint8_t>(called_.contains(id) ? 1 : 0);
    out.put<std::uint64_t>(shown == shown_.end() ? 0 : shown->second.size());
    if (shown == shown_.end()) continue;
    for (const crypto::IdentityBytes& nonce : shown->second) out.put_array(nonce.data(), nonce.size());
  }
}

void Participant::load_shown(ByteReader& in) {
  for (const AgentId id : config_.neighbours) {
    if (in.get<std::uint8_t>() != 0) called_.insert(id);
    const auto count = in.get<std::uint64_t>();
    for (std::uint64_t n = 0; n < count && !in.failed(); ++n) {
      crypto::IdentityBytes nonce{};
      in.get_array(nonce.data(), nonce.size());
      shown_[id].push_back(nonce);
    }
  }
}

Status Participant::load(ByteSpan saved, std::uint64_t number) {
  ByteReader in(saved);
  const auto format = in.get<std::uint32_t>();
  const auto kind = in.get<std::uint8_t>();
  const auto self = in.get<std::uint32_t>();
  if (format != kFormat || (kind != kWhole && kind != kFarewell) || self != config_.self.value) {
    return error(ErrorCode::kInvalidData, "the saved state was not made by this program, or belongs to another agent");
  }
  saves_ = number;
  loaded_ = true;
  in.get_array(nonce_.data(), nonce_.size());
  in.get_array(seen_.data(), seen_.size());
  const auto gone = in.get<std::uint64_t>();
  for (std::uint64_t n = 0; n < gone && !in.failed(); ++n) goodbyes_.insert(AgentId{in.get<std::uint32_t>()});
  if (!std::all_of(goodbyes_.begin(), goodbyes_.end(), [this](AgentId id) { return find(id).has_value(); })) {
    return error(ErrorCode::kInvalidData, "the saved state is damaged");
  }
  if (kind == kFarewell) {
    phase_ = Phase::kLeaving;
    told_ = goodbyes_;
    PPDNMF_TRY(answers_, get_answers(in));
    return in.status();
  }
  const auto phase = static_cast<Phase>(in.get<std::uint8_t>());
  const ByteSpan secret = in.view_bytes();
  const bool of_run = phase == Phase::kRunning || phase == Phase::kLeaving;
  if (secret.size() != (config_.throw_away_seed ? 0 : Seed::kBytes) || !(of_run || phase == Phase::kCalling)) {
    return error(ErrorCode::kInvalidData, "the saved state is damaged");
  }
  if (!secret.empty())
    secret_ = Seed::from_bytes(std::span<const std::uint8_t, Seed::kBytes>(secret.data(), Seed::kBytes));
  if (nonce_ != protocol::ephemeral_key(secret_).public_bytes()) {
    return error(ErrorCode::kInvalidData, "the saved state is damaged: its nonce does not follow from its secret");
  }
  call_ = protocol::RollCall(config_.self, config_.agents, config_.place, nonce_, config_.consortium);
  std::vector<crypto::IdentityBytes> nonces(of_run ? config_.agents : 0);
  in.get_array(reinterpret_cast<std::uint8_t*>(nonces.data()), nonces.size() * sizeof(crypto::IdentityBytes));
  load_shown(in);
  PPDNMF_TRY_STATUS(call_.load(in));
  if (of_run) {
    PPDNMF_TRY_STATUS(begin_run(std::move(nonces)));
    PPDNMF_TRY_STATUS(agent_->load(in.view_bytes()));
  }
  phase_ = phase;
  // Who has finished says nothing new, and who has said goodbye has seen everything.
  if (phase == Phase::kLeaving || (agent_ && agent_->finished())) return in.status();
  for (const AgentId id : config_.neighbours) {
    if (!goodbyes_.contains(id)) unconfirmed_.insert(id);
  }
  return in.status();
}

}  // namespace ppdnmf::member
