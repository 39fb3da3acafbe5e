// The lane arithmetic on AVX-512 IFMA. The only file compiled for more than the baseline instruction set: everything
// in it has internal linkage, so that nothing of it can be called on a machine that lacks the instructions.
#include <ppdnmf/crypto/internal/ifma_lanes.h>

#if defined(__AVX512F__) && defined(__AVX512IFMA__)

#if defined(__GNUC__) && !defined(__clang__)
// GCC's own intrinsics start from a variable that they leave undefined on purpose.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>

namespace ppdnmf::crypto::internal {
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
  static T carry_of_cancelled(T a) { return high_part(_mm512_add_epi64(a, _mm512_set1_epi64(kDigitMask))); }
  // Secret indices, ready for use: permutations take the low four bits, blends the bits above.
  struct Choice {
    T index;
    __mmask8 bit[6];
  };
  static Choice choose(T index) {
    Choice choice{index, {}};
    for (int b = 0; b < 6; ++b) choice.bit[b] = _mm512_test_epi64_mask(index, _mm512_set1_epi64(16LL << b));
    return choice;
  }
  static T choose_of_sixteen(const Choice& choice, T first, T second) {
    return _mm512_permutex2var_epi64(first, choice.index, second);
  }
  static T choose_by_bit(const Choice& choice, size_t bit, T if_zero, T if_one) {
    return _mm512_mask_mov_epi64(if_zero, choice.bit[bit], if_one);
  }
  static T keep_if_equal(T found, T candidate, uint64_t number, uint64_t wanted) {
    const __mmask8 hit = _mm512_cmpeq_epi64_mask(_mm512_set1_epi64(static_cast<long long>(number)),
                                                 _mm512_set1_epi64(static_cast<long long>(wanted)));
    return _mm512_mask_mov_epi64(found, hit, candidate);
  }
};

constexpr ModularLanes kFunctions = LaneArithmetic<Zmm>::functions();

}  // namespace

const ModularLanes* ifma_functions() { return &kFunctions; }

}  // namespace ppdnmf::crypto::internal

#else

namespace ppdnmf::crypto::internal {

const ModularLanes* ifma_functions() { return nullptr; }

}  // namespace ppdnmf::crypto::internal

#endif
