#include <ppdnmf/crypto/paillier.h>

#include <utility>

#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/internal/encryption.h>

namespace ppdnmf::crypto {
namespace {

using internal::check_same_key;
using internal::check_same_layout;
using internal::check_same_size;
using internal::choose_base;
using internal::draw_exponents;
using internal::PeerBase;

Status check_plaintexts(const PublicKey& key, const Plaintexts& plaintexts) {
  PPDNMF_TRY_STATUS(check_same_key(key, plaintexts.key(), "an encryptor and its plaintexts"));
  return plaintexts.check_residues();
}

Status check_query(const PublicKey& key, const Ciphertexts& query) {
  return check_same_layout(key, query.key(), "an encryptor and its ciphertexts");
}

Status check_reply(const PublicKey& key, const Ciphertexts& query, const Plaintexts& addend) {
  PPDNMF_TRY_STATUS(check_query(key, query));
  PPDNMF_TRY_STATUS(check_plaintexts(key, addend));
  return check_same_size(query.size(), addend.size(), "a query and what is added to it");
}

}  // namespace

Result<SecretWords> RandomFactors::use(const void* base, std::size_t count) && {
  const auto drawn_by = std::exchange(base_, nullptr);
  if (drawn_by == nullptr) return error(ErrorCode::kUsage, "random factors were used before; draw new ones");
  if (drawn_by.get() != base) return error(ErrorCode::kUsage, "random factors were drawn by another encryptor");
  PPDNMF_TRY_STATUS(check_same_size(count_, count, "random factors and what they are to hide"));
  return std::move(powers_);
}

PeerEncryptor::PeerEncryptor(const PublicKey& key, Stream& base)
    : base_(std::make_shared<const internal::PeerBase>(key, choose_base(key, base))) {}

const PublicKey& PeerEncryptor::key() const { return base_->key(); }

RandomFactors PeerEncryptor::draw(std::size_t count, Stream& randomness, Executor& executor) const {
  return {base_, count, base_->powers(draw_exponents(key(), count, randomness), executor)};
}

Result<SendableCiphertexts> PeerEncryptor::encrypt(const Plaintexts& plaintexts, Stream& randomness,
                                                   Executor& executor) const {
  PPDNMF_TRY_STATUS(check_plaintexts(key(), plaintexts));
  const SecretWords r = draw_exponents(key(), plaintexts.size(), randomness);
  return SendableCiphertexts(key(), base_->make({.addend = &plaintexts}, plaintexts.size(), r, executor));
}

Result<SendableCiphertexts> PeerEncryptor::reply(const Ciphertexts& query, const Weight& weight,
                                                 const Plaintexts& addend, Stream& randomness,
                                                 Executor& executor) const {
  PPDNMF_TRY_STATUS(check_reply(key(), query, addend));
  return reply(query, weight, addend, draw(query.size(), randomness, executor), executor);
}

Result<SendableCiphertexts> PeerEncryptor::reply(const Ciphertexts& query, const Weight& weight,
                                                 const Plaintexts& addend, RandomFactors factors,
                                                 Executor& executor) const {
  PPDNMF_TRY_STATUS(check_reply(key(), query, addend));
  PPDNMF_TRY(SecretWords powers, std::move(factors).use(base_.get(), query.size()));
  const PeerBase::Recipe recipe{.query = &query, .weight = &weight, .addend = &addend};
  return SendableCiphertexts(key(), base_->finish(recipe, query.size(), std::move(powers), executor));
}

Result<SendableCiphertexts> PeerEncryptor::rerandomise(const Ciphertexts& c, Stream& randomness,
                                                       Executor& executor) const {
  PPDNMF_TRY_STATUS(check_query(key(), c));
  const SecretWords r = draw_exponents(key(), c.size(), randomness);
  return SendableCiphertexts(key(), base_->make({.query = &c}, c.size(), r, executor));
}

Result<AsPrintedCiphertexts> PeerEncryptor::as_printed_reply(const Ciphertexts& query, const Weight& weight,
                                                             const Plaintexts& own, RandomFactors factors,
                                                             Executor& executor) const {
  PPDNMF_TRY_STATUS(check_reply(key(), query, own));
  PPDNMF_TRY(SecretWords powers, std::move(factors).use(base_.get(), query.size()));
  const PeerBase::Recipe recipe{.query = &query, .weight = &weight, .addend = &own, .weight_comes_last = true};
  return AsPrintedCiphertexts(base_->finish(recipe, query.size(), std::move(powers), executor));
}

OwnEncryptor::OwnEncryptor(const PrivateKey& key, Stream& base)
    : base_(std::make_shared<const internal::OwnBase>(key.data(), choose_base(key.public_key(), base))) {}

RandomFactors OwnEncryptor::draw(std::size_t count, Stream& randomness, Executor& executor) const {
  return {base_, count, base_->powers(draw_exponents(base_->key(), count, randomness), executor)};
}

Result<SendableCiphertexts> OwnEncryptor::encrypt(const Plaintexts& plaintexts, Stream& randomness,
                                                  Executor& executor) const {
  PPDNMF_TRY_STATUS(check_plaintexts(base_->key(), plaintexts));
  return encrypt(plaintexts, draw(plaintexts.size(), randomness, executor), executor);
}

Result<SendableCiphertexts> OwnEncryptor::encrypt(const Plaintexts& plaintexts, RandomFactors factors,
                                                  Executor& executor) const {
  PPDNMF_TRY_STATUS(check_plaintexts(base_->key(), plaintexts));
  PPDNMF_TRY(SecretWords powers, std::move(factors).use(base_.get(), plaintexts.size()));
  return SendableCiphertexts(base_->key(), base_->finish(plaintexts, std::move(powers), executor));
}

}  // namespace ppdnmf::crypto
