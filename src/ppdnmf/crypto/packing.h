// Many small signed integers in one plaintext: value = sum_k v_k 2^(w k) mod n, |v_k| < 2^(w - 1).
//
// Adding plaintexts adds slot by slot, multiplying by a number multiplies every slot, as long as all slots keep within
// their bound. An entry outside it is an error that names it; it is never clipped and never wraps.
// Immutable; safe to share between threads.
#ifndef PPDNMF_CRYPTO_PACKING_H_
#define PPDNMF_CRYPTO_PACKING_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/plaintext.h>

namespace ppdnmf::crypto {

class Packing {
 public:
  // Fails with kUsage unless 2 <= slot_bits <= 64 and key_bits is a multiple of 64, at least 128.
  [[nodiscard]] static Result<Packing> create(std::size_t key_bits, std::size_t slot_bits);

  [[nodiscard]] std::size_t slot_bits() const { return slot_bits_; }
  // floor((key_bits - 2) / slot_bits) per plaintext.
  [[nodiscard]] std::size_t slots() const { return slots_; }
  [[nodiscard]] std::size_t plaintexts_for(std::size_t entries) const { return (entries + slots_ - 1) / slots_; }

  // plaintexts_for(entries.size()) plaintexts, unused slots 0. Fails with kNumeric if an |entry| >= 2^(slot_bits - 1),
  // naming it, with kUsage if the key has another size than key_bits.
  [[nodiscard]] Result<Plaintexts> pack(std::span<const std::int64_t> entries, const PublicKey& key) const;
  // The first `count` slots. Fails with kPeer if a plaintext is not a packed vector (a slot overflowed, a mask did not
  // cancel, a reply was made of something else), naming it, and with kUsage unless plaintexts.size() =
  // plaintexts_for(count) and their key has key_bits.
  [[nodiscard]] Result<std::vector<std::int64_t>> unpack(const Plaintexts& plaintexts, std::size_t count) const;

 private:
  Packing(std::size_t key_bits, std::size_t slot_bits);
  [[nodiscard]] Status check_bits(const PublicKey& key) const;

  std::size_t key_bits_;
  std::size_t slot_bits_;
  std::size_t slots_;
  std::vector<std::uint64_t> bias_;  // sum_k 2^(w - 1) 2^(w k): makes every slot nonnegative
};

}  // namespace ppdnmf::crypto

#endif  // PPDNMF_CRYPTO_PACKING_H_
