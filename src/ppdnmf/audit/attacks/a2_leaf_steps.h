// The rounds of an agent with a single neighbour, as that neighbour can reconstruct them once it knows its factor.
#ifndef PPDNMF_AUDIT_ATTACKS_A2_LEAF_STEPS_H_
#define PPDNMF_AUDIT_ATTACKS_A2_LEAF_STEPS_H_

#include <vector>

#include <ppdnmf/audit/model/claims.h>
#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

struct LeafStep {
  protocol::Round round;
  Matrix U;      // after the update, as it was sent
  Matrix given;  // what the update takes from the rounds: c (U_last + 2 Q - Q_before), corrected c U_last + 2 Q -
                 // Q_before
  double c = 0;
};

// The leaf's Q follows from both sides' weights and factors, which its only neighbour knows. In the order of the run.
[[nodiscard]] std::vector<LeafStep> replay_leaf(const AttackerView& view, AgentId leaf,
                                                const std::vector<WeightClaim>& claims);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A2_LEAF_STEPS_H_
