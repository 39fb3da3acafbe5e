// A12: an asker that puts another number into the last slot of its question to one neighbour reads off the sum of all
// answers what that neighbour multiplies with. Where weights are secret and have a slot of their own, that is its
// weight; where they are common, it is a public factor, and the prober is left with the sum.
#ifndef PPDNMF_AUDIT_ATTACKS_A12_PROBING_H_
#define PPDNMF_AUDIT_ATTACKS_A12_PROBING_H_

#include <optional>
#include <vector>

#include <ppdnmf/audit/model/claims.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// What the prober sends instead of its questions (plain integers): every round singles out the next neighbour.
[[nodiscard]] Deviation probing(AgentId prober, const protocol::Graph& graph);

// What it then claims, one neighbour per round: secret weights, or (common weights) the last entry of that
// neighbour's u, as if the rest of the sum were like it.
[[nodiscard]] std::vector<WeightClaim> read_probes(const AttackerView& view);

// The share of single weights (bare), or of single entries of u, that a prober reads.
[[nodiscard]] Result<Trial> probing_trial(const AuditSetup& setup, std::uint64_t seed);

// Its rows of the audit's table.
void plan_probing(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A12_PROBING_H_
