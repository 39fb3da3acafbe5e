// Factors with columns of length one.
#ifndef PPDNMF_NMF_INTERNAL_UNIT_FACTOR_H_
#define PPDNMF_NMF_INTERNAL_UNIT_FACTOR_H_

#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf::internal {

// Columns to length one; one that has become zero is what it was.
inline void normalise_columns(Matrix& X, const Matrix& before) {
  for (Index k = 0; k < X.cols(); ++k) {
    const double length = X.col(k).norm();
    if (length > 0) {
      X.col(k) /= length;
    } else {
      X.col(k) = before.col(k);
    }
  }
}

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_UNIT_FACTOR_H_
