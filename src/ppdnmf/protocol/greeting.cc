#include <ppdnmf/protocol/greeting.h>

#include <algorithm>
#include <utility>

namespace ppdnmf::protocol {
namespace {

void put(ByteWriter& out, const std::optional<Salutation>& salutation) {
  out.put<std::uint8_t>(salutation ? 1 : 0);
  if (!salutation) return;
  out.put(salutation->weight);
  out.put_bytes(salutation->payload);
}

std::optional<Salutation> get_salutation(ByteReader& in) {
  if (in.get<std::uint8_t>() == 0) return std::nullopt;
  Salutation salutation;
  salutation.weight = in.get<std::int64_t>();
  salutation.payload = in.get_bytes();
  return salutation;
}

}  // namespace

Greeting::Greeting(const Digest& common, const std::vector<AgentId>& neighbours, PeerExchange* peers)
    : common_(common), peers_(peers) {
  for (const AgentId id : neighbours) neighbours_.push_back({id, {}, {}});
}

void Greeting::begin(Outbox& out) {
  begun_ = true;
  for (Neighbour& neighbour : neighbours_) neighbour.sent = salutation_to(neighbour.id);
  out.save();
  for (const Neighbour& neighbour : neighbours_) out.send(neighbour.id, hello_of(neighbour, false));
}

Salutation Greeting::salutation_to(AgentId neighbour) const {
  return peers_ != nullptr ? peers_->greeting(neighbour) : Salutation{};
}

Status Greeting::take(AgentId id, const Hello& hello, Outbox& out) {
  const auto from =
      std::find_if(neighbours_.begin(), neighbours_.end(), [&](const Neighbour& n) { return n.id == id; });
  if (from == neighbours_.end()) return {};
  if (hello.common != common_) {
    return error(
        ErrorCode::kPeer,
        "agent {} has other settings, another graph or another list of nonces than this agent: every agent must "
        "be given the same, and nobody on the way may change the list",
        id.value);
  }
  if (hello.again && from->sent) out.send_again(id, hello_of(*from, false));
  if (!active() || from->accepted) return {};
  return accept(*from, {hello.weight, hello.payload});
}

Status Greeting::accept(Neighbour& from, Salutation salutation) {
  if (peers_ != nullptr) {
    PPDNMF_TRY_STATUS(peers_->accept_greeting(from.id, salutation));
  } else if (!salutation.payload.empty()) {
    return error(ErrorCode::kPeer, "agent {} sent {} bytes where none were due", from.id.value,
                 salutation.payload.size());
  }
  from.accepted = std::move(salutation);
  return {};
}

bool Greeting::advance() {
  if (!active() || !all_heard()) return false;
  done_ = true;
  return true;
}

bool Greeting::all_heard() const {
  return std::all_of(neighbours_.begin(), neighbours_.end(), [](const Neighbour& n) { return n.accepted.has_value(); });
}

void Greeting::resend(Outbox& out) const {
  if (!active()) return;
  for (const Neighbour& neighbour : neighbours_) {
    if (!neighbour.accepted) out.send_again(neighbour.id, hello_of(neighbour, true));
  }
}

std::vector<AgentId> Greeting::waiting_for() const {
  std::vector<AgentId> missing;
  for (const Neighbour& neighbour : neighbours_) {
    if (active() && !neighbour.accepted) missing.push_back(neighbour.id);
  }
  return missing;
}

Hello Greeting::hello_of(const Neighbour& to, bool again) const {
  return {again, common_, to.sent->weight, to.sent->payload};
}

void Greeting::save(ByteWriter& out) const {
  out.put<std::uint8_t>(begun_ ? 1 : 0);
  out.put<std::uint8_t>(done_ ? 1 : 0);
  for (const Neighbour& n : neighbours_) {
    put(out, n.sent);
    put(out, n.accepted);
  }
}

Status Greeting::load(ByteReader& in) {
  begun_ = in.get<std::uint8_t>() != 0;
  done_ = in.get<std::uint8_t>() != 0;
  for (Neighbour& n : neighbours_) {
    n.sent = get_salutation(in);
    n.accepted = get_salutation(in);
  }
  if (!is_consistent()) return error(ErrorCode::kInvalidData, "its greetings are damaged");
  return accept_again();
}

Status Greeting::accept_again() {
  for (const Neighbour& n : neighbours_) {
    if (n.sent && *n.sent != salutation_to(n.id))
      return error(ErrorCode::kInvalidData, "its greetings are not those of this agent and run");
  }
  for (Neighbour& n : neighbours_) {
    if (!n.accepted) continue;
    if (auto accepted = accept(n, *n.accepted); !accepted)
      return error(ErrorCode::kInvalidData, "its greetings are damaged: {}", accepted.error().message);
  }
  return {};
}

bool Greeting::is_consistent() const {
  return (!done_ || (begun_ && all_heard())) &&
         std::all_of(neighbours_.begin(), neighbours_.end(),
                     [this](const Neighbour& n) { return n.sent.has_value() == begun_ && (begun_ || !n.accepted); });
}

}  // namespace ppdnmf::protocol
