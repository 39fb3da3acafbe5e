#include <ppdnmf/protocol/roll_call.h>

#include <algorithm>
#include <utility>

namespace ppdnmf::protocol {
namespace {

constexpr std::size_t kWordsOfANonce = sizeof(crypto::IdentityBytes) / sizeof(Word);

}  // namespace

Digest run_digest(const Digest& agreed, std::span<const crypto::IdentityBytes> members,
                  std::span<const crypto::IdentityBytes> nonces) {
  PPDNMF_CHECK(members.size() == nonces.size());
  ByteWriter run;
  run.put_string("ppdnmf run 1");
  run.put_array(agreed.data(), agreed.size());
  for (std::size_t i = 0; i < nonces.size(); ++i) {
    run.put_array(members[i].data(), members[i].size());
    run.put_array(nonces[i].data(), nonces[i].size());
  }
  return sha256(run.take());
}

RunId run_id(const Digest& digest) {
  RunId run{};
  std::copy_n(digest.begin(), run.size(), run.begin());
  return run;
}

Seed bind_secret(const Seed& secret, const Digest& run, AgentId self) {
  ByteWriter name;
  name.put_string("ppdnmf secret of a run 1");
  name.put_array(run.data(), run.size());
  name.put(self.value);
  const Bytes bytes = name.take();
  // The secret has 256 uniform bits of its own, so a digest that begins with it is as good as a keyed one.
  return Seed::from_bytes(sha256({secret.reveal_secret_bytes(), bytes}));
}

RollCall::RollCall(AgentId self, std::uint32_t agents, TreePlace place, const crypto::IdentityBytes& own,
                   const Digest& agreed)
    : self_(self), agents_(agents), own_(own), agreed_(agreed), sum_(std::move(place), agents * kWordsOfANonce) {
  PPDNMF_CHECK(self.value < agents);
}

std::size_t RollCall::payload_bytes() const { return agents_ * sizeof(crypto::IdentityBytes); }

void RollCall::begin(Outbox& out) {
  Words words(agents_ * kWordsOfANonce);
  const Words own = words_of(own_);
  std::copy(own.begin(), own.end(), words.begin() + static_cast<std::ptrdiff_t>(self_.value * own.size()));
  sum_.begin(std::move(words), agreed_, false);
  out.save();
}

void RollCall::take(AgentId from, const Body& body, Outbox& out) {
  if (const auto* partial = std::get_if<Partial>(&body)) sum_.take(from, *partial, out);
  if (const auto* total = std::get_if<Total>(&body)) sum_.take(from, *total);
}

Result<std::optional<std::vector<crypto::IdentityBytes>>> RollCall::advance(Outbox& out) {
  if (!sum_.waiting()) return std::nullopt;
  PPDNMF_TRY(const std::optional<TreeSum::Outcome> outcome, sum_.advance(out));
  if (!outcome) return std::nullopt;
  const Bytes list = to_bytes(outcome->total);
  std::vector<crypto::IdentityBytes> nonces(agents_);
  for (std::size_t i = 0; i < nonces.size(); ++i) {
    std::copy_n(list.begin() + static_cast<std::ptrdiff_t>(i * sizeof(crypto::IdentityBytes)),
                sizeof(crypto::IdentityBytes), nonces[i].begin());
  }
  if (nonces[self_.value] != own_) {
    return error(ErrorCode::kPeer,
                 "this agent's own nonce came back changed: either it took part in this roll call before, in another "
                 "folder, or an agent on the way passes on a wrong list");
  }
  return nonces;
}

Status RollCall::load(ByteReader& in) {
  sum_.load(in);
  if (!sum_.is_consistent()) return error(ErrorCode::kInvalidData, "its roll call is damaged");
  return {};
}

}  // namespace ppdnmf::protocol
