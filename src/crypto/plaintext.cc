#include "crypto/plaintext.h"

#include "base/result.h"
#include "crypto/internal/key_data.h"

namespace ppdnmf {

using internal::limbs;

Plaintexts::Plaintexts(const PublicKey& key, std::size_t count)
    : key_(key), count_(count), words_(count * key.plaintext_words()) {}

void Plaintexts::add(std::size_t i, std::span<const std::uint64_t> addend) {
  const auto size = static_cast<mp_size_t>(key_.plaintext_words());
  PPDNMF_CHECK(addend.size() == key_.plaintext_words());
  mp_limb_t* value = limbs(residue(i).data());
  const mp_limb_t* n = mpz_limbs_read(key_.data().n.raw());
  const mp_limb_t carry = mpn_add_n(value, value, limbs(addend.data()), size);
  SecretWords difference(key_.plaintext_words());
  const mp_limb_t borrow = mpn_sub_n(limbs(difference.data()), value, n, size);
  mpn_cnd_sub_n(carry | (1 - borrow), value, value, n, size);
}

void Plaintexts::subtract(std::size_t i, std::span<const std::uint64_t> subtrahend) {
  const auto size = static_cast<mp_size_t>(key_.plaintext_words());
  PPDNMF_CHECK(subtrahend.size() == key_.plaintext_words());
  mp_limb_t* value = limbs(residue(i).data());
  const mp_limb_t borrow = mpn_sub_n(value, value, limbs(subtrahend.data()), size);
  mpn_cnd_add_n(borrow, value, value, mpz_limbs_read(key_.data().n.raw()), size);
}

}  // namespace ppdnmf
