#include <ppdnmf/protocol/greeting.h>

#include <algorithm>
#include <utility>

#include <ppdnmf/protocol/weights.h>

namespace ppdnmf::protocol {
namespace {

constexpr std::size_t kMostStages = 16;

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

Greeting::Greeting(const RunSettings& settings, const Digest& digest, const std::vector<AgentId>& neighbours,
                   std::vector<std::int64_t> weights, Cipher& cipher)
    : settings_(settings), digest_(digest), cipher_(cipher) {
  weights.resize(neighbours.size());
  for (std::size_t j = 0; j < neighbours.size(); ++j) neighbours_.push_back({neighbours[j], {}, {}, weights[j], 0, {}});
}

void Greeting::begin(Outbox& out) {
  begun_ = true;
  begin_stage(0, out);
}

void Greeting::begin_stage(std::uint32_t stage, Outbox& out) {
  stage_ = stage;
  for (Neighbour& neighbour : neighbours_) neighbour.sent.push_back(cipher_.greeting(stage, neighbour.id));
  out.save();
  for (const Neighbour& neighbour : neighbours_) out.send(neighbour.id, hello_of(neighbour, stage, false));
}

Status Greeting::take(AgentId id, const Hello& hello, Outbox& out) {
  const auto from =
      std::find_if(neighbours_.begin(), neighbours_.end(), [&](const Neighbour& n) { return n.id == id; });
  if (from == neighbours_.end()) return {};
  if (hello.settings != digest_) {
    return error(ErrorCode::kPeer,
                 "agent {} runs with other settings or another graph than this agent; every agent must be given the "
                 "same ones",
                 id.value);
  }
  if (hello.again && hello.stage < from->sent.size()) out.send_again(from->id, hello_of(*from, hello.stage, false));
  if (!active()) return {};
  if (hello.stage == stage_ && from->accepted.size() == stage_) return accept(*from, hello);
  if (hello.stage == stage_ + 1 && !from->early) from->early = hello;
  return {};
}

Status Greeting::accept(Neighbour& from, const Hello& hello) {
  PPDNMF_TRY_STATUS(cipher_.accept_greeting(hello.stage, from.id, hello.payload));
  if (hello.stage == 0 && settings_.exchange == ExchangeKind::kAsPrinted) {
    PPDNMF_TRY_STATUS(check_revealed_weight(from.id, hello.weight, settings_.weight_bits));
    from.first_weight = hello.weight;
  }
  from.accepted.push_back(hello.payload);
  return {};
}

Result<bool> Greeting::advance(Outbox& out) {
  const auto all_in = [this] {
    return std::all_of(neighbours_.begin(), neighbours_.end(),
                       [this](const Neighbour& n) { return n.accepted.size() > stage_; });
  };
  while (active() && all_in()) {
    if (stage_ + 1 == cipher_.stages()) {
      done_ = true;
      return true;
    }
    begin_stage(stage_ + 1, out);
    for (Neighbour& neighbour : neighbours_) {
      if (auto early = std::exchange(neighbour.early, std::nullopt)) PPDNMF_TRY_STATUS(accept(neighbour, *early));
    }
  }
  return false;
}

void Greeting::resend(Outbox& out) const {
  if (!active()) return;
  for (const Neighbour& neighbour : neighbours_) {
    if (neighbour.accepted.size() <= stage_) out.send_again(neighbour.id, hello_of(neighbour, stage_, true));
  }
}

std::vector<AgentId> Greeting::waiting_for() const {
  std::vector<AgentId> missing;
  for (const Neighbour& neighbour : neighbours_) {
    if (active() && neighbour.accepted.size() <= stage_) missing.push_back(neighbour.id);
  }
  return missing;
}

std::vector<std::int64_t> Greeting::first_weights() const {
  std::vector<std::int64_t> weights(neighbours_.size());
  std::transform(neighbours_.begin(), neighbours_.end(), weights.begin(),
                 [](const Neighbour& n) { return n.first_weight; });
  return weights;
}

Hello Greeting::hello_of(const Neighbour& to, std::uint32_t stage, bool again) const {
  return {stage, again, digest_, stage == 0 ? to.own_weight : 0, to.sent[stage]};
}

void Greeting::save(ByteWriter& out) const {
  out.put<std::uint8_t>(begun_ ? 1 : 0);
  out.put<std::uint8_t>(done_ ? 1 : 0);
  out.put(stage_);
  for (const Neighbour& n : neighbours_) {
    put(out, n.accepted);
    put(out, n.sent);
    out.put(n.first_weight);
  }
}

Status Greeting::load(ByteReader& in) {
  begun_ = in.get<std::uint8_t>() != 0;
  done_ = in.get<std::uint8_t>() != 0;
  stage_ = in.get<std::uint32_t>();
  for (Neighbour& n : neighbours_) {
    n.accepted = get_list(in);
    n.sent = get_list(in);
    n.first_weight = in.get<std::int64_t>();
  }
  if (!is_consistent()) return error(ErrorCode::kInvalidData, "its greetings are damaged");
  for (std::uint32_t stage = 0; begun_ && stage <= stage_; ++stage) {
    for (const Neighbour& n : neighbours_) {
      if (cipher_.greeting(stage, n.id) != n.sent[stage])
        return error(ErrorCode::kInvalidData, "its greetings are not those of this agent and run");
    }
    for (const Neighbour& n : neighbours_) {
      if (stage < n.accepted.size()) PPDNMF_TRY_STATUS(cipher_.accept_greeting(stage, n.id, n.accepted[stage]));
    }
  }
  return {};
}

bool Greeting::is_consistent() const {
  if (stage_ >= cipher_.stages() || (done_ && (!begun_ || stage_ + 1 != cipher_.stages()))) return false;
  const std::size_t sent = begun_ ? std::size_t{stage_} + 1 : 0;
  return std::all_of(neighbours_.begin(), neighbours_.end(), [&](const Neighbour& n) {
    return n.sent.size() == sent && n.accepted.size() <= sent && n.accepted.size() + (done_ ? 0 : 1) >= sent;
  });
}

}  // namespace ppdnmf::protocol
