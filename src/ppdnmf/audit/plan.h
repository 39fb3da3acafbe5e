// All that `ppdnmf audit` measures.
#ifndef PPDNMF_AUDIT_PLAN_H_
#define PPDNMF_AUDIT_PLAN_H_

#include <string>
#include <vector>

#include <ppdnmf/audit/model/measurement.h>

namespace ppdnmf::audit {

// The whole table; `quick` has fewer seeds and leaves out what takes long.
[[nodiscard]] std::vector<Measurement> audit_plan(bool quick);
// The rows of these attacks alone, as "A14"; none: all. Fails with kUsage for a name that no row has.
[[nodiscard]] Result<std::vector<Measurement>> audit_plan(bool quick, const std::vector<std::string>& attacks);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_PLAN_H_
