// A9 and A14 on a search for the number of components: every start opens what a run of the scheme sum opens on columns
// that everybody resampled (nmf/resample.h), so a curious agent sees as many such runs as there are starts. Resampling
// thins the crowd behind a row: of ten columns some have no weight in a start, and in some start most have none.
#ifndef PPDNMF_AUDIT_ATTACKS_SEARCH_STARTS_H_
#define PPDNMF_AUDIT_ATTACKS_SEARCH_STARTS_H_

#include <cstdint>
#include <vector>

#include <ppdnmf/audit/attacks/a14_rare_rows.h>
#include <ppdnmf/audit/model/setups.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// The starts of a search over `ranks` ranks from setup's on, ten of each, on this problem's columns.
[[nodiscard]] Result<std::vector<Recording>> record_starts(const AuditProblem& problem, int ranks);

// A14: the column behind row 0 as each start has it; of these the one that explains best what was seen of its start.
// The error is that of the nearest of the columns behind the row, and so is the guess's.
[[nodiscard]] Result<Trial> search_row_trial(const AuditSetup& setup, const RareRow& row, int ranks,
                                             std::uint64_t seed);

// A9: the scores of all starts, added up.
[[nodiscard]] Result<Trial> search_membership_trial(const AuditSetup& setup, int ranks, std::uint64_t seed);

// Their rows of the audit's table.
void plan_search_starts(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_SEARCH_STARTS_H_
