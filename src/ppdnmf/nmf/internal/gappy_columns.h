// The Y step of the descent on a leaf of columns of which some entries are missing, and the moments after it.
//
// A column's y minimises the squared error over the rows that it has: its Gram matrix is that of these rows. In the
// moments every missing entry is filled in with X y, so that they have the gradient of the error over what is there,
// and T is that of whole columns.
#ifndef PPDNMF_NMF_INTERNAL_GAPPY_COLUMNS_H_
#define PPDNMF_NMF_INTERNAL_GAPPY_COLUMNS_H_

#include <span>
#include <vector>

#include <ppdnmf/nmf/internal/column_descent.h>

namespace ppdnmf::nmf::internal {

class GappyColumns {
 public:
  // As ColumnDescent's.
  GappyColumns(const ColumnStep& step, const Leaf& leaf);
  void run(Matrix& Y, const Matrix& before, Moments& out);

 private:
  void take_column(const data::Block& block, Index m, std::span<const int> missing);
  void find_gram(std::span<const int> missing);
  void add_gram_of(std::span<const int> rows, std::vector<double>& H);
  void solve(double* y);
  [[nodiscard]] double column_error(double constant, std::span<const int> missing, const double* y);
  void add_moments(std::span<const int> missing, const double* y, const double* before);

  const ColumnStep& step_;
  const Leaf& leaf_;
  double inverse_;  // 1 / scale
  Index rows_, rank_, groups_, padded_;
  Matrix gram_;  // of whole columns
  // The column at work: its entries that are there and not zero.
  std::vector<int> at_;
  std::vector<double> z_;
  std::vector<double> s_;  // X^T z
  std::vector<double> H_;  // its Gram matrix, padded
  std::vector<double> A_, P_, g_, d_, least_, y_, product_, filled_, dense_;
  std::vector<int> present_;
  std::vector<double> S_;  // lanes over components
  Matrix T_;
  double squared_error_ = 0;
  bool shrinks_ = false;  // the column at work
};

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_GAPPY_COLUMNS_H_
