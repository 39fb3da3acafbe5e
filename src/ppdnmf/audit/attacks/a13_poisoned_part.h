// A13 on sums, whose parts are S, T and the squared error: a part that is a lie moves everybody's X, or looks so good
// that no step after it is taken.
#ifndef PPDNMF_AUDIT_ATTACKS_A13_POISONED_PART_H_
#define PPDNMF_AUDIT_ATTACKS_A13_POISONED_PART_H_

#include <cstdint>

#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// In sum `number` the poisoner's part has
// `moments` more in every entry of S, and its squared error is less by `error_less`: a step that looks so good that
// none after it is taken.
struct PoisonedPart {
  std::uint32_t number = 0;
  double moments = 0;
  double error_less = 0;
};
[[nodiscard]] Deviation poisoning_part(AgentId poisoner, const protocol::RunSettings& settings,
                                       const PoisonedPart& poison);

// The largest error of the final X over what it would have been, over several poisoned parts; those that end the run
// with a sentence count 0.
[[nodiscard]] Result<Trial> poisoned_part_trial(const AuditSetup& setup, std::uint64_t seed);

// Its rows of the audit's table.
void plan_poisoned_parts(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A13_POISONED_PART_H_
