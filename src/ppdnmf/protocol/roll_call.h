// Who takes part in a run: everybody's nonce, gathered along the spanning tree, and the run's digest that follows.
//
// A nonce is a fresh X25519 public key. The list of all is the sum of lists that hold one's own only; nothing in it is
// secret. An own fresh nonce in the digest makes sure that this run is none that was there before.
#ifndef PPDNMF_PROTOCOL_ROLL_CALL_H_
#define PPDNMF_PROTOCOL_ROLL_CALL_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/crypto/mask.h>
#include <ppdnmf/protocol/spanning_tree.h>
#include <ppdnmf/protocol/step.h>
#include <ppdnmf/protocol/tree_sum.h>

namespace ppdnmf::protocol {

// SHA-256 of what all agree on, every member and every nonce.
[[nodiscard]] Digest run_digest(const Digest& agreed, std::span<const crypto::IdentityBytes> members,
                                std::span<const crypto::IdentityBytes> nonces);
// What messages carry of a digest: before the roll call that of what was agreed on, then the run's.
[[nodiscard]] RunId run_id(const Digest& digest);
// The secret of one agent in one run: with another run or another agent, all its streams are others.
[[nodiscard]] Seed bind_secret(const Seed& secret, const Digest& run, AgentId self);

class RollCall {
 public:
  RollCall(AgentId self, std::uint32_t agents, TreePlace place, const crypto::IdentityBytes& own, const Digest& agreed);

  // Sends and saves through `out`, whose messages carry run_id(agreed).
  void begin(Outbox& out);
  // Messages of other kinds are ignored; those of the past get the list again.
  void take(AgentId from, const Body& body, Outbox& out);
  // Everybody's nonces by agent, once. Fails with kPeer if this agent's is not where it must be.
  [[nodiscard]] Result<std::optional<std::vector<crypto::IdentityBytes>>> advance(Outbox& out);
  void resend(Outbox& out) const { sum_.resend(out); }
  [[nodiscard]] std::vector<AgentId> waiting_for() const { return sum_.waiting_for(); }
  // The length of its messages' payload.
  [[nodiscard]] std::size_t payload_bytes() const;

  void save(ByteWriter& out) const { sum_.save(out); }
  [[nodiscard]] Status load(ByteReader& in);

 private:
  AgentId self_;
  std::uint32_t agents_;
  crypto::IdentityBytes own_;
  Digest agreed_;
  TreeSum sum_;
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_ROLL_CALL_H_
