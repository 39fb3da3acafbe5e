// Powers with secret exponents: the sequence of operations and of addresses depends on the exponents' length only.
#ifndef PPDNMF_CRYPTO_INTERNAL_POWER_H_
#define PPDNMF_CRYPTO_INTERNAL_POWER_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include <ppdnmf/crypto/internal/square_ring.h>

namespace ppdnmf::crypto::internal {

// A secret number below 2^bits; `bits` is public.
struct SecretExponent {
  std::span<const std::uint64_t> words;  // little-endian, ceil(bits / 64) of them or more
  std::size_t bits = 0;
};

// Bits [at, at + count) of a number, count <= 16; bits past its words are 0.
[[nodiscard]] std::uint64_t bits_at(std::span<const std::uint64_t> words, std::size_t at, std::size_t count);

// out = base^exponent in every lane, Montgomery form in and out; out may be base. Fixed windows, whole tables read.
void power(const SquareRing& ring, std::uint64_t* out, const std::uint64_t* base, const SecretExponent& exponent);

// Powers of one base, by Lim and Lee's comb: the exponent's bits are read in `teeth` rows, and one table lookup
// multiplies by the powers that a column of bits selects. With tables for every kSpacing-th column,
//   bits / teeth products and kSpacing - 1 squares make a power; the tables hold bits / (teeth kSpacing) 2^teeth
//   residues.
// Immutable after construction; safe to share between threads.
class FixedBase {
 public:
  static constexpr std::size_t kSpacing = 8;

  // base < n^2; exponents below 2^exponent_bits; 4 <= teeth <= 10. The ring must outlive this.
  FixedBase(const SquareRing& ring, const Integer& base, std::size_t exponent_bits, std::size_t teeth);

  // Lane l of group g of out = base^exponent[8 g + l], Montgomery form; the groups follow each other. exponents:
  // numbers of exponent_words() words each, all secret; their count is a multiple of kLanes. Several groups at a time
  // share the reading of the tables; kTogether is a good number.
  static constexpr std::size_t kTogether = 4;
  void power(std::uint64_t* out, std::span<const std::uint64_t> exponents) const;
  [[nodiscard]] std::size_t exponent_bits() const { return exponent_bits_; }
  [[nodiscard]] std::size_t exponent_words() const { return (exponent_bits_ + 63) / 64; }

 private:
  void find_indices(std::span<const std::uint64_t> exponents, std::size_t column, std::span<LaneIndex> out) const;
  void fill_table(std::size_t table, std::span<const Integer> powers);

  const SquareRing& ring_;
  std::size_t exponent_bits_;
  std::size_t teeth_;
  std::size_t columns_;  // ceil(exponent_bits / teeth)
  std::size_t table_count_;
  SecretWords tables_;
};

}  // namespace ppdnmf::crypto::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_POWER_H_
