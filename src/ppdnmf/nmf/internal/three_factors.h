// A symmetric matrix as X M Xᵀ with X, M >= 0.
#ifndef PPDNMF_NMF_INTERNAL_THREE_FACTORS_H_
#define PPDNMF_NMF_INTERNAL_THREE_FACTORS_H_

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf::internal {

struct ThreeFactors {
  Matrix X;           // columns of length one, or zero where the start's is
  double misfit = 0;  // ||G - X M Xᵀ||² less ||G||²: for comparisons
};

// M for an X that is given.
[[nodiscard]] Matrix fit_middle(const Matrix& G, const Matrix& X, Executor& executor);

// A descent on ||G - X M Xᵀ|| from X0 >= 0, with a fixed number of steps. G is symmetric, finite, and of size one at
// most.
[[nodiscard]] ThreeFactors fit_three_factors(const Matrix& G, const Matrix& X0, Executor& executor);

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_THREE_FACTORS_H_
