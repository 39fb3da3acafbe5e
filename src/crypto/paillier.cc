#include "crypto/paillier.h"

#include "base/result.h"
#include "crypto/internal/encryption.h"

namespace ppdnmf {

using internal::choose_base;
using internal::draw_exponents;
using internal::PeerBase;

PeerEncryptor::PeerEncryptor(const PublicKey& key, Stream& base)
    : base_(std::make_shared<const internal::PeerBase>(key, choose_base(key, base))) {}

const PublicKey& PeerEncryptor::key() const { return base_->key(); }

SendableCiphertexts PeerEncryptor::encrypt(const Plaintexts& plaintexts, Stream& randomness, Executor& executor) const {
  PPDNMF_CHECK(plaintexts.key().same_as(key()));
  const SecretWords r = draw_exponents(key(), plaintexts.size(), randomness);
  return {key(), base_->make({.addend = &plaintexts}, plaintexts.size(), r, executor)};
}

SendableCiphertexts PeerEncryptor::reply(const Ciphertexts& query, const Weight& weight, const Plaintexts& addend,
                                         Stream& randomness, Executor& executor) const {
  PPDNMF_CHECK(query.key().same_as(key()) && addend.key().same_as(key()) && query.size() == addend.size());
  const SecretWords r = draw_exponents(key(), query.size(), randomness);
  const PeerBase::Recipe recipe{.query = &query, .weight = &weight, .addend = &addend};
  return {key(), base_->make(recipe, query.size(), r, executor)};
}

SendableCiphertexts PeerEncryptor::rerandomise(const Ciphertexts& c, Stream& randomness, Executor& executor) const {
  PPDNMF_CHECK(c.key().same_as(key()));
  const SecretWords r = draw_exponents(key(), c.size(), randomness);
  return {key(), base_->make({.query = &c}, c.size(), r, executor)};
}

AsPrintedCiphertexts PeerEncryptor::as_printed_reply(const Ciphertexts& query, const Weight& weight,
                                                     const Plaintexts& own, Stream& randomness,
                                                     Executor& executor) const {
  PPDNMF_CHECK(query.key().same_as(key()) && own.key().same_as(key()) && query.size() == own.size());
  const SecretWords r = draw_exponents(key(), query.size(), randomness);
  const PeerBase::Recipe recipe{.query = &query, .weight = &weight, .addend = &own, .weight_comes_last = true};
  return AsPrintedCiphertexts(base_->make(recipe, query.size(), r, executor));
}

OwnEncryptor::OwnEncryptor(const PrivateKey& key, Stream& base)
    : base_(std::make_shared<const internal::OwnBase>(key.data(), choose_base(key.public_key(), base))) {}

SendableCiphertexts OwnEncryptor::encrypt(const Plaintexts& plaintexts, Stream& randomness, Executor& executor) const {
  const SecretWords r = draw_exponents(base_->key(), plaintexts.size(), randomness);
  return {base_->key(), base_->encrypt(plaintexts, r, executor)};
}

}  // namespace ppdnmf
