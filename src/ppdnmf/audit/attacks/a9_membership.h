// A9: is this column among the others' data? Scores for candidate columns, the higher the more likely.
//
// The attacker holds its own columns and reference columns of the same population, none of which took part.
#ifndef PPDNMF_AUDIT_ATTACKS_A9_MEMBERSHIP_H_
#define PPDNMF_AUDIT_ATTACKS_A9_MEMBERSHIP_H_

#include <string>
#include <vector>

#include <ppdnmf/audit/model/least_squares.h>
#include <ppdnmf/audit/model/view.h>
#include <ppdnmf/base/random.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

struct MembershipScores {
  std::string name;
  Vector scores;  // one per candidate
};

// From the final X alone. "residual": how well X fits the candidate. "gradient": at a converged X the others' gradient
// is minus one's own, and a member is a part of it.
[[nodiscard]] std::vector<MembershipScores> membership_from_factor(const AttackerView& view, const Matrix& candidates);

// From the totals of a sum run. "span": how far the candidate sticks out of the span of all S. "ratio": the likelihood
// that the totals contain the candidate's share, shares being Gaussian as those of the reference columns.
[[nodiscard]] std::vector<MembershipScores> membership_from_totals(const AttackerView& view, Index others_columns,
                                                                   const Matrix& candidates, const Matrix& reference,
                                                                   int rounds);

// From the sums of a hardened run: the network is simulated with reference columns in the others' place, with and
// without the candidate among a neighbour's. `columns` as in fit_sums.
[[nodiscard]] std::vector<MembershipScores> membership_from_sums(const AttackerView& view,
                                                                 const std::vector<Index>& columns,
                                                                 const Matrix& candidates, const Matrix& reference,
                                                                 int rounds, Stream& stream);

// Its rows of the audit's table.
void plan_membership(Plan& plan);
void plan_poisson_membership(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A9_MEMBERSHIP_H_
