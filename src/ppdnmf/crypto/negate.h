// The opposite of what was encrypted.
#ifndef PPDNMF_CRYPTO_NEGATE_H_
#define PPDNMF_CRYPTO_NEGATE_H_

#include <ppdnmf/crypto/ciphertext.h>

namespace ppdnmf::crypto {

// 1 / c[t] mod n^2, an encryption of -m[t]. Total: ciphertexts are units. One inversion for each lane of the batch and
// three products for each ciphertext. The inversion takes a time that depends on the ciphertexts, which are public.
[[nodiscard]] Ciphertexts negate(const Ciphertexts& c);

}  // namespace ppdnmf::crypto

#endif  // PPDNMF_CRYPTO_NEGATE_H_
