// Columns that are lent with every entry changed by a number of its column.
#ifndef PPDNMF_DATA_INTERNAL_RESCALED_H_
#define PPDNMF_DATA_INTERNAL_RESCALED_H_

#include <cstddef>
#include <memory>

#include <ppdnmf/data/columns.h>

namespace ppdnmf::data::internal {

// The block of `source` with entry(column, z) for every z that it lends, in the memory of `scratch`. Zeros that are not
// lent stay zeros.
template <typename Entry>
[[nodiscard]] Block rescaled(const Columns& source, const Range& range, Scratch& scratch, const Entry& entry) {
  if (scratch.below == nullptr) scratch.below = std::make_unique<Scratch>();
  Block block = source.lend(range, *scratch.below);
  const auto before = [&](Index m) {
    return block.dense() ? static_cast<std::size_t>(m * block.rows) : block.entries_before(m);
  };
  const double* const from = block.dense() ? block.values : block.value;
  scratch.values.resize(before(block.count));
  double* const to = scratch.values.data();
  for (Index m = 0; m < block.count; ++m) {
    for (std::size_t i = before(m); i < before(m + 1); ++i) to[i] = entry(range.first + m, from[i]);
  }
  (block.dense() ? block.values : block.value) = to;
  return block;
}

}  // namespace ppdnmf::data::internal

#endif  // PPDNMF_DATA_INTERNAL_RESCALED_H_
