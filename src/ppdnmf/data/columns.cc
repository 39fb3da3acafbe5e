#include <ppdnmf/data/columns.h>

#include <algorithm>

namespace ppdnmf::data {

const double* dense_column(const Block& block, Index m, std::vector<double>& space) {
  if (block.dense()) return block.values + m * block.rows;
  space.assign(static_cast<std::size_t>(block.rows), 0);
  for (std::size_t i = block.entries_before(m); i < block.entries_before(m + 1); ++i)
    space[static_cast<std::size_t>(block.row[i])] = block.value[i];
  return space.data();
}

Index columns_at_a_time(Index rows) {
  constexpr Index kNumbers = Index{1} << 17;
  constexpr Index kFewest = 16;
  constexpr Index kMax = 1024;
  return std::clamp(kNumbers / std::max<Index>(rows, 1), kFewest, kMax);
}

}  // namespace ppdnmf::data
