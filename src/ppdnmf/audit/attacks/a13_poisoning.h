// A13: a replier that claims an absurd number in the weight slot raises the asker's weight, which never falls again and
// spreads to the asker's neighbours.
#ifndef PPDNMF_AUDIT_ATTACKS_A13_POISONING_H_
#define PPDNMF_AUDIT_ATTACKS_A13_POISONING_H_

#include <vector>

#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// What the poisoner sends (plain integers): its answers of one iteration claim `claim` more than its weight.
[[nodiscard]] Deviation poisoning(AgentId poisoner, std::uint32_t iteration, std::int64_t claim);

// The same where weights are common: its part of the sum from which the first one is made, or the total if it is the
// root of the tree, has `claim` more.
[[nodiscard]] Deviation poisoning_sums(AgentId poisoner, double claim);

// The largest weight (bare), or the error of the final X, after poisoning over what it would have been; 0 if the run
// ended with a sentence.
[[nodiscard]] Result<Trial> poisoning_trial(const AuditSetup& setup, std::uint64_t seed);

// Its rows of the audit's table.
void plan_poisoning(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A13_POISONING_H_
