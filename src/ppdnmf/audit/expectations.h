// What the audit's curves lead one to expect of a run that has not been made. The numbers are from the audit's own
// trials, seeds 1 to 2 and up to 10 (docs/threat_model.md), and stand here so that a planned run can be judged at once.
#ifndef PPDNMF_AUDIT_EXPECTATIONS_H_
#define PPDNMF_AUDIT_EXPECTATIONS_H_

#include <string>

#include <ppdnmf/data/matrix.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::audit {

// A sentence on reconstruction from what is opened: hardened by the agent's own columns, sum by those of all but the
// attacker.
[[nodiscard]] std::string expected_reconstruction(protocol::SchemeKind scheme, Index own, Index others);
// A sentence on membership, by the columns behind what a curious agent sees.
[[nodiscard]] std::string expected_membership(protocol::SchemeKind scheme, Index behind);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_EXPECTATIONS_H_
