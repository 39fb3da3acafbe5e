#include <ppdnmf/crypto/internal/secret_modulus.h>

#include <algorithm>

#include <ppdnmf/base/result.h>

namespace ppdnmf::crypto::internal {
namespace {

mp_size_t size_of(ConstWords words) { return static_cast<mp_size_t>(words.size()); }

}  // namespace

void secret_multiply(Words out, ConstWords a, ConstWords b) {
  PPDNMF_CHECK(out.size() == a.size() + b.size() && a.size() >= b.size());
  SecretWords scratch(static_cast<std::size_t>(mpn_sec_mul_itch(size_of(a), size_of(b))));
  mpn_sec_mul(limbs(out.data()), limbs(a.data()), size_of(a), limbs(b.data()), size_of(b), limbs(scratch.data()));
}

std::uint64_t secret_add(Words a, ConstWords b) {
  PPDNMF_CHECK(a.size() >= b.size());
  // Padded, because GMP's function for operands of two lengths stops where the carry does.
  SecretWords padded(a.size());
  std::copy(b.begin(), b.end(), padded.data());
  return mpn_add_n(limbs(a.data()), limbs(a.data()), limbs(padded.data()), size_of(a));
}

SecretModulus::SecretModulus(const Integer& modulus) : modulus_((modulus.bits() + 63) / 64) {
  modulus.to_words(modulus_.span());
}

void SecretModulus::reduce(Words out, ConstWords value) const {
  PPDNMF_CHECK(out.size() == size() && value.size() >= size());
  SecretWords work(value.size());
  std::copy(value.begin(), value.end(), work.data());
  SecretWords scratch(static_cast<std::size_t>(mpn_sec_div_r_itch(size_of(value), size_of(words()))));
  mpn_sec_div_r(limbs(work.data()), size_of(value), limbs(modulus_.data()), size_of(words()), limbs(scratch.data()));
  std::copy_n(work.data(), size(), out.data());
}

void SecretModulus::divide(Words quotient, Words remainder, ConstWords value) const {
  PPDNMF_CHECK(quotient.size() == size() && remainder.size() == size() && value.size() == 2 * size());
  SecretWords work(value.size());
  std::copy(value.begin(), value.end(), work.data());
  SecretWords scratch(static_cast<std::size_t>(mpn_sec_div_qr_itch(size_of(value), size_of(words()))));
  mpn_sec_div_qr(limbs(quotient.data()), limbs(work.data()), size_of(value), limbs(modulus_.data()), size_of(words()),
                 limbs(scratch.data()));
  std::copy_n(work.data(), size(), remainder.data());
}

void SecretModulus::multiply(Words out, ConstWords a, ConstWords b) const {
  SecretWords product(2 * size());
  secret_multiply(product.span(), a, b);
  reduce(out, product.span());
}

void SecretModulus::subtract(Words out, ConstWords a, ConstWords b) const {
  PPDNMF_CHECK(out.size() == size() && a.size() == size() && b.size() == size());
  const mp_limb_t borrow = mpn_sub_n(limbs(out.data()), limbs(a.data()), limbs(b.data()), size_of(out));
  mpn_cnd_add_n(borrow, limbs(out.data()), limbs(out.data()), limbs(modulus_.data()), size_of(out));
}

}  // namespace ppdnmf::crypto::internal
