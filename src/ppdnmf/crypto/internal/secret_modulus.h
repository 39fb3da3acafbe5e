// Residues modulo a secret number of a public length, without branches or addresses that depend on them (GMP's
// mpn_sec_* functions).
#ifndef PPDNMF_CRYPTO_INTERNAL_SECRET_MODULUS_H_
#define PPDNMF_CRYPTO_INTERNAL_SECRET_MODULUS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include <ppdnmf/crypto/internal/integer.h>
#include <ppdnmf/crypto/secret.h>

namespace ppdnmf::crypto::internal {

using Words = std::span<std::uint64_t>;
using ConstWords = std::span<const std::uint64_t>;

// out = a b; out.size() = a.size() + b.size() and a.size() >= b.size() (checked).
void secret_multiply(Words out, ConstWords a, ConstWords b);
// a += b, a.size() >= b.size() (checked). Returns the carry.
std::uint64_t secret_add(Words a, ConstWords b);

// Immutable; safe to share between threads. Residues have size() words.
class SecretModulus {
 public:
  SecretModulus() = default;
  explicit SecretModulus(const Integer& modulus);

  [[nodiscard]] std::size_t size() const { return modulus_.size(); }
  [[nodiscard]] ConstWords words() const { return modulus_.span(); }

  // out = value mod m; value.size() >= size() (checked).
  void reduce(Words out, ConstWords value) const;
  // value = quotient m + remainder, for a value of 2 size() words whose quotient has size() words.
  void divide(Words quotient, Words remainder, ConstWords value) const;
  // out = a b mod m for residues a, b.
  void multiply(Words out, ConstWords a, ConstWords b) const;
  // out = a - b mod m for residues a, b; out may be a.
  void subtract(Words out, ConstWords a, ConstWords b) const;

 private:
  SecretWords modulus_;
};

}  // namespace ppdnmf::crypto::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_SECRET_MODULUS_H_
