// A7 on masked sums: colluders take the masks they share with an agent off the words it sent to one of them. If all its
// partners collude, the words are bare; if one does not, they are uniform.
#ifndef PPDNMF_AUDIT_ATTACKS_A7_POOLED_PARTS_H_
#define PPDNMF_AUDIT_ATTACKS_A7_POOLED_PARTS_H_

#include <optional>

#include <ppdnmf/audit/model/least_squares.h>
#include <ppdnmf/audit/model/measurement.h>
#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// What `of`, a leaf of the tree whose parent is in the coalition, put into the first total of S and T; nothing if no
// member received it. Without masks it is what was sent.
[[nodiscard]] std::optional<Vector> pooled_part(const AttackerView& view, AgentId of);

// The error of an agent's share of S and T when all but `honest` agents pool what they know.
[[nodiscard]] Result<Trial> pooled_parts_trial(std::uint32_t honest, std::uint64_t seed);

// Its rows of the audit's table.
void plan_pooled_parts(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A7_POOLED_PARTS_H_
