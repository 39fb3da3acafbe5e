// S = Z Yᵀ of columns that are kept by their nonzero entries: some rows after the other, over all columns.
//
// Leaf by leaf every leaf would have an S of its own, as large as X, which may be many times the data; here they are as
// large as a band of rows, which stays in a cache. Every number is the one that the leaves' sums come to, to the bit.
#ifndef PPDNMF_NMF_INTERNAL_ROW_SUMS_H_
#define PPDNMF_NMF_INTERNAL_ROW_SUMS_H_

#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/nmf/internal/lane_products.h>

namespace ppdnmf::nmf::internal {

// Where bands begin, and the end: as many rows as their sums for this rank stay in a cache, fewer where so many threads
// would have unequal parts of the nonzeros. No band changes a byte.
[[nodiscard]] std::vector<Index> bands_of(const data::Block& block, Index rank, std::size_t threads);

struct RowSums {
  const ColumnLanes& lanes;
  const data::Block& block;  // all columns, by their nonzeros
  const std::vector<data::Range>& leaves;
  const std::vector<Index>& bands;
  const double* Y;  // of all columns, `groups` of kLanes numbers each
  Index groups;
  double unit;  // every leaf's sums are multiplied with it

  // S, rows x rank. All of the executor's threads work; their number changes no byte.
  [[nodiscard]] Matrix run(Index rank, Executor& executor) const;
};

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_ROW_SUMS_H_
