// Masks that hide an agent's words and cancel in the sum over all agents (docs/protocol.md, the masked sum).
//
// Every two partners share a key for one run (crypto/pair_agreement.h). In each sum the partner who comes first adds,
// and the other subtracts, words of ChaCha20 under HKDF(key, chain), the chain being a digest of all that was opened
// before: partners who were told different totals cancel nothing.
#ifndef PPDNMF_CRYPTO_SUM_MASK_H_
#define PPDNMF_CRYPTO_SUM_MASK_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/int128.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/pair_agreement.h>

namespace ppdnmf::crypto {

// Every so many words of a sum are masked by a stream of their own, so that threads can share the work.
inline constexpr std::size_t kMaskPart = std::size_t{1} << 14;

// What two agents share for the sums of one run. Move-only, wiped.
class SumPairKey {
 public:
  // Both sides get the same key. `first`: whether this side adds; the other side says the opposite. Fails as
  // agree_on_seed does.
  [[nodiscard]] static Result<SumPairKey> agree(const OwnKeys& own, const PeerKeys& peer, const Digest& run,
                                                bool first);

  // words[t] += or -= PRF(key, chain)[t] modulo 2^128, for every t.
  void apply(std::span<UInt128> words, const Digest& chain) const;
  // The same for part `number` of the words of a sum: kMaskPart words from number * kMaskPart on, or fewer at the end.
  void apply_to_part(std::span<UInt128> part, std::uint64_t number, const Digest& chain) const;

 private:
  SumPairKey(Seed seed, bool adds) : seed_(std::move(seed)), adds_(adds) {}
  Seed seed_;
  bool adds_;
};

}  // namespace ppdnmf::crypto

#endif  // PPDNMF_CRYPTO_SUM_MASK_H_
