// A7 and A11: colluders of a hardened scheme pool the sums they opened. What they put in themselves is known to them,
// so each sum is one linear equation for the others' weighted factors G_j u_j, and one for their weights G_j. Where
// these determine one agent's, it is seen alone.
#ifndef PPDNMF_AUDIT_ATTACKS_A7_POOLED_SUMS_H_
#define PPDNMF_AUDIT_ATTACKS_A7_POOLED_SUMS_H_

#include <cstdint>
#include <vector>

#include <ppdnmf/audit/model/claims.h>
#include <ppdnmf/audit/model/recording.h>
#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// Every agent outside the coalition that the pooled equations of this round determine, with its weight and factor.
[[nodiscard]] std::vector<WeightClaim> pooled_sums(const AttackerView& view, protocol::Round round);

// For every agent the smallest number of helpers with which anybody sees it alone in the first round, over all
// coalitions of at most `max_coalition` agents; the largest number there is if nobody does. Claims that are not true
// count as nothing; there should be none.
struct FewestHelpers {
  std::vector<std::uint32_t> of;  // by agent
  int false_claims = 0;
};
[[nodiscard]] FewestHelpers fewest_helpers(const Recording& run, std::uint32_t max_coalition);

// Its rows of the audit's table.
void plan_pooled_sums(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A7_POOLED_SUMS_H_
