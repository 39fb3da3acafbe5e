// The best nonnegative coordinates of given columns in a given factor.
#ifndef PPDNMF_NMF_NNLS_H_
#define PPDNMF_NMF_NNLS_H_

#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf {

// argmin over Y >= 0 of ||Z - X Y||, column by column, by block principal pivoting on the normal equations: exact up to
// round-off, not iterated to a tolerance. A factor with dependent or zero columns is accepted; one of the minimisers is
// returned. X.rows() == Z.rows() and all entries finite (checked).
// `guess`, if not empty, is a Y whose zero pattern is tried first: it saves time when it is close.
[[nodiscard]] Matrix nonnegative_least_squares(const Matrix& X, const Matrix& Z, const Matrix& guess = {});

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_NNLS_H_
