// The best nonnegative coordinates of given columns in a given factor.
#ifndef PPDNMF_NMF_NNLS_H_
#define PPDNMF_NMF_NNLS_H_

#include <memory>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/columns.h>

namespace ppdnmf::nmf {

// argmin over Y >= 0 of ||Z - X Y||, column by column, by block principal pivoting on the normal equations: exact up to
// round-off, not iterated to a tolerance. A factor with dependent or zero columns is accepted; one of the minimisers is
// returned. X.rows() == Z.rows() and all entries finite (checked).
// `guess`, if not empty, is a Y whose zero pattern is tried first: it saves time when it is close.
[[nodiscard]] Matrix nonnegative_least_squares(const Matrix& X, const Matrix& Z, const Matrix& guess = {});

// The same of columns, however they are kept: to the bit, work follows what is lent. All entries finite (unchecked).
[[nodiscard]] Matrix nonnegative_least_squares(const Matrix& X, const data::Columns& columns, const Matrix& guess = {},
                                               Executor& executor = serial_executor());

// What all columns share, for whoever walks over them. Safe to share between threads.
class LeastSquares {
 public:
  explicit LeastSquares(const Matrix& X);  // finite (checked)
  LeastSquares(const LeastSquares&) = delete;
  LeastSquares& operator=(const LeastSquares&) = delete;
  LeastSquares(LeastSquares&&) = delete;
  LeastSquares& operator=(LeastSquares&&) = delete;
  ~LeastSquares();
  // Y, rank x block.count: a guess, or ones, replaced by the minimisers.
  void solve(const data::Block& block, Eigen::Ref<Matrix> Y) const;

 private:
  struct Shared;
  std::unique_ptr<const Shared> shared_;
};

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_NNLS_H_
