// Sums over columns of parts that are bounded and rounded one by one: what noise can be added to.
#ifndef PPDNMF_NMF_INTERNAL_BOUNDED_MOMENTS_H_
#define PPDNMF_NMF_INTERNAL_BOUNDED_MOMENTS_H_

#include <ppdnmf/nmf/columns.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf::internal {

// (z yᵀ, t_weight upper(y yᵀ)) of every column, multiplied by min(1, bound / its norm), rounded to multiples of the
// unit (halves to even) and added up. All sums are exact. squared_norms: ||z||² of every column.
[[nodiscard]] BoundedMoments bounded_moments(const Matrix& Z, const Eigen::VectorXd& squared_norms, const Matrix& Y,
                                             const Bounds& bounds);

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_BOUNDED_MOMENTS_H_
