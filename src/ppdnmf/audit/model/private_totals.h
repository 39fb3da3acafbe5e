// The totals of a private run (docs/privacy.md) as a coalition sees them: less its own columns and its own noise.
#ifndef PPDNMF_AUDIT_MODEL_PRIVATE_TOTALS_H_
#define PPDNMF_AUDIT_MODEL_PRIVATE_TOTALS_H_

#include <vector>

#include <ppdnmf/audit/model/least_squares.h>
#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

struct PrivateTotals {
  std::vector<Matrix> requests;  // the X of every round
  Vector others;                 // the opened numbers, round after round, less what the coalition put in
  double deviation = 0;          // of the noise that is left in each of them
};

// Of a private run that was played to its end (checked).
[[nodiscard]] PrivateTotals private_totals(const AttackerView& view);

// What these columns, of any length, put into every round: bounded, in the order of `others`. Rounded to the run's
// unit, or finer (`smooth`), for whoever takes differences of it.
[[nodiscard]] Vector bounded_parts(const AttackerView& view, const std::vector<Matrix>& requests, const Matrix& columns,
                                   bool smooth = false);

// Every column over its Euclidean length, which is all of it that a private run has; columns of zeros stay.
[[nodiscard]] Matrix shapes_of(Matrix columns);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_MODEL_PRIVATE_TOTALS_H_
