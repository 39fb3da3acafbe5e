// The common weight of every iteration, as any agent of a hardened run computes it.
#ifndef PPDNMF_AUDIT_MODEL_COMMON_WEIGHTS_H_
#define PPDNMF_AUDIT_MODEL_COMMON_WEIGHTS_H_

#include <vector>

#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

// Real weights (integer weights over g_scale), from the totals that the view has. A run whose weight is given as a
// number is not covered (checked).
[[nodiscard]] std::vector<double> common_weights(const AttackerView& view);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_MODEL_COMMON_WEIGHTS_H_
