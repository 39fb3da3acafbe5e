// A8 on the hardened exchange: simulate the whole network and fit everybody's columns to the sums that were seen.
#ifndef PPDNMF_AUDIT_ATTACKS_A8_FIT_SUMS_H_
#define PPDNMF_AUDIT_ATTACKS_A8_FIT_SUMS_H_

#include <vector>

#include <ppdnmf/audit/model/view.h>
#include <ppdnmf/base/random.h>

namespace ppdnmf::audit {

struct FitOptions {
  int exchanges = 9;  // of the transcript, from the first on
  int starts = 6;     // random ones, until one explains what was seen
  int steps = 15;     // Jacobians per stage of each start
};

// Columns that an attack claims to have found, in units of the data.
struct ColumnClaim {
  Matrix columns;
  double cost = 0;  // misfit per observation in deviations of the noise, squared; near 1 if it explains what was seen
  int starts = 0;   // how many were made
};

// All columns of agents outside the coalition, agent by agent. `columns[i]` is agent i's number of columns, which the
// attacker is taken to know. `stream` draws the starts.
[[nodiscard]] ColumnClaim fit_sums(const AttackerView& view, const std::vector<Index>& columns,
                                   const FitOptions& options, Stream& stream);

// The relative error that the linearised model leaves at `truth` (scaled columns, one under the other): no attack, it
// needs the truth; it says whether what was seen determines the columns at all.
[[nodiscard]] double bound_of_sums(const AttackerView& view, const std::vector<Index>& columns, int exchanges,
                                   const Matrix& truth);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A8_FIT_SUMS_H_
