// Finding primes, and telling good moduli from bad ones.
#ifndef PPDNMF_CRYPTO_INTERNAL_PRIME_H_
#define PPDNMF_CRYPTO_INTERNAL_PRIME_H_

#include "base/random.h"
#include "base/result.h"
#include "crypto/internal/integer.h"

namespace ppdnmf::internal {

// Composite with probability below 2^-80 when it says true (Baillie-PSW and Miller-Rabin rounds).
[[nodiscard]] bool is_prime(const Integer& candidate);

// A prime of exactly `bits` bits whose two highest bits are 1, = 3 mod 4. bits >= 64.
[[nodiscard]] Integer random_prime(std::size_t bits, Stream& stream);
// A prime p of exactly `bits` bits whose two highest bits are 1, p = 2 divisor k + 1 with k odd. divisor odd.
[[nodiscard]] Integer random_prime_above(const Integer& divisor, std::size_t bits, Stream& stream);

// What a peer's n must be: exactly `bits` bits, odd, no factor below 2^16, no perfect power, composite. Fails with
// kPeer and says which.
[[nodiscard]] Status check_modulus(const Integer& n, std::size_t bits);

}  // namespace ppdnmf::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_PRIME_H_
