// The square ring on the lane arithmetic (lane_arithmetic.h).
#ifndef PPDNMF_CRYPTO_INTERNAL_LANE_RING_H_
#define PPDNMF_CRYPTO_INTERNAL_LANE_RING_H_

#include <ppdnmf/crypto/internal/square_ring.h>

namespace ppdnmf::crypto::internal {

// Layout of a group: digit after digit, low half first; a digit is eight words, one per lane. Halves are below 2n.
class LaneRing final : public SquareRing {
 public:
  // `functions` must outlive the ring.
  LaneRing(const Integer& n, const ModularLanes& functions);

  [[nodiscard]] std::size_t digits() const { return modulus_.digits; }
  [[nodiscard]] std::size_t words() const override { return kLanes * 2 * digits(); }
  void multiply(std::uint64_t* out, const std::uint64_t* x, const std::uint64_t* y) const override {
    functions_.multiply(modulus_, out, x, y);
  }
  void square(std::uint64_t* out, const std::uint64_t* x) const override { functions_.square(modulus_, out, x); }
  void load(std::uint64_t* group, std::size_t lane, const std::uint64_t* low, const std::uint64_t* high) const override;
  void store(const std::uint64_t* group, std::size_t lane, std::uint64_t* low, std::uint64_t* high) const override;
  [[nodiscard]] std::size_t table_words(std::size_t entries) const override { return entries * 2 * digits(); }
  void put_entries(std::uint64_t* table, std::size_t entries, std::size_t first,
                   const std::uint64_t* group) const override;
  void select_shared(std::uint64_t* out, const std::uint64_t* table, std::size_t entries,
                     std::span<const LaneIndex> index) const override {
    functions_.select_shared(2 * digits(), out, table, entries, index.data()->lane.data(), index.size());
  }
  void select_group(std::uint64_t* out, const std::uint64_t* groups, std::size_t entries,
                    std::uint64_t index) const override {
    functions_.select_group(words(), out, groups, entries, index);
  }

 private:
  friend class SquareRing;

  void to_words(const std::uint64_t* digits, std::size_t lane, std::uint64_t* out) const;
  [[nodiscard]] std::uint64_t subtract_n_if_not_less(std::uint64_t* value) const;

  const ModularLanes& functions_;
  LaneModulus modulus_;
  SecretWords n_digits_;
  SecretWords c_digits_;
  SecretWords n_words_;  // half_words() + 1 words
};

}  // namespace ppdnmf::crypto::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_LANE_RING_H_
