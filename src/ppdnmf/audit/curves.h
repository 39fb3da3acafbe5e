// The audit's curves: values over the number of columns, and over epsilon. Pure; whoever writes the page draws them.
#ifndef PPDNMF_AUDIT_CURVES_H_
#define PPDNMF_AUDIT_CURVES_H_

#include <vector>

#include <ppdnmf/audit/model/measurement.h>
#include <ppdnmf/experiment/exhibit.h>

namespace ppdnmf::audit {

// Reconstruction and membership over the number of columns, then membership over epsilon with its bound; each with the
// rows that name a curve.
[[nodiscard]] std::vector<experiment::Exhibit> audit_curves(const std::vector<AuditRow>& rows);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_CURVES_H_
