// What an attacker would guess of columns it has not seen, from its own alone.
#ifndef PPDNMF_AUDIT_MODEL_PRIOR_H_
#define PPDNMF_AUDIT_MODEL_PRIOR_H_

#include <ppdnmf/audit/model/least_squares.h>
#include <ppdnmf/base/random.h>

namespace ppdnmf::audit {

struct ColumnPrior {
  Vector mean;
  Matrix precision;  // inverse of the covariance of one's own columns, which is kept away from singular
};
[[nodiscard]] ColumnPrior prior_of(const Matrix& own);

// Where a fit begins: columns of one's own, each multiplied by a number between 0.7 and 1.3, one under the other.
[[nodiscard]] Vector random_columns(const Matrix& own, Index columns, Stream& stream);

// The best guess without a transcript: the mean of one's own columns, `columns` times.
[[nodiscard]] Matrix guessed_columns(const Matrix& own, Index columns);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_MODEL_PRIOR_H_
