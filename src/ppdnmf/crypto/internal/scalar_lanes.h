// The lane arithmetic over plain 64-bit words: eight lanes one after the other. Slow; for tests and for checking the
// algorithm's control flow and addresses with tools that do not know AVX-512.
#ifndef PPDNMF_CRYPTO_INTERNAL_SCALAR_LANES_H_
#define PPDNMF_CRYPTO_INTERNAL_SCALAR_LANES_H_

#include <ppdnmf/crypto/internal/lane_arithmetic.h>

namespace ppdnmf::crypto::internal {

const ModularLanes& scalar_functions();

}  // namespace ppdnmf::crypto::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_SCALAR_LANES_H_
