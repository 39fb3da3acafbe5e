// Finding primes, and telling good moduli from bad ones.
#ifndef PPDNMF_CRYPTO_INTERNAL_PRIME_H_
#define PPDNMF_CRYPTO_INTERNAL_PRIME_H_

#include <ppdnmf/base/random.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/internal/integer.h>
#include <ppdnmf/crypto/internal/small_factors.h>

namespace ppdnmf::crypto::internal {

// Composite with probability below 2^-80 when it says true (Baillie-PSW and Miller-Rabin rounds).
[[nodiscard]] bool is_prime(const Integer& candidate);

// A prime of exactly `bits` bits whose two highest bits are 1, = 3 mod 4. bits >= 64.
[[nodiscard]] Integer random_prime(std::size_t bits, Stream& stream);
// A prime p of exactly `bits` bits whose two highest bits are 1, p = 2 divisor k + 1 with k odd. divisor odd.
[[nodiscard]] Integer random_prime_above(const Integer& divisor, std::size_t bits, Stream& stream);

// What a peer's n must be: exactly `bits` bits, odd, composite, no perfect power, no factor that the search finds.
// Fails with kPeer and says which.
[[nodiscard]] Status check_modulus(const Integer& n, std::size_t bits, FactorSearch search);
// What a peer's h must be: 1 < h < n, a unit of Jacobi symbol 1, and h^n of no order up to 4096, nor of one made of
// powers of primes up to 4096, modulo any factor of n. Fails with kPeer and says which.
[[nodiscard]] Status check_generator(const Integer& h, const Integer& n);

}  // namespace ppdnmf::crypto::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_PRIME_H_
