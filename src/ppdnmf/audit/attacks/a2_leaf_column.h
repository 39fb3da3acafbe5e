// A2 carried to its end: the column of an agent that has only one, from its factor in the first rounds.
#ifndef PPDNMF_AUDIT_ATTACKS_A2_LEAF_COLUMN_H_
#define PPDNMF_AUDIT_ATTACKS_A2_LEAF_COLUMN_H_

#include <vector>

#include <ppdnmf/audit/attacks/a2_leaf_steps.h>
#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// Of `leaf`, whose only neighbour is the coalition's one member; in units of the data. Scheme as printed with the
// updates as printed. Begins with what leaf_moments says and, where that does not explain the leaf's factor, fits the
// column itself: its y, and with y every update, follows from it.
[[nodiscard]] Eigen::VectorXd leaf_column(const AttackerView& view, AgentId leaf,
                                          const std::vector<WeightClaim>& claims, std::uint32_t last_iteration);

// Its rows of the audit's table.
void plan_leaf_columns(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A2_LEAF_COLUMN_H_
