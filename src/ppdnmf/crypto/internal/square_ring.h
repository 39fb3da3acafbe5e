// Arithmetic modulo n^2 on groups of eight residues: the one interface of both kernels.
//
// A residue is a pair (low, high) meaning low + high n. Modulo n^2 only three of the four half products survive and
// two short reductions replace a long one, so both kernels compute on pairs (see lane_arithmetic.h).
//
// A group is words() 64-bit words, aligned to 64 bytes, in the kernel's own layout. A group holds its residues either
// plain or in Montgomery form (x R mod n^2); multiply(x, y) = x y / R, so
//   Montgomery * Montgomery = Montgomery,   Montgomery * plain = plain.
// The second is how results leave: the last factor of a product is left plain and the conversion costs nothing.
//
// No function branches or addresses memory by the residues, nor by a secret index where one is named.
// Immutable after construction; safe to share between threads.
#ifndef PPDNMF_CRYPTO_INTERNAL_SQUARE_RING_H_
#define PPDNMF_CRYPTO_INTERNAL_SQUARE_RING_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <ppdnmf/crypto/internal/integer.h>
#include <ppdnmf/crypto/internal/lane_arithmetic.h>
#include <ppdnmf/crypto/kernel.h>
#include <ppdnmf/crypto/secret.h>

namespace ppdnmf::crypto::internal {

inline constexpr std::size_t kLanes = 8;
inline constexpr std::size_t kMaxRootBits = 4608;

// Lane l of a lookup takes entry index[l].
struct alignas(64) LaneIndex {
  std::array<std::uint64_t, kLanes> lane{};
};

class SquareRing {
 public:
  // n odd, 64 <= bits(n) <= kMaxRootBits (checked). kernel is kGmp or kIfma, as choose_kernel gives it.
  [[nodiscard]] static std::unique_ptr<const SquareRing> create(const Integer& n, Kernel kernel);
  // The lane kernel over other functions than the processor's: for the constant-time check, which emulates them.
  [[nodiscard]] static std::unique_ptr<const SquareRing> create_from(const Integer& n, const ModularLanes& functions);

  SquareRing(const SquareRing&) = delete;
  SquareRing& operator=(const SquareRing&) = delete;
  SquareRing(SquareRing&&) = delete;
  SquareRing& operator=(SquareRing&&) = delete;
  virtual ~SquareRing() = default;

  [[nodiscard]] const Integer& root() const { return n_; }              // n
  [[nodiscard]] const Integer& modulus() const { return modulus_; }     // n^2
  [[nodiscard]] std::size_t half_words() const { return half_words_; }  // ceil(bits(n) / 64)
  [[nodiscard]] virtual std::size_t words() const = 0;

  // out = x y / R, out = x^2 / R; out may be x or y.
  virtual void multiply(std::uint64_t* out, const std::uint64_t* x, const std::uint64_t* y) const = 0;
  virtual void square(std::uint64_t* out, const std::uint64_t* x) const = 0;

  // Lane `lane` as it stands, from and to half_words() words each. load needs low < n and high < n; store gives them
  // so, reduced.
  virtual void load(std::uint64_t* group, std::size_t lane, const std::uint64_t* low,
                    const std::uint64_t* high) const = 0;
  virtual void store(const std::uint64_t* group, std::size_t lane, std::uint64_t* low, std::uint64_t* high) const = 0;

  // A table of `entries` residues shared by all lanes; entries is a power of two from 16 to 1024.
  [[nodiscard]] virtual std::size_t table_words(std::size_t entries) const = 0;
  // Entries first .. first + 7 of the table become the lanes of the group.
  virtual void put_entries(std::uint64_t* table, std::size_t entries, std::size_t first,
                           const std::uint64_t* group) const = 0;
  // Lane l of group g of out = entry index[g].lane[l]; index.size() groups, one after the other. Secret index: every
  // entry is read.
  virtual void select_shared(std::uint64_t* out, const std::uint64_t* table, std::size_t entries,
                             std::span<const LaneIndex> index) const = 0;
  // out = group `index` of `entries` groups that follow each other. Secret index: every group is read.
  virtual void select_group(std::uint64_t* out, const std::uint64_t* groups, std::size_t entries,
                            std::uint64_t index) const = 0;

  // x -> x R mod n^2, and back (values below n^2 through the Integer forms).
  void enter(std::uint64_t* group) const { multiply(group, group, square_of_r_.data()); }
  void leave(std::uint64_t* group) const { multiply(group, group, plain_one_.data()); }
  void load_value(std::uint64_t* group, std::size_t lane, const Integer& value) const;
  [[nodiscard]] Integer store_value(const std::uint64_t* group, std::size_t lane) const;
  void copy(std::uint64_t* out, const std::uint64_t* group) const;
  // One in Montgomery form in every lane.
  [[nodiscard]] const std::uint64_t* one() const { return one_.data(); }
  [[nodiscard]] SecretWords make_group() const { return SecretWords(words()); }

 protected:
  explicit SquareRing(const Integer& n);
  // Called by create once the kernel's own constants stand. montgomery_bits: R = 2^montgomery_bits.
  void prepare(std::size_t montgomery_bits);

 private:
  [[nodiscard]] SecretWords broadcast(const Integer& value) const;

  Integer n_;
  Integer modulus_;
  std::size_t half_words_;
  SecretWords plain_one_;
  SecretWords square_of_r_;  // R^2 mod n^2, plain
  SecretWords one_;
};

}  // namespace ppdnmf::crypto::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_SQUARE_RING_H_
