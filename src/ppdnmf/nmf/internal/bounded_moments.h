// Sums over columns of parts that are bounded and rounded one by one: what noise can be added to.
#ifndef PPDNMF_NMF_INTERNAL_BOUNDED_MOMENTS_H_
#define PPDNMF_NMF_INTERNAL_BOUNDED_MOMENTS_H_

#include <ppdnmf/nmf/loss.h>

namespace ppdnmf::nmf::internal {

// (z yᵀ, t_weight upper(y yᵀ)) of every column of the leaf, multiplied by min(1, bound / its norm), rounded to
// multiples of the unit (halves to even) and added up. All sums are exact. The leaf's constants are ||z||².
// Each of the m columns of one person (data/persons.h) is weighed down to an m-th of the bound, less what rounding m
// parts adds beyond rounding one: r = sqrt(entries) unit / 2 for each, so m ((bound - (m - 1) r) / m + r) = bound + r
// is what all of them together reach at most, as one column does. Where that leaves nothing, they add nothing.
[[nodiscard]] BoundedMoments bounded_moments(const Leaf& leaf, const Matrix& Y, const Bounds& bounds);
// The same with Uᵀz in place of z.
[[nodiscard]] BoundedMoments bounded_moments_in(const Matrix& U, const Leaf& leaf, const Matrix& Y,
                                                const Bounds& bounds);

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_BOUNDED_MOMENTS_H_
