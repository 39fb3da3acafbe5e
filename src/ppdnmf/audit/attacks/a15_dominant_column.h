// A15: a dominant column. One with much of the squared norm is nearly the leading eigenvector of the others' second
// moments, which the totals of the scheme sum approach; and in any scheme a component of X comes to point its way. That
// holds for a direction as for the norm: what decides is how much of a direction that X has is the column's
// (nmf/leverage.h).
#ifndef PPDNMF_AUDIT_ATTACKS_A15_DOMINANT_COLUMN_H_
#define PPDNMF_AUDIT_ATTACKS_A15_DOMINANT_COLUMN_H_

#include <ppdnmf/audit/model/least_squares.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// The shape of the largest column of the others: the leading eigenvector of S T⁺ Sᵀ of the last round, less the
// attacker's own part. Of a run of the scheme sum with exact totals.
[[nodiscard]] Vector leading_of_totals(const AttackerView& view);
// The same from the final X alone, of a run that was played to its end: the component that one's own columns explain
// least.
[[nodiscard]] Vector leading_of_X(const AttackerView& view);

// The error of the shape of one of the others' columns of all: the better of the two ways, against the best guess
// without it. That is the mean of one's own columns, or the same two ways in a run that lacks the column: where many
// are alike, they show what they have in common with it, and it may stay away.
[[nodiscard]] Result<Trial> shape_trial(const AuditProblem& problem, Index column);

// The error of the shape of a column of agent 1 that has this part of all others' squared norm.
[[nodiscard]] Result<Trial> dominant_column_trial(const AuditSetup& setup, double part, std::uint64_t seed,
                                                  protocol::CrowdKind crowd = protocol::CrowdKind::kOff);

// That of a column which is zero outside of a quarter of the rows and like no other. It is as long as the others on
// average, or has this part of the others' leading directions.
struct UnlikeColumn {
  double part = 0;      // 0: of ordinary length
  bool within = false;  // shorter, if it had more of a row or of the norm than the crowd allows
  protocol::CrowdKind crowd = protocol::CrowdKind::kOff;
};
[[nodiscard]] Result<Trial> unlike_column_trial(const AuditSetup& setup, const UnlikeColumn& column,
                                                std::uint64_t seed);

// Its rows of the audit's table.
void plan_dominant_columns(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A15_DOMINANT_COLUMN_H_
