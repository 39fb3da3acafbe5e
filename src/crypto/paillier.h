// Encrypting and decrypting batches. Everything is done eight ciphertexts at a time; groups of eight are the tasks
// handed to the executor. The same stream gives the same bytes on every kernel and any number of threads.
//
// One exchange reads:
//   query    OwnEncryptor::encrypt(pack(-u))                              -> bytes to every neighbour
//   reply    PeerEncryptor::reply(decode(query), G, pack(G u + e) + masks) -> bytes back
//   finish   decrypt(key, sum(decode(replies)))                            -> unpack
#ifndef PPDNMF_CRYPTO_PAILLIER_H_
#define PPDNMF_CRYPTO_PAILLIER_H_

#include <memory>

#include "base/executor.h"
#include "base/random.h"
#include "crypto/ciphertext.h"
#include "crypto/key.h"
#include "crypto/plaintext.h"

namespace ppdnmf {

namespace internal {
class PeerBase;
class OwnBase;
}  // namespace internal

// Encrypts for somebody else's key. Holds tables of powers of h^n (a few megabytes). Immutable and cheap to copy.
class PeerEncryptor {
 public:
  // Standard profile: draws x from the stream and uses h = -x^2 mod n, so that the key's owner has no say in h. Fast
  // profile: uses the owner's h; the stream is not touched.
  PeerEncryptor(const PublicKey& key, Stream& base);

  // (1 + n m[t]) (h^n)^r[t] mod n^2, r drawn from `randomness`.
  [[nodiscard]] SendableCiphertexts encrypt(const Plaintexts& plaintexts, Stream& randomness, Executor& executor) const;
  // query[t]^weight (1 + n addend[t]) (h^n)^r[t] mod n^2: an encryption of weight * query + addend. Same sizes and keys
  // (checked). Takes a time that does not depend on the weight's value.
  [[nodiscard]] SendableCiphertexts reply(const Ciphertexts& query, const Weight& weight, const Plaintexts& addend,
                                          Stream& randomness, Executor& executor) const;
  // c[t] (h^n)^r[t] mod n^2: another encryption of the same.
  [[nodiscard]] SendableCiphertexts rerandomise(const Ciphertexts& c, Stream& randomness, Executor& executor) const;

  // The paper's reply, (query[t] Enc(own[t]))^weight. The key's owner can read the weight off it: for attacking only.
  [[nodiscard]] AsPrintedCiphertexts as_printed_reply(const Ciphertexts& query, const Weight& weight,
                                                      const Plaintexts& own, Stream& randomness,
                                                      Executor& executor) const;

  [[nodiscard]] const PublicKey& key() const;

 private:
  std::shared_ptr<const internal::PeerBase> base_;
};

// Encrypts for one's own key, modulo p^2 and q^2 apart: about six times as fast as for a peer, and the same bytes for
// the same h and r.
class OwnEncryptor {
 public:
  // h as in PeerEncryptor.
  OwnEncryptor(const PrivateKey& key, Stream& base);

  [[nodiscard]] SendableCiphertexts encrypt(const Plaintexts& plaintexts, Stream& randomness, Executor& executor) const;

 private:
  std::shared_ptr<const internal::OwnBase> base_;
};

// The residues modulo n that were encrypted. Total: every Ciphertexts under the key has a decryption. Same key
// (checked).
[[nodiscard]] Plaintexts decrypt(const PrivateKey& key, const Ciphertexts& ciphertexts, Executor& executor);

}  // namespace ppdnmf

#endif  // PPDNMF_CRYPTO_PAILLIER_H_
