// A9 on private runs: is this column among the others' data, in spite of the noise? The higher the score, the more
// likely.
#ifndef PPDNMF_AUDIT_ATTACKS_A9_PRIVATE_H_
#define PPDNMF_AUDIT_ATTACKS_A9_PRIVATE_H_

#include <functional>

#include <ppdnmf/audit/model/least_squares.h>
#include <ppdnmf/audit/model/recording.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// One curious agent: the likelihood that the totals contain the candidate's part, all other parts being Gaussian as
// those of the reference columns, plus the noise that it does not know. One score per candidate. `others_columns`, of
// all others together, is not opened; the attacker is taken to know it.
[[nodiscard]] Vector membership_from_noisy_totals(const AttackerView& view, Index others_columns,
                                                  const Matrix& candidates, const Matrix& reference);

// The attacker that differential privacy speaks of: it knows the coalition's noise, which is all that the account
// expects of it, and every column outside the coalition (`known`) but the candidate. The log of the likelihood ratio of
// everything opened, with the candidate against without: no score is better.
[[nodiscard]] double membership_knowing_all(const AttackerView& view, const Matrix& known, const Matrix& candidate);

// Agent 1 has one column more, behind its others.
[[nodiscard]] AgentColumns with_column(const AgentColumns& Z, const Matrix& column);

// How likely a run seems to have had the candidate; `there`: whether it had, for whoever has to leave it out of what
// the attacker knows.
using PresenceScore = std::function<double(const Recording& run, bool there)>;
// AUC of a score over `runs` runs with the candidate as a column more of agent 1, and as many without.
[[nodiscard]] Result<Trial> with_and_without(AuditProblem problem, const Matrix& candidate, int runs,
                                             std::uint64_t seed, const PresenceScore& score);

// AUC of one curious agent over candidates among the neighbours' columns.
[[nodiscard]] Result<Trial> noisy_membership_trial(const AuditSetup& setup, std::uint64_t seed);
// AUC of the attacker who knows every column but one, over `runs` runs with it and as many without. The column is
// one of the same population or, the worst that data can have (`typical` false), the mean of all others: X soon points
// that way, and its part in the totals is as long as the bound allows.
[[nodiscard]] Result<Trial> knowing_all_trial(const AuditSetup& setup, bool typical, int runs, std::uint64_t seed);

// Its rows of the audit's table, beside the same without noise.
void plan_private_membership(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A9_PRIVATE_H_
