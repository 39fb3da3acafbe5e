// A5 on sums: a leaf's part reaches its parent bare unless it is masked, and with it the direction of the leaf's S, T
// and error (a7_pooled_parts.h has what the parent makes of it).
#ifndef PPDNMF_AUDIT_ATTACKS_A5_PART_DIRECTION_H_
#define PPDNMF_AUDIT_ATTACKS_A5_PART_DIRECTION_H_

#include <ppdnmf/audit/model/setups.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// The sine of the angle between what a leaf's part says to its parent and the leaf's S, T and error.
[[nodiscard]] Result<Trial> part_direction_trial(const AuditSetup& setup, bool masked, std::uint64_t seed);

// Its rows of the audit's table.
void plan_part_directions(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A5_PART_DIRECTION_H_
