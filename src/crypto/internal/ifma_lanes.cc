// The lane arithmetic on AVX-512 IFMA. The only file compiled for more than the baseline instruction set: everything
// in it has internal linkage, so that nothing of it can be called on a machine that lacks the instructions.
#include "crypto/internal/ifma_lanes.h"

#if defined(__AVX512F__) && defined(__AVX512IFMA__)

#include <immintrin.h>

namespace ppdnmf::internal {
namespace {

constexpr long long kDigitMask = (1LL << kLaneDigitBits) - 1;  // NOLINT(google-runtime-int): the intrinsics' type

struct Zmm {
  using T = __m512i;
  static T zero() { return _mm512_setzero_si512(); }
  static T load(const uint64_t* from) { return _mm512_load_si512(from); }
  static void store(uint64_t* to, T value) { _mm512_store_si512(to, value); }
  static T broadcast(const uint64_t* word) { return _mm512_set1_epi64(static_cast<long long>(*word)); }
  static T add(T a, T b) { return _mm512_add_epi64(a, b); }
  static T multiply_low(T sum, T a, T b) { return _mm512_madd52lo_epu64(sum, a, b); }
  static T multiply_high(T sum, T a, T b) { return _mm512_madd52hi_epu64(sum, a, b); }
  static T low_digit(T a) { return _mm512_and_si512(a, _mm512_set1_epi64(kDigitMask)); }
  static T high_part(T a) { return _mm512_srli_epi64(a, kLaneDigitBits); }
  static T complement(T digit) { return _mm512_xor_si512(digit, _mm512_set1_epi64(kDigitMask)); }
  // The carry when a number with 52 low bits like `a`'s opposite is added: a >> 52, and one more unless they are 0.
  static T carry_of_cancelled(T a) {
    return high_part(_mm512_add_epi64(a, _mm512_set1_epi64(kDigitMask)));
  }
  // Words wanted[l] of a row: in-register permutations among sixteen words, then blends by the higher index bits.
  static T lookup(const uint64_t* row, size_t entries, T wanted) {
    T found = _mm512_permutex2var_epi64(load(row), wanted, load(row + 8));
    const T chunk = _mm512_srli_epi64(wanted, 4);
    for (size_t first = 16; first < entries; first += 16) {
      const T here = _mm512_permutex2var_epi64(load(row + first), wanted, load(row + first + 8));
      const __mmask8 hit = _mm512_cmpeq_epi64_mask(chunk, _mm512_set1_epi64(static_cast<long long>(first / 16)));
      found = _mm512_mask_mov_epi64(found, hit, here);
    }
    return found;
  }
  static T keep_if_equal(T found, T candidate, uint64_t number, uint64_t wanted) {
    const __mmask8 hit = _mm512_cmpeq_epi64_mask(_mm512_set1_epi64(static_cast<long long>(number)),
                                                 _mm512_set1_epi64(static_cast<long long>(wanted)));
    return _mm512_mask_mov_epi64(found, hit, candidate);
  }
};

constexpr LaneFunctions kFunctions = LaneArithmetic<Zmm>::functions();

}  // namespace

const LaneFunctions* ifma_functions() { return &kFunctions; }

}  // namespace ppdnmf::internal

#else

namespace ppdnmf::internal {

const LaneFunctions* ifma_functions() { return nullptr; }

}  // namespace ppdnmf::internal

#endif
