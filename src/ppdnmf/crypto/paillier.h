// Encrypting and decrypting batches. Everything is done eight ciphertexts at a time; groups of eight are the tasks
// handed to the executor. The same stream gives the same bytes on every kernel and any number of threads.
//
// Most of the work of an encryption is its random factor, which needs no message: an encryptor can draw the factors of
// a batch beforehand, or leave that to the encryption itself. The bytes are the same.
//
// One round reads:
//   query    OwnEncryptor::encrypt(pack(-u))                              -> bytes to every neighbour
//   reply    PeerEncryptor::reply(decode(query), G, pack(G u + e) + masks) -> bytes back
//   finish   decrypt(key, sum(decode(replies)))                            -> unpack
#ifndef PPDNMF_CRYPTO_PAILLIER_H_
#define PPDNMF_CRYPTO_PAILLIER_H_

#include <memory>
#include <utility>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/ciphertext.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/crypto/plaintext.h>
#include <ppdnmf/crypto/secret.h>

namespace ppdnmf::crypto {

namespace internal {
class PeerBase;
class OwnBase;
}  // namespace internal

// The factors (h^n)^r of one batch, drawn before it is known what they will hide. Move-only and wiped; the encryption
// that takes them uses them up, since two ciphertexts with the same factor give away the difference of their
// plaintexts.
class RandomFactors {
 public:
  [[nodiscard]] std::size_t size() const { return count_; }

 private:
  friend class PeerEncryptor;
  friend class OwnEncryptor;
  RandomFactors(std::shared_ptr<const void> base, std::size_t count, SecretWords powers)
      : base_(std::move(base)), count_(count), powers_(std::move(powers)) {}
  // The powers. Fails with kUsage unless they are `count`, unused, and drawn by the encryptor with this base.
  [[nodiscard]] Result<SecretWords> use(const void* base, std::size_t count) &&;

  std::shared_ptr<const void> base_;
  std::size_t count_;
  SecretWords powers_;
};

// Encrypts for somebody else's key. Holds tables of powers of h^n (a few megabytes). Immutable and cheap to copy.
// What it is given fails with kUsage if it belongs to another key, if lengths differ, if a plaintext is not below n, or
// if factors were used before or drawn by another encryptor. Nothing is then drawn from `randomness`.
class PeerEncryptor {
 public:
  // Standard profile: draws x from the stream and uses h = -x^2 mod n, so that the key's owner has no say in h. Fast
  // profile: uses the owner's h; the stream is not touched.
  PeerEncryptor(const PublicKey& key, Stream& base);

  // (h^n)^r[t] for `count` numbers r drawn from `randomness`.
  [[nodiscard]] RandomFactors draw(std::size_t count, Stream& randomness, Executor& executor) const;

  // (1 + n m[t]) (h^n)^r[t] mod n^2, here and below with r drawn from `randomness`.
  [[nodiscard]] Result<SendableCiphertexts> encrypt(const Plaintexts& plaintexts, Stream& randomness,
                                                    Executor& executor) const;
  // query[t]^weight (1 + n addend[t]) (h^n)^r[t] mod n^2: an encryption of weight * query + addend. Takes a
  // time that does not depend on the weight's value.
  [[nodiscard]] Result<SendableCiphertexts> reply(const Ciphertexts& query, const Weight& weight,
                                                  const Plaintexts& addend, Stream& randomness,
                                                  Executor& executor) const;
  [[nodiscard]] Result<SendableCiphertexts> reply(const Ciphertexts& query, const Weight& weight,
                                                  const Plaintexts& addend, RandomFactors factors,
                                                  Executor& executor) const;
  // c[t] (h^n)^r[t] mod n^2: another encryption of the same.
  [[nodiscard]] Result<SendableCiphertexts> rerandomise(const Ciphertexts& c, Stream& randomness,
                                                        Executor& executor) const;

  // The paper's reply, (query[t] Enc(own[t]))^weight. The key's owner can read the weight off it: for attacking only.
  [[nodiscard]] Result<AsPrintedCiphertexts> as_printed_reply(const Ciphertexts& query, const Weight& weight,
                                                              const Plaintexts& own, RandomFactors factors,
                                                              Executor& executor) const;

  [[nodiscard]] const PublicKey& key() const;

 private:
  std::shared_ptr<const internal::PeerBase> base_;
};

// Encrypts for one's own key, modulo p^2 and q^2 apart: about six times as fast as for a peer, and the same bytes for
// the same h and r. Fails as PeerEncryptor does.
class OwnEncryptor {
 public:
  // h as in PeerEncryptor.
  OwnEncryptor(const PrivateKey& key, Stream& base);

  [[nodiscard]] RandomFactors draw(std::size_t count, Stream& randomness, Executor& executor) const;
  [[nodiscard]] Result<SendableCiphertexts> encrypt(const Plaintexts& plaintexts, Stream& randomness,
                                                    Executor& executor) const;
  [[nodiscard]] Result<SendableCiphertexts> encrypt(const Plaintexts& plaintexts, RandomFactors factors,
                                                    Executor& executor) const;

 private:
  std::shared_ptr<const internal::OwnBase> base_;
};

// The residues modulo n that were encrypted. Fails with kUsage if the ciphertexts are under another key. In the
// standard profile every ciphertext has a decryption. In the fast profile those have one whose randomness is in the
// subgroup of h; another, such as the textbook's (1 + n m) r^n, fails with kPeer, and the message names the first.
[[nodiscard]] Result<Plaintexts> decrypt(const PrivateKey& key, const Ciphertexts& ciphertexts, Executor& executor);

}  // namespace ppdnmf::crypto

#endif  // PPDNMF_CRYPTO_PAILLIER_H_
