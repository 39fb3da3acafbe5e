// Numbers that tests draw: random ones, and ones that provoke long carries.
#ifndef PPDNMF_CRYPTO_INTERNAL_TEST_NUMBERS_H_
#define PPDNMF_CRYPTO_INTERNAL_TEST_NUMBERS_H_

#include <ppdnmf/crypto/internal/integer.h>

namespace ppdnmf::crypto::internal {

// In [0, bound): next to the bound, a power of two or one less, tiny, long runs of ones and zeros, or plainly random.
inline Integer awkward_below(const Integer& bound, Stream& stream) {
  switch (stream.below(6)) {
    case 0:
      return mod(bound - Integer(1 + stream.below(3)), bound);
    case 1:
      return mod(power_of_two(stream.below(bound.bits())) - Integer(stream.below(2)), bound);
    case 2:
      return Integer(stream.below(3));
    case 3: {
      Integer out;
      for (std::size_t bit = 0; bit < bound.bits();) {
        const std::size_t run = 1 + stream.below(200);
        const bool ones = stream.below(2) == 1;
        for (std::size_t i = bit; ones && i < bit + run; ++i) mpz_setbit(out.raw(), i);
        bit += run;
      }
      return mod(out, bound);
    }
    default:
      return Integer::random_below(bound, stream);
  }
}

}  // namespace ppdnmf::crypto::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_TEST_NUMBERS_H_
