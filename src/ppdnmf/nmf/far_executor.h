// Threads with other processes behind them, which have a share in the one long piece of work on X: the X step under
// squares (docs/cluster.md). The room `spread` implements this.
#ifndef PPDNMF_NMF_FAR_EXECUTOR_H_
#define PPDNMF_NMF_FAR_EXECUTOR_H_

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf {

// What internal::descend_rows minimises for every row of X.
struct RowProblem {
  const Matrix& T;  // rank x rank
  const Matrix& S;  // rows x rank
  int sweeps = 1;
  double part = 0;
  Index held = 0;
};

// Rows may be divided at multiples of this: kernels that work on some rows side by side meet the same neighbours.
inline constexpr Index kRowsTogether = 1024;

class FarExecutor : public Executor {
 public:
  // Does it to all rows of X, or nothing if that is not worth the way: whether it did.
  [[nodiscard]] virtual bool descend_rows(const RowProblem& problem, Matrix& X) = 0;
};

// The same in this process.
void descend_rows_here(const RowProblem& problem, Matrix& X, Executor& executor);

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_FAR_EXECUTOR_H_
