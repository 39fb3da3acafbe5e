#include <ppdnmf/crypto/internal/integer.h>

#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/secret.h>

namespace ppdnmf::crypto::internal {

Integer::~Integer() {
  wipe(value_->_mp_d, static_cast<std::size_t>(value_->_mp_alloc) * sizeof(mp_limb_t));
  mpz_clear(value_);
}

Integer Integer::from_bytes(ByteSpan bytes) {
  Integer out;
  mpz_import(out.value_, bytes.size(), -1, 1, 0, 0, bytes.data());
  return out;
}

Integer Integer::from_words(std::span<const std::uint64_t> words) {
  Integer out;
  mpz_import(out.value_, words.size(), -1, sizeof(std::uint64_t), 0, 0, words.data());
  return out;
}

Integer Integer::random_bits(std::size_t bits, Stream& stream) {
  SecretWords words((bits + 63) / 64);
  stream.fill({reinterpret_cast<std::uint8_t*>(words.data()), words.size() * sizeof(std::uint64_t)});
  if (bits % 64 != 0) words.data()[words.size() - 1] &= (std::uint64_t{1} << (bits % 64)) - 1;
  return from_words(words.span());
}

Integer Integer::random_below(const Integer& bound, Stream& stream) {
  for (;;) {
    Integer candidate = random_bits(bound.bits(), stream);
    if (candidate < bound) return candidate;
  }
}

void Integer::to_words(std::span<std::uint64_t> words) const {
  PPDNMF_CHECK(mpz_sgn(value_) >= 0 && mpz_size(value_) <= words.size());
  const mp_limb_t* from = mpz_limbs_read(value_);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = i < mpz_size(value_) ? from[i] : 0;
}

void Integer::to_bytes(std::span<std::uint8_t> bytes) const {
  PPDNMF_CHECK(mpz_sgn(value_) >= 0 && bits() <= 8 * bytes.size());
  std::size_t count = 0;
  mpz_export(bytes.data(), &count, -1, 1, 0, 0, value_);
  for (std::size_t i = count; i < bytes.size(); ++i) bytes[i] = 0;
}

Integer operator+(const Integer& a, const Integer& b) {
  Integer out;
  mpz_add(out.raw(), a.raw(), b.raw());
  return out;
}

Integer operator-(const Integer& a, const Integer& b) {
  Integer out;
  mpz_sub(out.raw(), a.raw(), b.raw());
  return out;
}

Integer operator*(const Integer& a, const Integer& b) {
  Integer out;
  mpz_mul(out.raw(), a.raw(), b.raw());
  return out;
}

Integer operator/(const Integer& a, const Integer& b) {
  Integer out;
  mpz_fdiv_q(out.raw(), a.raw(), b.raw());
  return out;
}

Integer mod(const Integer& a, const Integer& modulus) {
  Integer out;
  mpz_mod(out.raw(), a.raw(), modulus.raw());
  return out;
}

Integer power_of_two(std::size_t exponent) {
  Integer out;
  mpz_setbit(out.raw(), exponent);
  return out;
}

Integer gcd(const Integer& a, const Integer& b) {
  Integer out;
  mpz_gcd(out.raw(), a.raw(), b.raw());
  return out;
}

Integer inverse(const Integer& a, const Integer& modulus) {
  Integer out;
  PPDNMF_CHECK(mpz_invert(out.raw(), a.raw(), modulus.raw()) != 0);
  return out;
}

Integer secret_power(const Integer& base, const Integer& exponent, const Integer& modulus) {
  Integer out;
  mpz_powm_sec(out.raw(), base.raw(), exponent.raw(), modulus.raw());
  return out;
}

}  // namespace ppdnmf::crypto::internal
