// Decryption up to the question whether it succeeded: what stands behind decrypt, and what is checked for constant
// time.
#ifndef PPDNMF_CRYPTO_INTERNAL_DECRYPTION_H_
#define PPDNMF_CRYPTO_INTERNAL_DECRYPTION_H_

#include <ppdnmf/base/executor.h>
#include <ppdnmf/crypto/ciphertext.h>
#include <ppdnmf/crypto/internal/key_data.h>
#include <ppdnmf/crypto/plaintext.h>

namespace ppdnmf::crypto::internal {

struct Decryption {
  Plaintexts plaintexts;
  // One word a ciphertext: 0 if its power is 1 modulo p and q, as that of every encryption with the key's h is. Else
  // the plaintext means nothing.
  SecretWords foreign;
};

// Branches on nothing that is secret. `ciphertexts` are under this key, on any kernel.
[[nodiscard]] Decryption decrypt_unseen(const PrivateKeyData& key, const Ciphertexts& ciphertexts, Executor& executor);

}  // namespace ppdnmf::crypto::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_DECRYPTION_H_
