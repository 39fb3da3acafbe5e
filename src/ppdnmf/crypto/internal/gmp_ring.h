// The square ring on GMP's mpn functions, one lane after the other. Only functions that GMP documents as free of
// data-dependent branches and addresses are used (mpn_sec_*, mpn_cnd_*, mpn_add_n, mpn_addmul_1).
#ifndef PPDNMF_CRYPTO_INTERNAL_GMP_RING_H_
#define PPDNMF_CRYPTO_INTERNAL_GMP_RING_H_

#include <ppdnmf/crypto/internal/square_ring.h>

namespace ppdnmf::crypto::internal {

// Layout of a group: lane after lane, low half, high half. Halves are fully reduced; R = 2^(64 half_words()).
class GmpRing final : public SquareRing {
 public:
  explicit GmpRing(const Integer& n);

  [[nodiscard]] std::size_t words() const override { return kLanes * 2 * half_words(); }
  void multiply(std::uint64_t* out, const std::uint64_t* x, const std::uint64_t* y) const override;
  void square(std::uint64_t* out, const std::uint64_t* x) const override;
  void load(std::uint64_t* group, std::size_t lane, const std::uint64_t* low, const std::uint64_t* high) const override;
  void store(const std::uint64_t* group, std::size_t lane, std::uint64_t* low, std::uint64_t* high) const override;
  [[nodiscard]] std::size_t table_words(std::size_t entries) const override { return entries * 2 * half_words(); }
  void put_entries(std::uint64_t* table, std::size_t entries, std::size_t first,
                   const std::uint64_t* group) const override;
  void select_shared(std::uint64_t* out, const std::uint64_t* table, std::size_t entries,
                     std::span<const LaneIndex> index) const override;
  void select_group(std::uint64_t* out, const std::uint64_t* groups, std::size_t entries,
                    std::uint64_t index) const override;

 private:
  friend class SquareRing;
  static constexpr std::size_t kBlock = 32;
  static constexpr std::size_t kMaxHalf = kMaxRootBits / 64;
  struct Scratch;

  // Lane by lane: products(scratch, at, size) leaves x0 y0 in low and x0 y1 + x1 y0 in high, of the lane that begins at
  // word `at` and has halves of `size` limbs; both are then reduced into `out`.
  template <typename Products>
  void each_lane(std::uint64_t* out, const Products& products) const;
  [[nodiscard]] mp_limb_t reduce_low(Scratch& scratch, std::uint64_t* out) const;
  void reduce_high(Scratch& scratch, mp_limb_t taken, std::uint64_t* out) const;
  mp_limb_t subtract_n_if_not_less(std::uint64_t* value, mp_limb_t& top) const;

  SecretWords n_words_;
  SecretWords c_words_;              // 1 + (-R mod n)
  std::uint64_t minus_inverse_ = 0;  // -1/n mod 2^64
};

}  // namespace ppdnmf::crypto::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_GMP_RING_H_
