// A table lookup that reads the whole table.
#ifndef PPDNMF_CRYPTO_INTERNAL_MASKED_SELECT_H_
#define PPDNMF_CRYPTO_INTERNAL_MASKED_SELECT_H_

#include <cstddef>
#include <cstdint>

namespace ppdnmf::internal {

// out = entry `index` of `entries` entries of `words` words each. Secret index: which memory is read, and in which
// order, depends on the sizes only. index < entries, else out becomes 0.
void masked_select(std::uint64_t* out, const std::uint64_t* table, std::size_t words, std::size_t entries,
                   std::uint64_t index);

}  // namespace ppdnmf::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_MASKED_SELECT_H_
