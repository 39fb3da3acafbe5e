// All that `ppdnmf audit` measures.
#ifndef PPDNMF_AUDIT_PLAN_H_
#define PPDNMF_AUDIT_PLAN_H_

#include <vector>

#include <ppdnmf/audit/model/measurement.h>

namespace ppdnmf::audit {

// The whole table; `quick` has fewer seeds and leaves out what takes long.
[[nodiscard]] std::vector<Measurement> audit_plan(bool quick);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_PLAN_H_
