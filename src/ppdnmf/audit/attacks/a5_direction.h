// A5: one weight for a whole matrix leaves the direction of u_j - u_i in a single answer, blinded or not. Masks make a
// single answer meaningless.
#ifndef PPDNMF_AUDIT_ATTACKS_A5_DIRECTION_H_
#define PPDNMF_AUDIT_ATTACKS_A5_DIRECTION_H_

#include <optional>

#include <ppdnmf/audit/model/least_squares.h>
#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// The direction (norm 1) of neighbour `of`'s u less one's own in this round, from its single answer if that can be
// opened; nothing otherwise.
[[nodiscard]] std::optional<Vector> direction_of(const AttackerView& view, AgentId of, protocol::Round round);

// The best guess without: the direction of the whole neighbourhood's sum, which is opened anyway.
[[nodiscard]] Vector guessed_direction(const AttackerView& view, protocol::Round round);

// Its rows of the audit's table.
void plan_directions(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A5_DIRECTION_H_
