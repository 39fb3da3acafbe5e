// The AVX-512 IFMA instance of the lane arithmetic.
#ifndef PPDNMF_CRYPTO_INTERNAL_IFMA_LANES_H_
#define PPDNMF_CRYPTO_INTERNAL_IFMA_LANES_H_

#include <ppdnmf/crypto/internal/lane_arithmetic.h>

namespace ppdnmf::crypto::internal {

// Null if the compiler could not build it. Whether this processor can run it is for the caller to ask.
const ModularLanes* ifma_functions();

}  // namespace ppdnmf::crypto::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_IFMA_LANES_H_
