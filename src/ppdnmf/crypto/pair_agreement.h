// What two agents agree on: a seed for the masks between them, from who they are and from keys made for one run.
//
// Two X25519 secrets go into it. That of the identities says who the two are. That of the keys made for the run, which
// both throw away at its end, is gone then: whoever steals identities later cannot find the masks of earlier runs.
#ifndef PPDNMF_CRYPTO_PAIR_AGREEMENT_H_
#define PPDNMF_CRYPTO_PAIR_AGREEMENT_H_

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/secret.h>

namespace ppdnmf::crypto {

using IdentityBytes = std::array<std::uint8_t, 32>;  // an X25519 public key

// An agent's X25519 key: its long-lived one, or the one of a run. Move-only, wiped, not printable.
class IdentityKey {
 public:
  [[nodiscard]] static IdentityKey generate(Stream& stream);
  [[nodiscard]] static IdentityKey from_secret_bytes(std::span<const std::uint8_t, 32> bytes);
  // For whoever must store it (mode 0600); grep for this name to audit.
  [[nodiscard]] std::span<const std::uint8_t> reveal_secret_bytes() const { return secret_.span(); }
  [[nodiscard]] const IdentityBytes& public_bytes() const { return public_; }

 private:
  IdentityKey() = default;
  SecretBytes secret_;
  IdentityBytes public_{};
};

struct OwnKeys {
  const IdentityKey& identity;
  const IdentityKey& ephemeral;  // made for this run; its public bytes are the agent's nonce
};
struct PeerKeys {
  IdentityBytes identity;
  IdentityBytes ephemeral;
};

// HKDF-SHA256 of both shared secrets, with the run, which is not empty (checked), as salt and the label and all four
// public keys as info. Both sides get the same seed; `first`: whether this side comes first; the other side says the
// opposite. Fails with kPeer if one of the peer's keys is our own or a point of small order.
[[nodiscard]] Result<Seed> agree_on_seed(std::string_view label, const OwnKeys& own, const PeerKeys& peer, ByteSpan run,
                                         bool first);

}  // namespace ppdnmf::crypto

#endif  // PPDNMF_CRYPTO_PAIR_AGREEMENT_H_
