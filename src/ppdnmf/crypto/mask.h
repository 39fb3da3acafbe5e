// Masks that hide one reply and cancel in the sum of a neighbourhood's replies.
//
// Every pair of agents shares a key for one run (crypto/pair_agreement.h). For one query of agent i, the agent of the
// pair that comes first adds PRF(key, i, n, m)[t], a uniform residue modulo i's n, and the other subtracts it.
#ifndef PPDNMF_CRYPTO_MASK_H_
#define PPDNMF_CRYPTO_MASK_H_

#include <cstdint>
#include <utility>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/pair_agreement.h>
#include <ppdnmf/crypto/plaintext.h>

namespace ppdnmf::crypto {

// Which query the masks are for.
struct MaskName {
  std::uint32_t asker = 0;      // agent i, below 2^24
  std::uint32_t outer = 0;      // n
  std::uint32_t iteration = 0;  // m
};

// What two agents share for one run. Move-only, wiped.
class PairKey {
 public:
  // Both sides get the same key. `first`: whether this side adds; the other side says the opposite. Fails as
  // agree_on_seed does.
  [[nodiscard]] static Result<PairKey> agree(const OwnKeys& own, const PeerKeys& peer, ByteSpan run, bool first);

  // addend[t] += or -= PRF(...)[t] modulo the key's n, for every t.
  void apply(Plaintexts& addend, const MaskName& name) const;

 private:
  PairKey(Seed seed, bool adds) : seed_(std::move(seed)), adds_(adds) {}
  Seed seed_;
  bool adds_;
};

}  // namespace ppdnmf::crypto

#endif  // PPDNMF_CRYPTO_MASK_H_
