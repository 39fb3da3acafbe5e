#include "crypto/internal/masked_select.h"

#include <cstring>

namespace ppdnmf::internal {
namespace {

using Four [[gnu::vector_size(32)]] = std::uint64_t;

inline std::uint64_t mask_if_equal(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t difference = a ^ b;
  return ((difference | (0 - difference)) >> 63) - 1;
}

// Sixteen words of the output at a time stay in registers while the entries pass by.
[[gnu::always_inline]] inline void select_body(std::uint64_t* out, const std::uint64_t* table, std::size_t words,
                                               std::size_t entries, std::uint64_t index) {
  std::size_t w = 0;
  for (; w + 16 <= words; w += 16) {
    Four found[4] = {};
    for (std::size_t e = 0; e < entries; ++e) {
      const std::uint64_t mask = mask_if_equal(e, index);
      const Four wide = {mask, mask, mask, mask};
#pragma GCC unroll 4
      for (int k = 0; k < 4; ++k) {
        Four entry;
        std::memcpy(&entry, table + e * words + w + 4 * static_cast<std::size_t>(k), sizeof entry);
        found[k] |= entry & wide;
      }
    }
    std::memcpy(out + w, found, sizeof found);
  }
  for (; w < words; ++w) {
    std::uint64_t found = 0;
    for (std::size_t e = 0; e < entries; ++e) found |= table[e * words + w] & mask_if_equal(e, index);
    out[w] = found;
  }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void select_avx2(std::uint64_t* out, const std::uint64_t* table, std::size_t words,
                                         std::size_t entries, std::uint64_t index) {
  select_body(out, table, words, entries, index);
}
#endif

}  // namespace

void masked_select(std::uint64_t* out, const std::uint64_t* table, std::size_t words, std::size_t entries,
                   std::uint64_t index) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") != 0) return select_avx2(out, table, words, entries, index);
#endif
  select_body(out, table, words, entries, index);
}

}  // namespace ppdnmf::internal
