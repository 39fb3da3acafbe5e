// A2: who knows an agent's factor U over the rounds of one iteration, and all that the agent was told in
// between, has linear equations for the two matrices of its update, T = Y Yᵀ and S = Z Yᵀ. With one column these are z
// and y.
#ifndef PPDNMF_AUDIT_ATTACKS_A2_LEAF_MOMENTS_H_
#define PPDNMF_AUDIT_ATTACKS_A2_LEAF_MOMENTS_H_

#include <cstdint>
#include <optional>

#include <ppdnmf/audit/model/claims.h>
#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

struct MomentClaim {
  std::uint32_t iteration = 0;  // the iteration that told them
  Matrix S, T;                  // of the scaled data
  Eigen::VectorXd z;            // the column, in units of the data, if there is only one
};

// Of `leaf`, whose only neighbour is the coalition's one member, in a scheme as printed. `claims`: its factor as A1
// found it. The iterations up to `last_iteration` are tried and the one whose equations fit best is taken; nothing if
// none has two rounds.
[[nodiscard]] std::optional<MomentClaim> leaf_moments(const AttackerView& view, AgentId leaf,
                                                      const std::vector<WeightClaim>& claims,
                                                      std::uint32_t last_iteration);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A2_LEAF_MOMENTS_H_
