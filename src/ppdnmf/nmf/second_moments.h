// X from the second moments of the columns alone: G = Z Zᵀ, opened once, exactly or with noise (docs/privacy.md).
//
// Whatever is done with G tells no more about the columns than G does. X M Xᵀ with X, M >= 0 is fitted to G from
// several starts; the span of the best X is then searched for the widest cone whose vectors are nonnegative within the
// noise. Whoever knows the same G computes the same X, to the bit, on any number of threads.
#ifndef PPDNMF_NMF_SECOND_MOMENTS_H_
#define PPDNMF_NMF_SECOND_MOMENTS_H_

#include <functional>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf {

struct SecondMomentsOptions {
  Index rank = 0;    // 1 to the number of rows
  double noise = 0;  // s: the standard deviation of the noise on the diagonal of G, s / sqrt 2 off it; 0 without noise
  int starts = 3;    // at least 1
};

struct SpanAndFactor {
  Matrix X;  // rows x rank, nonnegative; columns of length one, or zero where the start's is
  Matrix U;  // rows x rank, orthonormal columns: a basis of the span in which X was sought
  Matrix T;  // rank x rank, symmetric and nonnegative: G ~ X T Xᵀ, so what Y Yᵀ would be
};

// G is rows x rows; only its upper triangle counts. Defined for every finite G, also for one that no columns can have,
// with work bounded by rows, rank and starts. start(n), n = 0 .. starts - 1: nonnegative, rows x rank, random and the
// same for all who are to get the same X (nmf/start.h). Fails with kNumeric if an entry of G is not finite. Arguments
// out of range are a programmer's mistake (checked).
[[nodiscard]] Result<SpanAndFactor> factor_second_moments(const Matrix& G, const SecondMomentsOptions& options,
                                                          const std::function<Matrix(int)>& start,
                                                          Executor& executor = serial_executor());

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_SECOND_MOMENTS_H_
