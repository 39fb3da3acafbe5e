// Runs and baselines that several trials share.
#ifndef PPDNMF_AUDIT_MODEL_SETUPS_H_
#define PPDNMF_AUDIT_MODEL_SETUPS_H_

#include <vector>

#include <ppdnmf/audit/model/recording.h>
#include <ppdnmf/audit/attacks/trials.h>

namespace ppdnmf::audit {

// The attacker of every setup.
inline constexpr AgentId kAttacker{0};

[[nodiscard]] std::vector<Index> columns_of(const AuditSetup& setup);
// `more` columns of the same population that nobody has, behind those of the agents.
[[nodiscard]] Matrix population_of(const AuditSetup& setup, std::uint64_t seed, Index more = 0);
// The run of this setup and seed with the program's own settings.
[[nodiscard]] AuditProblem problem_of(const AuditSetup& setup, std::uint64_t seed, std::uint64_t exchanges = 0);
[[nodiscard]] Result<Recording> record(const AuditProblem& problem);

// Columns of which it is to be told whether they are among the others': members and as many strangers (fewer members
// where the neighbours have fewer columns), and what the attacker knows of the population.
struct MembershipCandidates {
  Matrix columns;  // members first
  Index members = 0;
  Matrix reference;
  // Of scores for `columns`.
  [[nodiscard]] double area(const Eigen::VectorXd& scores) const;
};
[[nodiscard]] MembershipCandidates candidates_of(const AuditSetup& setup, std::uint64_t seed, Index reference);

// The error on everybody's data of the X that agent 1 ended with.
[[nodiscard]] double final_error(const Recording& run, const AuditSetup& setup);

// The smallest error of a guess from one's own columns alone: their mean, or as many of them as are asked for.
[[nodiscard]] double guess_error(const Matrix& truth, const Matrix& own);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_MODEL_SETUPS_H_
