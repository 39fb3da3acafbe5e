// S = Z Yᵀ of columns that are kept by their nonzero entries: some rows after the other, over all columns.
//
// Leaf by leaf every leaf would have an S of its own, as large as X, which may be many times the data; here they are as
// large as a band of rows, which stays in a cache. Every number is the one that the leaves' sums come to, to the bit.
#ifndef PPDNMF_NMF_INTERNAL_ROW_SUMS_H_
#define PPDNMF_NMF_INTERNAL_ROW_SUMS_H_

#include <cstddef>
#include <memory>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/nmf/internal/lane_products.h>
#include <ppdnmf/nmf/line_vector.h>

namespace ppdnmf::nmf::internal {

// What a thread works in, kept from one sum to the next: new memory comes from the system a page at a time, and threads
// that ask for pages at the same time wait for each other.
struct BandRoom {
  LineVector sums;
  std::vector<std::size_t> next;
};

// How rows are divided, and the work among threads; none of it changes a byte. Bands have as many rows as their sums
// for this rank stay in a cache. Either threads share the leaves of one band after the other, or each has bands of its
// own: where leaves have unequal parts of the nonzeros.
struct Bands {
  std::vector<Index> first;         // of every band, and the end
  std::size_t branches = 1;         // of the tree of leaves, that go to threads
  std::vector<std::size_t> groups;  // bands that go to one thread: the first of every group, and the number of bands
  std::vector<std::size_t> next;    // the entries that each group begins with, of every column
  std::shared_ptr<std::vector<BandRoom>> rooms = std::make_shared<std::vector<BandRoom>>();
};
[[nodiscard]] Bands bands_of(const data::Block& block, const std::vector<data::Range>& leaves, Index rank,
                             std::size_t threads);

struct RowSums {
  const ColumnLanes& lanes;
  const data::Block& block;  // all columns, by their nonzeros
  const std::vector<data::Range>& leaves;
  const Bands& bands;
  const double* Y;  // of all columns, `groups` of kLanes numbers each
  Index groups;
  double unit;  // every leaf's sums are multiplied with it

  // S, rows x rank, in the memory of `used` if that has this size. All of the executor's threads work; their number
  // changes no byte. One sum with the same bands at a time: it works in their rooms.
  [[nodiscard]] Matrix run(Index rank, Executor& executor, Matrix used = {}) const;
};

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_ROW_SUMS_H_
