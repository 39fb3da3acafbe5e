// Who hides whose words in a sum, and the masks of one agent (docs/protocol.md, the masked sum).
#ifndef PPDNMF_PROTOCOL_SUM_MASKS_H_
#define PPDNMF_PROTOCOL_SUM_MASKS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/ids.h>
#include <ppdnmf/crypto/sum_mask.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::protocol {

// Up to so many agents everybody is everybody's partner; beyond, kRingPartners on either side in a ring.
inline constexpr std::uint32_t kMaxPaired = 65;
inline constexpr std::uint32_t kRingPartners = 32;

// The partners of one agent, in rising order. The ring's order is drawn from `nonces`, a digest of what all agents
// sent. Nonces are gathered without a commitment: whoever speaks last can try keys until the order suits it.
[[nodiscard]] std::vector<AgentId> mask_partners(AgentId self, std::uint32_t agents, const Digest& nonces);

// What an agent brings to a run with masks. Move-only.
struct SumSecrets {
  crypto::IdentityKey identity;
  crypto::IdentityKey ephemeral;  // for this run only; its public bytes are the nonce
  std::shared_ptr<const std::vector<crypto::IdentityBytes>> members;  // everybody's identities, by agent
  std::shared_ptr<const std::vector<crypto::IdentityBytes>> nonces;   // everybody's (protocol/roll_call.h)
};

// The masks of one agent in one run. Immutable once agreed; move-only.
class SumMasks {
 public:
  // `nonces`: everybody's, by agent. Fails with kPeer, naming the agent, as SumPairKey::agree does.
  [[nodiscard]] static Result<SumMasks> agree(AgentId self, const SumSecrets& own,
                                              std::span<const crypto::IdentityBytes> nonces, const Digest& run);

  // Adds this agent's masks for the sum that depends on `chain`, on all threads of the executor.
  void apply(std::span<Word> words, const Digest& chain, Executor& executor = serial_executor()) const;

 private:
  std::vector<crypto::SumPairKey> pairs_;
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_SUM_MASKS_H_
