#include "crypto/paillier.h"

#include <utility>

#include "base/result.h"
#include "crypto/internal/encryption.h"

namespace ppdnmf {

using internal::choose_base;
using internal::draw_exponents;
using internal::PeerBase;

SecretWords RandomFactors::use(const void* base, std::size_t count) && {
  PPDNMF_CHECK(std::exchange(base_, nullptr).get() == base && count_ == count);
  return std::move(powers_);
}

PeerEncryptor::PeerEncryptor(const PublicKey& key, Stream& base)
    : base_(std::make_shared<const internal::PeerBase>(key, choose_base(key, base))) {}

const PublicKey& PeerEncryptor::key() const { return base_->key(); }

RandomFactors PeerEncryptor::draw(std::size_t count, Stream& randomness, Executor& executor) const {
  return {base_, count, base_->powers(draw_exponents(key(), count, randomness), executor)};
}

SendableCiphertexts PeerEncryptor::encrypt(const Plaintexts& plaintexts, Stream& randomness, Executor& executor) const {
  PPDNMF_CHECK(plaintexts.key().same_as(key()));
  const SecretWords r = draw_exponents(key(), plaintexts.size(), randomness);
  return {key(), base_->make({.addend = &plaintexts}, plaintexts.size(), r, executor)};
}

SendableCiphertexts PeerEncryptor::reply(const Ciphertexts& query, const Weight& weight, const Plaintexts& addend,
                                         Stream& randomness, Executor& executor) const {
  return reply(query, weight, addend, draw(query.size(), randomness, executor), executor);
}

SendableCiphertexts PeerEncryptor::reply(const Ciphertexts& query, const Weight& weight, const Plaintexts& addend,
                                         RandomFactors factors, Executor& executor) const {
  PPDNMF_CHECK(query.key().same_as(key()) && addend.key().same_as(key()) && query.size() == addend.size());
  const PeerBase::Recipe recipe{.query = &query, .weight = &weight, .addend = &addend};
  return {key(), base_->finish(recipe, query.size(), std::move(factors).use(base_.get(), query.size()), executor)};
}

SendableCiphertexts PeerEncryptor::rerandomise(const Ciphertexts& c, Stream& randomness, Executor& executor) const {
  PPDNMF_CHECK(c.key().same_as(key()));
  const SecretWords r = draw_exponents(key(), c.size(), randomness);
  return {key(), base_->make({.query = &c}, c.size(), r, executor)};
}

AsPrintedCiphertexts PeerEncryptor::as_printed_reply(const Ciphertexts& query, const Weight& weight,
                                                     const Plaintexts& own, RandomFactors factors,
                                                     Executor& executor) const {
  PPDNMF_CHECK(query.key().same_as(key()) && own.key().same_as(key()) && query.size() == own.size());
  const PeerBase::Recipe recipe{.query = &query, .weight = &weight, .addend = &own, .weight_comes_last = true};
  SecretWords powers = std::move(factors).use(base_.get(), query.size());
  return AsPrintedCiphertexts(base_->finish(recipe, query.size(), std::move(powers), executor));
}

OwnEncryptor::OwnEncryptor(const PrivateKey& key, Stream& base)
    : base_(std::make_shared<const internal::OwnBase>(key.data(), choose_base(key.public_key(), base))) {}

RandomFactors OwnEncryptor::draw(std::size_t count, Stream& randomness, Executor& executor) const {
  return {base_, count, base_->powers(draw_exponents(base_->key(), count, randomness), executor)};
}

SendableCiphertexts OwnEncryptor::encrypt(const Plaintexts& plaintexts, Stream& randomness, Executor& executor) const {
  return encrypt(plaintexts, draw(plaintexts.size(), randomness, executor), executor);
}

SendableCiphertexts OwnEncryptor::encrypt(const Plaintexts& plaintexts, RandomFactors factors,
                                          Executor& executor) const {
  SecretWords powers = std::move(factors).use(base_.get(), plaintexts.size());
  return {base_->key(), base_->finish(plaintexts, std::move(powers), executor)};
}

}  // namespace ppdnmf
