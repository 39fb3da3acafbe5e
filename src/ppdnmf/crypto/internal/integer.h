// A nonnegative GMP integer that cleans up after itself. Internal to src/crypto: GMP stays behind its headers.
#ifndef PPDNMF_CRYPTO_INTERNAL_INTEGER_H_
#define PPDNMF_CRYPTO_INTERNAL_INTEGER_H_

#include <gmp.h>

#include <cstdint>
#include <span>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/random.h>

namespace ppdnmf::crypto::internal {

static_assert(GMP_NUMB_BITS == 64 && sizeof(mp_limb_t) == sizeof(std::uint64_t), "limbs are taken as 64-bit words");

// The limb type of GMP is another name for a 64-bit unsigned integer, but C++ tells the names apart.
inline mp_limb_t* limbs(std::uint64_t* words) { return reinterpret_cast<mp_limb_t*>(words); }
inline const mp_limb_t* limbs(const std::uint64_t* words) { return reinterpret_cast<const mp_limb_t*>(words); }

// Its memory is wiped when it goes. What GMP copied while growing or computing is not: values whose timing or traces
// matter are kept in SecretWords and computed by the rings.
class Integer {
 public:
  Integer() { mpz_init(value_); }
  explicit Integer(std::uint64_t number) { mpz_init_set_ui(value_, number); }
  Integer(const Integer& other) { mpz_init_set(value_, other.value_); }
  Integer(Integer&& other) noexcept : Integer() { mpz_swap(value_, other.value_); }
  Integer& operator=(const Integer& other) {
    if (this != &other) mpz_set(value_, other.value_);
    return *this;
  }
  Integer& operator=(Integer&& other) noexcept {
    mpz_swap(value_, other.value_);
    return *this;
  }
  ~Integer();

  // Little-endian, any length.
  [[nodiscard]] static Integer from_bytes(ByteSpan bytes);
  [[nodiscard]] static Integer from_words(std::span<const std::uint64_t> words);
  // Uniform with exactly `bits` random bits, of which the highest may be 0.
  [[nodiscard]] static Integer random_bits(std::size_t bits, Stream& stream);
  // Uniform in [0, bound).
  [[nodiscard]] static Integer random_below(const Integer& bound, Stream& stream);

  // Zero-padded. The value must fit (checked).
  void to_words(std::span<std::uint64_t> words) const;
  void to_bytes(std::span<std::uint8_t> bytes) const;

  [[nodiscard]] mpz_ptr raw() { return value_; }
  [[nodiscard]] mpz_srcptr raw() const { return value_; }
  [[nodiscard]] std::size_t bits() const { return mpz_sgn(value_) == 0 ? 0 : mpz_sizeinbase(value_, 2); }
  [[nodiscard]] bool odd() const { return mpz_odd_p(value_) != 0; }

  friend bool operator==(const Integer& a, const Integer& b) { return mpz_cmp(a.value_, b.value_) == 0; }
  friend bool operator<(const Integer& a, const Integer& b) { return mpz_cmp(a.value_, b.value_) < 0; }

 private:
  mpz_t value_;
};

[[nodiscard]] Integer operator+(const Integer& a, const Integer& b);
[[nodiscard]] Integer operator-(const Integer& a, const Integer& b);  // may be negative; only as an operand of mod
[[nodiscard]] Integer operator*(const Integer& a, const Integer& b);
[[nodiscard]] Integer operator/(const Integer& a, const Integer& b);  // floor
[[nodiscard]] Integer mod(const Integer& a, const Integer& modulus);  // in [0, modulus)
[[nodiscard]] Integer power_of_two(std::size_t exponent);
[[nodiscard]] Integer gcd(const Integer& a, const Integer& b);
// 1/a mod modulus. a must be a unit (checked).
[[nodiscard]] Integer inverse(const Integer& a, const Integer& modulus);
// base^exponent mod an odd modulus, exponent > 0 and secret (mpz_powm_sec).
[[nodiscard]] Integer secret_power(const Integer& base, const Integer& exponent, const Integer& modulus);

}  // namespace ppdnmf::crypto::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_INTEGER_H_
