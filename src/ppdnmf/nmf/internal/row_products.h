// Xᵀ Z of columns that are kept by their nonzero entries, and Xᵀ X: some rows after the other, over all columns.
//
// Grouped as products want it, X would be there a second time, and of little use to a cache where it is long. Here a
// band of its rows is, which stays in one. Every number is the one that a product with all rows has, to the bit.
#ifndef PPDNMF_NMF_INTERNAL_ROW_PRODUCTS_H_
#define PPDNMF_NMF_INTERNAL_ROW_PRODUCTS_H_

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/nmf/internal/lane_products.h>
#include <ppdnmf/nmf/internal/row_sums.h>

namespace ppdnmf::nmf::internal {

struct RowProducts {
  const ColumnLanes& lanes;
  const data::Block& block;  // all columns, by their nonzeros
  const Matrix& X;
  BandRoom& room;  // to work in

  // Whether X, grouped, is longer than a cache keeps beside other things.
  [[nodiscard]] static bool is_long(Index rows, Index rank);
  // Whether it is, and columns have enough entries for all columns to be gone through once for every band.
  [[nodiscard]] static bool pay(const data::Block& block, Index rank);

  // Xᵀ X. Xᵀ Z goes to `products`, in units of the data: for every column so many numbers as X has columns, and zeros
  // up to a multiple of kLanes. All of the executor's threads work; their number changes no byte.
  [[nodiscard]] Matrix run(double* products, Executor& executor) const;
};

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_ROW_PRODUCTS_H_
