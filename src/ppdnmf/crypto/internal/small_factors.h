// Looking for small prime factors of numbers that somebody else chose.
#ifndef PPDNMF_CRYPTO_INTERNAL_SMALL_FACTORS_H_
#define PPDNMF_CRYPTO_INTERNAL_SMALL_FACTORS_H_

#include <cstdint>
#include <vector>

#include <ppdnmf/crypto/internal/integer.h>

namespace ppdnmf::crypto::internal {

// The primes from 3 to below `limit`, rising.
[[nodiscard]] std::vector<std::uint32_t> odd_primes_below(std::uint32_t limit);

// How far to look for factors of a peer's modulus. Weights of a run have at most 24 bits.
enum class FactorSearch : std::uint32_t {
  kQuick = 1U << 16,  // for keys that protect nothing: runs of tests decode thousands of them
  kFull = 1U << 24,
};

// Whether an odd prime below the limit divides n. n > 1 is public. The first call of a process sieves, and what it
// finds is kept (3 MB for kFull). Safe to call from several threads.
[[nodiscard]] bool has_small_factor(const Integer& n, FactorSearch search);

// The least common multiple of the numbers 1 to `limit`: a multiple of every order up to it.
[[nodiscard]] Integer common_multiple_up_to(std::uint32_t limit);

}  // namespace ppdnmf::crypto::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_SMALL_FACTORS_H_
