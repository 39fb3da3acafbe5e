// The Y step of the descent on a leaf of columns, and the moments after it, in one walk over the data.
#ifndef PPDNMF_NMF_INTERNAL_COLUMN_DESCENT_H_
#define PPDNMF_NMF_INTERNAL_COLUMN_DESCENT_H_

#include <optional>
#include <vector>

#include <ppdnmf/data/columns.h>
#include <ppdnmf/nmf/internal/lane_products.h>
#include <ppdnmf/nmf/loss.h>

namespace ppdnmf::nmf::internal {

// How the Y step of one request goes, with what all columns share; safe to share between threads.
struct ColumnStep {
  ColumnStep(const ColumnLanes& lanes, const YStep& step, int sweeps, double part);

  const ColumnLanes& lanes;
  const Matrix& X;
  int sweeps;                             // at most this many per column
  double part;                            // a column ends when a sweep changes it by at most this part of the first one
  double extrapolation;                   // of Y in S and T
  bool moments;                           // whether S and T are wanted
  std::optional<GroupedColumns> grouped;  // nothing where products are given (YStep)
  Index groups;                           // of the components
  Weights weights;                        // of y
  const Matrix* added;                    // to X^T X, or nothing
  Matrix shrink;                          // added to the Gram matrix of a column that lacks entries, or empty
  LaneQuadratic quadratic;                // of X^T X, with both

 private:
  [[nodiscard]] Matrix gram_with(const YStep& step);  // groups X first
};

// T with the weights of squares on its diagonal.
[[nodiscard]] Matrix with_squares(Matrix T, const Weights& weights);

// Xᵀ Z of a block of columns, in units of the data, into the first columns of XtZ: X.groups() * kLanes rows, and at
// least round_up(block.count, kTileColumns) columns.
void multiply_block(const ColumnLanes& lanes, const GroupedColumns& X, const data::Block& block, Matrix& XtZ);

// A walk over panels of columns that stay in the cache: X^T Z, the sweeps, the error, then S and T.
// Where columns are kept by their nonzero entries, products leave out the zeros; the numbers are the same, to the bit.
// All blocks of a leaf are of one kind.
class ColumnDescent {
 public:
  // The leaf's constants are ||z||² of its scaled columns.
  ColumnDescent(const ColumnStep& step, const Leaf& leaf);
  // As LossAtX::solve.
  void run(Matrix& Y, const Matrix& before, Moments& out);

 private:
  void solve(const data::Block& block, const double* XtZ, double* Y, const double* constants);
  [[nodiscard]] double twice_penalty(const double* y) const;
  double column_error(const data::Block& block, Index column, double constant, double quadratic, const double* y);
  void extrapolate(Index count, const double* Y, const double* before, double* ys);
  void add_moments(const data::Block& block, bool last, Matrix& S);
  void add_dense(const data::Block& block, bool last, Matrix& S);
  Index gather_rows(const data::Block& block, Index row);
  void take_grouped(Matrix& S) const;

  const ColumnStep& step_;
  const Leaf& leaf_;
  double inverse_;  // 1 / scale
  Index rows_, rank_, panel_;
  Matrix XtZ_;                     // of a panel, padded, in units of the data
  std::vector<double> s_, x_;      // kBlock columns at work
  LineVector Y_grouped_;           // extrapolated Y of a panel, lanes over components
  Matrix Y_rows_;                  // and component after component: panel x rank
  std::vector<double> Z_grouped_;  // some rows of a panel
  std::vector<double> space_, y_;
  Matrix S_rows_;         // of dense blocks: some rows of S, padded
  Matrix T_;              // padded
  LineVector S_grouped_;  // of nonzeros: S in units of the data, lanes over components
  bool S_begun_ = false;  // whether S holds the sum over the dense blocks so far, in units of the data
  double squared_error_ = 0;
};

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_COLUMN_DESCENT_H_
