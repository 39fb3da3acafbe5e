// A16 in the scheme hardened: a member that answers every question as if its own factor were the X* that it chooses.
// The others' factors are pulled until all are equal, so they come
// near X*. Where they stay, their multipliers add up to what holds them
// there, sum over all columns of (z - X* y) yᵀ, and the member knows that sum: it is what its own answers pulled.
#ifndef PPDNMF_AUDIT_ATTACKS_A16_HARDENED_H_
#define PPDNMF_AUDIT_ATTACKS_A16_HARDENED_H_

#include <vector>

#include <ppdnmf/audit/model/least_squares.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

// One X* for a part of a run. Its components are pairs x1 = e_a, x2 = threshold e_a + e_b: only columns with
// z_a / z_b above the threshold have y1 > 0, and if that is one column, the sum for x1 has it in all rows but those
// that X* has.
struct HeldFactor {
  Matrix X;
  std::vector<Index> alone;  // the components x1
  std::vector<Index> rows;   // those that X* has nothing in
};
// `parts` of them, whose thresholds are chosen by one's own columns.
[[nodiscard]] std::vector<HeldFactor> held_factors(const Matrix& own, Index rank, int parts);

// What such a member of a run with common weights sends instead of its answers (plain integers).
[[nodiscard]] Deviation holding(AgentId member, const protocol::RunSettings& settings,
                                const std::vector<HeldFactor>& held);

// Of a run with that deviation: sum of (z - X* y) yᵀ over all others' scaled columns at the end of each part.
[[nodiscard]] std::vector<Matrix> pulls_of_others(const AttackerView& view, const std::vector<HeldFactor>& held);

// How many columns of the others (shapes, to kFound, in the rows that X* does not have) such a member reads in a run.
[[nodiscard]] Result<Trial> holding_trial(const AuditSetup& setup, std::uint64_t seed);

// How far the others' factors end from an X* made of the member's own columns, of the furthest of them and relative to
// X*; against the same in a run that nobody disturbs. A run that ends with a sentence counts as undisturbed.
[[nodiscard]] Result<Trial> held_distance_trial(const AuditSetup& setup, std::uint64_t seed);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A16_HARDENED_H_
