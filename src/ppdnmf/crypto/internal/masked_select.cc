#include <ppdnmf/crypto/internal/masked_select.h>

#include <ppdnmf/crypto/internal/integer.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ppdnmf::crypto::internal {
namespace {

#if defined(__x86_64__)

// The first 4 kVectors words of the entries, for every index in turn: those columns of the table then stay in the
// first cache, and the words of the output in registers while the entries pass by.
template <std::size_t kVectors>
[[gnu::target("avx2")]] void select_columns(std::uint64_t* out, std::size_t out_stride, const std::uint64_t* table,
                                            std::size_t words, std::size_t entries,
                                            std::span<const std::uint64_t> index) {
  const __m256i one = _mm256_set1_epi64x(1);
  for (std::size_t i = 0; i < index.size(); ++i) {
    const __m256i wanted = _mm256_set1_epi64x(static_cast<long long>(index[i]));
    __m256i number = _mm256_setzero_si256();
    __m256i found[kVectors];
#pragma GCC unroll 8
    for (auto& vector : found) vector = _mm256_setzero_si256();
    const std::uint64_t* from = table;
    for (std::size_t e = 0; e < entries; ++e, from += words) {
      const __m256i mask = _mm256_cmpeq_epi64(number, wanted);
      number = _mm256_add_epi64(number, one);
#pragma GCC unroll 8
      for (std::size_t k = 0; k < kVectors; ++k) {
        const __m256i entry = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + 4 * k));
        found[k] = _mm256_or_si256(found[k], _mm256_and_si256(entry, mask));
      }
    }
#pragma GCC unroll 8
    for (std::size_t k = 0; k < kVectors; ++k) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i * out_stride + 4 * k), found[k]);
    }
  }
}

#endif

}  // namespace

void masked_select(std::uint64_t* out, std::size_t out_stride, const std::uint64_t* table, std::size_t words,
                   std::size_t entries, std::span<const std::uint64_t> index) {
#if defined(__x86_64__)
  if (words % 4 == 0 && __builtin_cpu_supports("avx2") != 0) {
    std::size_t w = 0;
    for (; w + 32 <= words; w += 32) select_columns<8>(out + w, out_stride, table + w, words, entries, index);
    for (; w + 16 <= words; w += 16) select_columns<4>(out + w, out_stride, table + w, words, entries, index);
    for (; w < words; w += 4) select_columns<1>(out + w, out_stride, table + w, words, entries, index);
    return;
  }
#endif
  for (std::size_t i = 0; i < index.size(); ++i) {
    mpn_sec_tabselect(limbs(out + i * out_stride), limbs(table), static_cast<mp_size_t>(words),
                      static_cast<mp_size_t>(entries), static_cast<mp_size_t>(index[i]));
  }
}

}  // namespace ppdnmf::crypto::internal
