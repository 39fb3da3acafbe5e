// The Y step of the descent on dense columns, and the moments after it, in one walk over the data.
#ifndef PPDNMF_NMF_INTERNAL_COLUMN_DESCENT_H_
#define PPDNMF_NMF_INTERNAL_COLUMN_DESCENT_H_

#include <cstddef>
#include <optional>
#include <vector>

#include <ppdnmf/nmf/columns.h>
#include <ppdnmf/nmf/internal/lane_products.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf::internal {

// How the Y step of one request goes; every member is the same for all columns.
struct ColumnStep {
  const Matrix& X;
  int sweeps;            // at most so many per column
  double part;           // a column ends when a sweep changes it by at most this part of the first one
  double extrapolation;  // of Y in S and T
  bool moments;          // whether S and T are wanted
};

// The nonzero entries of mostly zero columns, column after column, from top to bottom.
struct Nonzeros {
  std::vector<std::size_t> first;  // of every column, and the end
  std::vector<int> row;
  std::vector<double> value;
};

// Nothing unless so few entries are nonzero that products of these alone are faster.
[[nodiscard]] std::optional<Nonzeros> find_nonzeros(const Matrix& Z);

// A walk over panels of columns that stay in the cache: X^T Z, the sweeps, the error, then S and T.
// With `nonzeros`, those of Z, the products leave out the zeros; the numbers are the same, to the bit.
class ColumnDescent {
 public:
  ColumnDescent(const ColumnLanes& lanes, const Matrix& Z, const Nonzeros* nonzeros,
                const Eigen::VectorXd& squared_norms, const ColumnStep& step);
  // start: where sweeps begin, replaced by the solution. before: Y of the iteration before. Both rank x columns.
  [[nodiscard]] Moments run(Matrix& start, const Matrix& before);

 private:
  void multiply(Index first, Index count);
  void multiply_nonzeros(Index first, Index count);
  void solve(Index first, Index count, Matrix& Y);
  double column_error(Index column, double quadratic, const Matrix& Y) const;
  void extrapolate(Index first, Index count, const Matrix& Y, const Matrix& before);
  void add_moments(Index first, Index count);
  void add_nonzero_moments(Index first, Index count);
  Index gather_rows(Index row, Index first, Index count);
  [[nodiscard]] Matrix S() const;

  const ColumnLanes& lanes_;
  const Matrix& Z_;
  const Nonzeros* nonzeros_;
  const Eigen::VectorXd& squared_norms_;
  ColumnStep step_;
  Index panel_;
  GroupedColumns X_;
  LaneQuadratic quadratic_;
  Matrix XtZ_;                     // of a panel, padded
  std::vector<double> s_, x_;      // kBlock columns at work
  std::vector<double> Y_grouped_;  // extrapolated Y of a panel, lanes over components
  Matrix Y_rows_;                  // and component after component: panel x rank
  std::vector<double> Z_grouped_;  // some rows of a panel
  Matrix S_, T_;                   // padded; S_ is empty with nonzeros
  std::vector<double> S_grouped_;  // with nonzeros: S, lanes over components
  double squared_error_ = 0;
};

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_COLUMN_DESCENT_H_
