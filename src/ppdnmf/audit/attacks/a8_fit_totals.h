// A8 on the scheme sum: columns that would give the totals which were seen, less one's own share of them.
#ifndef PPDNMF_AUDIT_ATTACKS_A8_FIT_TOTALS_H_
#define PPDNMF_AUDIT_ATTACKS_A8_FIT_TOTALS_H_

#include <ppdnmf/audit/model/claims.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/view.h>
#include <ppdnmf/base/random.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// `columns` of all others together, which the opening tells. Where these are fewer than the rows, they lie in the span
// of the S of all rounds, which leaves columns² unknowns.
[[nodiscard]] ColumnClaim fit_totals(const AttackerView& view, Index columns, const FitOptions& options,
                                     Stream& stream);

// The same of a private run, all its rounds: columns of length one, since nothing else is in its totals.
[[nodiscard]] ColumnClaim fit_noisy_totals(const AttackerView& view, Index columns, const FitOptions& options,
                                           Stream& stream);

// The others' second moments Z Zᵀ (in units of the data) from one round, S T⁺ Sᵀ: exact up to rank columns.
[[nodiscard]] Matrix second_moments(const AttackerView& view);

// As bound_of_sums.
[[nodiscard]] double bound_of_totals(const AttackerView& view, int rounds, const Matrix& truth);

// The error of all others' columns.
[[nodiscard]] Result<Trial> fit_totals_trial(const AuditSetup& setup, const FitOptions& options, std::uint64_t seed);
// What bound_of_totals says, as a trial.
[[nodiscard]] Result<Trial> totals_bound_trial(const AuditSetup& setup, int rounds, std::uint64_t seed);
// Of a private run: the error of the shapes (columns of length one) of all others' columns.
[[nodiscard]] Result<Trial> noisy_fit_trial(const AuditSetup& setup, const FitOptions& options, std::uint64_t seed);

// Its rows of the audit's table; those on private runs stand beside the same without noise.
void plan_fits_to_totals(Plan& plan);
void plan_poisson_fits(Plan& plan);
void plan_noisy_fits(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A8_FIT_TOTALS_H_
