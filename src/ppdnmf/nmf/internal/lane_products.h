// Products and quadratic problems laid out for the kernels of lane_functions.h. No sum is ever reordered, so results do
// not depend on the instruction set, nor on how a caller cuts a product into parts along its outputs.
#ifndef PPDNMF_NMF_INTERNAL_LANE_PRODUCTS_H_
#define PPDNMF_NMF_INTERNAL_LANE_PRODUCTS_H_

#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/nmf/internal/lane_functions.h>
#include <ppdnmf/nmf/line_vector.h>

namespace ppdnmf::nmf::internal {

[[nodiscard]] constexpr Index round_up(Index count, Index unit) { return (count + unit - 1) / unit * unit; }

// As the length of a vector.
[[nodiscard]] constexpr std::size_t numbers(Index count) { return static_cast<std::size_t>(count); }

// Columns of a matrix as lanes: X^T grouped, column after column of X^T (a row of X).
class GroupedColumns {
 public:
  // `room`: if not null, the memory to use, which outlives it.
  explicit GroupedColumns(const Matrix& X, Executor& executor = serial_executor(), LineVector* room = nullptr);
  // Of what has been grouped already, which outlives it.
  GroupedColumns(const double* grouped, Index rows, Index rank);
  [[nodiscard]] Index groups() const { return groups_; }
  [[nodiscard]] Index group_stride() const { return rows_ * kLanes; }
  // Beginning with row `row` of X.
  [[nodiscard]] const double* from_row(Index row) const {
    return (given_ != nullptr ? given_ : (room_ != nullptr ? *room_ : own_).data()) + row * kLanes;
  }

 private:
  Index rows_, groups_;
  LineVector own_;
  LineVector* room_;
  const double* given_ = nullptr;
};

// All rows of X, to where there are numbers_of_prepared (nmf/prepared_x.h).
void group_all_rows(const Matrix& X, double* to, Executor& executor);

// Some rows of X as GroupedColumns has them, the first of them `row`: groups of count * kLanes numbers.
void group_rows(const Matrix& X, Index row, Index count, Index groups, Index group_stride, double* to);

// C(:, j) += A b_j for j < count; b_j begins at b + j b_stride. A is grouped, of any number of groups. C has
// round_up(count, kTileColumns) columns of groups * 8 rows, column_stride apart.
void add_product(const ColumnLanes& lanes, Index groups, Index depth, const double* A, Index group_stride,
                 const double* b, Index b_stride, Index count, double* C, Index column_stride);

// X^T X, symmetric to the bit.
[[nodiscard]] Matrix gram(const ColumnLanes& lanes, const Matrix& X, const GroupedColumns& grouped,
                          Executor& executor = serial_executor());

// T as the kernels want it. Coordinates whose T_kk is (nearly) nothing beside the largest stay as they are: no value of
// theirs matters.
class LaneQuadratic {
 public:
  explicit LaneQuadratic(const Matrix& T, Index held = 0);  // the first `held` coordinates stay as well
  [[nodiscard]] LaneProblem problem() const { return {size_, padded_, T_.data(), inverse_.data()}; }

 private:
  long size_, padded_;
  std::vector<double> T_, inverse_;
};

// Every row x of X: min x T x^T / 2 - s x^T over x >= 0, s the same row of S, by coordinate descent from x. Rows do not
// know each other, so threads change no bit. The first `held` columns of X stay as they are.
void descend_rows(const ColumnLanes& lanes, const Matrix& T, const Matrix& S, int sweeps, double part, Matrix& X,
                  Executor& executor = serial_executor(), Index held = 0);

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_LANE_PRODUCTS_H_
