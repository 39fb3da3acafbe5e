#include <ppdnmf/crypto/plaintext.h>

#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/internal/key_data.h>

namespace ppdnmf::crypto {

using internal::limbs;

namespace {

// 1 if value < n, else 0, in a time that depends on the length only.
std::uint64_t is_below(std::span<const std::uint64_t> value, const internal::Integer& n) {
  SecretWords difference(value.size());
  return mpn_sub_n(limbs(difference.data()), limbs(value.data()), mpz_limbs_read(n.raw()),
                   static_cast<mp_size_t>(value.size()));
}

}  // namespace

Plaintexts::Plaintexts(const PublicKey& key, std::size_t count)
    : key_(key), count_(count), words_(count * key.plaintext_words()) {}

Status Plaintexts::check_operand(std::size_t i, std::span<const std::uint64_t> operand) const {
  if (i >= count_) return error(ErrorCode::kUsage, "there is no plaintext {} among {}", i, count_);
  if (operand.size() != key_.plaintext_words()) {
    return error(ErrorCode::kUsage, "a residue of {} words for a key that has {}", operand.size(),
                 key_.plaintext_words());
  }
  if (is_below(operand, key_.data().n) == 0) {
    return error(ErrorCode::kUsage, "what plaintext {} is changed by is not below the key's n; reduce it first", i);
  }
  return {};
}

Status Plaintexts::check_residues() const {
  std::uint64_t all_below = 1;
  for (std::size_t i = 0; i < count_; ++i) all_below &= is_below(residue(i), key_.data().n);
  if (all_below == 1) return {};
  std::size_t bad = 0;
  while (is_below(residue(bad), key_.data().n) == 1) ++bad;
  return error(ErrorCode::kUsage, "plaintext {} is not below the key's n; reduce it first", bad);
}

Status Plaintexts::add(std::size_t i, std::span<const std::uint64_t> addend) {
  const auto size = static_cast<mp_size_t>(key_.plaintext_words());
  PPDNMF_TRY_STATUS(check_operand(i, addend));
  mp_limb_t* value = limbs(residue(i).data());
  const mp_limb_t* n = mpz_limbs_read(key_.data().n.raw());
  const mp_limb_t carry = mpn_add_n(value, value, limbs(addend.data()), size);
  SecretWords difference(key_.plaintext_words());
  const mp_limb_t borrow = mpn_sub_n(limbs(difference.data()), value, n, size);
  mpn_cnd_sub_n(carry | (1 - borrow), value, value, n, size);
  return {};
}

Status Plaintexts::subtract(std::size_t i, std::span<const std::uint64_t> subtrahend) {
  const auto size = static_cast<mp_size_t>(key_.plaintext_words());
  PPDNMF_TRY_STATUS(check_operand(i, subtrahend));
  mp_limb_t* value = limbs(residue(i).data());
  const mp_limb_t borrow = mpn_sub_n(value, value, limbs(subtrahend.data()), size);
  mpn_cnd_add_n(borrow, value, value, mpz_limbs_read(key_.data().n.raw()), size);
  return {};
}

}  // namespace ppdnmf::crypto
