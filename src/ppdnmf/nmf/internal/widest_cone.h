// The widest cone in a span whose vectors are nonnegative, or nearly.
#ifndef PPDNMF_NMF_INTERNAL_WIDEST_CONE_H_
#define PPDNMF_NMF_INTERNAL_WIDEST_CONE_H_

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf::internal {

// Columns a_k with U a_k >= -slack, sum(U a_k) = 1 and |det(a_1, a_2, ...)| as large as exchanging one column at a time
// makes it, from several starts. U: orthonormal columns; inside: a vector with U inside >= 0, not zero. Square; empty
// if nothing was found.
[[nodiscard]] Matrix widest_cone(const Matrix& U, const Eigen::VectorXd& inside, double slack, Executor& executor);

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_WIDEST_CONE_H_
