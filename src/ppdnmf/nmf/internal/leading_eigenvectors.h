// The leading eigenvectors of a symmetric matrix, in a part of the time of all of them.
#ifndef PPDNMF_NMF_INTERNAL_LEADING_EIGENVECTORS_H_
#define PPDNMF_NMF_INTERNAL_LEADING_EIGENVECTORS_H_

#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf::internal {

struct Leading {
  Matrix vectors;          // orthonormal columns; they span what the eigenvectors span
  Eigen::VectorXd values;  // the eigenvalues, rising
};

// Of the `count` largest eigenvalues, 0 < count <= A.rows() (checked). A is symmetric, its entries finite; their scale
// does not matter. Sums over all vectors are exact to rounding; among nearly equal eigenvalues single vectors may be
// any basis. The same bytes on every machine.
[[nodiscard]] Leading leading_eigenvectors(const Matrix& A, Index count);

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_LEADING_EIGENVECTORS_H_
