// Encryption with given h and r: what stands behind the encryptors, and what known answers are tested on. The
// encryptors have checked that keys, kernels and lengths agree and that plaintexts are below n; nothing here does.
#ifndef PPDNMF_CRYPTO_INTERNAL_ENCRYPTION_H_
#define PPDNMF_CRYPTO_INTERNAL_ENCRYPTION_H_

#include <ppdnmf/base/executor.h>
#include <ppdnmf/crypto/ciphertext.h>
#include <ppdnmf/crypto/internal/key_data.h>
#include <ppdnmf/crypto/internal/power.h>
#include <ppdnmf/crypto/plaintext.h>

namespace ppdnmf::crypto::internal {

// h = -x^2 mod n for a random unit x (standard profile), or the key's own h (fast profile).
[[nodiscard]] Integer choose_base(const PublicKey& key, Stream& stream);

// r[0 .. count), padded with zeros to whole groups of eight; ceil(exponent_bits / 64) words each.
[[nodiscard]] SecretWords draw_exponents(const PublicKey& key, std::size_t count, Stream& stream);

class PeerBase {
 public:
  PeerBase(const PublicKey& key, const Integer& h);

  // What an output is made of; a part that is null is left out.
  struct Recipe {
    const Ciphertexts* query = nullptr;
    const Weight* weight = nullptr;  // 1 if null
    const Plaintexts* addend = nullptr;
    bool weight_comes_last = false;  // the paper's order: the weight is a power of the whole product
  };
  // (h^n)^r for each r, in groups of eight in Montgomery form: most of the work, and none of it needs the recipe.
  [[nodiscard]] SecretWords powers(const SecretWords& exponents, Executor& executor) const;
  // query^weight (1 + n addend) (h^n)^r for `count` ciphertexts, as bytes; uses up the powers (h^n)^r.
  [[nodiscard]] Bytes finish(const Recipe& recipe, std::size_t count, SecretWords powers, Executor& executor) const;
  // Both.
  [[nodiscard]] Bytes make(const Recipe& recipe, std::size_t count, const SecretWords& exponents,
                           Executor& executor) const {
    return finish(recipe, count, powers(exponents, executor), executor);
  }
  [[nodiscard]] const PublicKey& key() const { return key_; }
  [[nodiscard]] const FixedBase& fixed_base() const { return fixed_base_; }

 private:
  void finish_group(const Recipe& recipe, std::size_t g, std::size_t count, std::uint64_t* result, Bytes& out) const;

  PublicKey key_;
  FixedBase fixed_base_;  // of h^n modulo n^2
};

class OwnBase {
 public:
  OwnBase(std::shared_ptr<const PrivateKeyData> key, const Integer& h);

  // (h^n)^r for each r modulo p^2, then the same modulo q^2.
  [[nodiscard]] SecretWords powers(const SecretWords& exponents, Executor& executor) const;
  // (1 + n m) (h^n)^r as bytes; uses up the powers.
  [[nodiscard]] Bytes finish(const Plaintexts& plaintexts, SecretWords powers, Executor& executor) const;
  // Both.
  [[nodiscard]] Bytes encrypt(const Plaintexts& plaintexts, const SecretWords& exponents, Executor& executor) const {
    return finish(plaintexts, powers(exponents, executor), executor);
  }
  [[nodiscard]] const PublicKey& key() const { return key_->public_key; }

 private:
  [[nodiscard]] Integer join(ConstWords a, ConstWords b) const;
  void add_plaintexts(const PrimePart& part, const Plaintexts& plaintexts, std::size_t g, std::uint64_t* result) const;

  std::shared_ptr<const PrivateKeyData> key_;
  FixedBase fixed_p_;  // of h^n modulo p^2
  FixedBase fixed_q_;
};

}  // namespace ppdnmf::crypto::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_ENCRYPTION_H_
