// Masks that hide one reply and cancel in the sum of a neighbourhood's replies.
//
// Every pair of agents shares a key: X25519 between their identity keys, then HKDF-SHA256 with the run's name and a
// fresh nonce from both. For one query of agent i, the agent of the pair whose identity comes first adds
// PRF(key, i, n, m)[t], a uniform residue modulo i's n, and the other subtracts it.
#ifndef PPDNMF_CRYPTO_MASK_H_
#define PPDNMF_CRYPTO_MASK_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bytes.h"
#include "base/random.h"
#include "base/result.h"
#include "crypto/plaintext.h"
#include "crypto/secret.h"

namespace ppdnmf {

using IdentityBytes = std::array<std::uint8_t, 32>;  // an X25519 public key
using Nonce = std::array<std::uint8_t, 32>;

// An agent's long-lived X25519 key. Move-only, wiped, not printable.
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

// Which query the masks are for.
struct MaskName {
  std::uint32_t asker = 0;      // agent i, below 2^24
  std::uint32_t outer = 0;      // n
  std::uint32_t iteration = 0;  // m
};

// What two agents share for one run. Move-only, wiped.
class PairKey {
 public:
  // Both sides get the same key whoever calls it "own". Fails with kPeer if the peer's identity is our own or a point
  // of small order.
  [[nodiscard]] static Result<PairKey> agree(const IdentityKey& own, const IdentityBytes& peer, ByteSpan run,
                                             const Nonce& own_nonce, const Nonce& peer_nonce);

  // addend[t] += or -= PRF(...)[t] modulo the key's n, for every t.
  void apply(Plaintexts& addend, const MaskName& name) const;

 private:
  PairKey(Seed seed, bool adds) : seed_(std::move(seed)), adds_(adds) {}
  Seed seed_;
  bool adds_;
};

}  // namespace ppdnmf

#endif  // PPDNMF_CRYPTO_MASK_H_
