// All that `ppdnmf audit` measures.
#ifndef PPDNMF_AUDIT_PLAN_H_
#define PPDNMF_AUDIT_PLAN_H_

#include <vector>

#include "audit/measurement.h"

namespace ppdnmf {

// The whole table; `quick` has fewer seeds and leaves out what takes long.
[[nodiscard]] std::vector<Measurement> audit_plan(bool quick);

}  // namespace ppdnmf

#endif  // PPDNMF_AUDIT_PLAN_H_
