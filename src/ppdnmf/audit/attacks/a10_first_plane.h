// A10: the first round starts from a public X0 with nothing in the multipliers, so that an agent's U - X0 lies in
// the span of its few columns' coordinates y. A sum over neighbours lies in the span of theirs together.
#ifndef PPDNMF_AUDIT_ATTACKS_A10_FIRST_PLANE_H_
#define PPDNMF_AUDIT_ATTACKS_A10_FIRST_PLANE_H_

#include <ppdnmf/audit/model/view.h>
#include <ppdnmf/base/random.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// A basis (rank x dimension) of the plane in which the neighbours' y lie, `dimension` below the rank: the number of
// columns behind the sum. Rows of U in which an entry was cut off at zero lie elsewhere, so the plane is the one near
// which most rows are. `stream` draws trial planes.
[[nodiscard]] Matrix first_plane(const AttackerView& view, Index dimension, Stream& stream);

// The best guess without a transcript: where the attacker's own columns lie, when fitted to X0.
[[nodiscard]] Matrix guessed_plane(const AttackerView& view, Index dimension);

// Its rows of the audit's table.
void plan_first_planes(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A10_FIRST_PLANE_H_
