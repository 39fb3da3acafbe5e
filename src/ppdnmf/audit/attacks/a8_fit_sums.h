// A8 on the hardened scheme: simulate the whole network and fit everybody's columns to the sums that were seen.
#ifndef PPDNMF_AUDIT_ATTACKS_A8_FIT_SUMS_H_
#define PPDNMF_AUDIT_ATTACKS_A8_FIT_SUMS_H_

#include <vector>

#include <ppdnmf/audit/model/claims.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/view.h>
#include <ppdnmf/base/random.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// All columns of agents outside the coalition, agent by agent. `columns[i]` is agent i's number of columns, which the
// attacker is taken to know. `stream` draws the starts.
[[nodiscard]] ColumnClaim fit_sums(const AttackerView& view, const std::vector<Index>& columns,
                                   const FitOptions& options, Stream& stream);

// The relative error that the linearised model leaves at `truth` (scaled columns, one under the other): no attack, it
// needs the truth; it says whether what was seen determines the columns at all.
[[nodiscard]] double bound_of_sums(const AttackerView& view, const std::vector<Index>& columns, int rounds,
                                   const Matrix& truth);

// The error of all others' columns.
[[nodiscard]] Result<Trial> fit_sums_trial(const AuditSetup& setup, const FitOptions& options, std::uint64_t seed);
// What bound_of_sums says, as a trial.
[[nodiscard]] Result<Trial> sums_bound_trial(const AuditSetup& setup, int rounds, std::uint64_t seed);

// A row on a fit of all others' columns, from sums or from totals; `curve` is the one it stands on, or empty.
[[nodiscard]] AuditRow fit_row(const AuditSetup& setup, const char* curve);

// Its rows of the audit's table.
void plan_fits_to_sums(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A8_FIT_SUMS_H_
