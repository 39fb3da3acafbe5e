// Table lookups that read the whole table.
#ifndef PPDNMF_CRYPTO_INTERNAL_MASKED_SELECT_H_
#define PPDNMF_CRYPTO_INTERNAL_MASKED_SELECT_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace ppdnmf::crypto::internal {

// Lookup i: the `words` words at out + i out_stride = entry index[i] of `entries` entries of `words` words each. Secret
// indices: which memory is read, and in which order, depends on the sizes only. index[i] < entries.
void masked_select(std::uint64_t* out, std::size_t out_stride, const std::uint64_t* table, std::size_t words,
                   std::size_t entries, std::span<const std::uint64_t> index);

}  // namespace ppdnmf::crypto::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_MASKED_SELECT_H_
