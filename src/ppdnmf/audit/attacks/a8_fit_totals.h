// A8 on the exchange sum: columns that would give the totals which were seen, less one's own share of them.
#ifndef PPDNMF_AUDIT_ATTACKS_A8_FIT_TOTALS_H_
#define PPDNMF_AUDIT_ATTACKS_A8_FIT_TOTALS_H_

#include <ppdnmf/audit/attacks/a8_fit_sums.h>
#include <ppdnmf/audit/model/view.h>
#include <ppdnmf/base/random.h>

namespace ppdnmf::audit {

// `columns` of all others together, which the opening tells. Where these are fewer than the rows, they lie in the span
// of the S of all exchanges, which leaves columns² unknowns.
[[nodiscard]] ColumnClaim fit_totals(const AttackerView& view, Index columns, const FitOptions& options,
                                     Stream& stream);

// The same of a private run, all its exchanges: columns of length one, since nothing else is in its totals.
[[nodiscard]] ColumnClaim fit_noisy_totals(const AttackerView& view, Index columns, const FitOptions& options,
                                           Stream& stream);

// The others' second moments Z Zᵀ (in units of the data) from one exchange, S T⁺ Sᵀ: exact up to rank columns.
[[nodiscard]] Matrix second_moments(const AttackerView& view);

// As bound_of_sums.
[[nodiscard]] double bound_of_totals(const AttackerView& view, int exchanges, const Matrix& truth);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A8_FIT_TOTALS_H_
