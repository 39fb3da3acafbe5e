// A16: steering. A member adds T = C I, S = C X* and an error that falls to its part of a sum, and everybody's next X
// is X*. Masks cancel, the chain is common, nothing complains. The member is the program's own agent; only what leaves
// it is changed (sim/simulation.h), and it knows no more than its agent does.
#ifndef PPDNMF_AUDIT_ATTACKS_A16_STEERING_H_
#define PPDNMF_AUDIT_ATTACKS_A16_STEERING_H_

#include <memory>
#include <vector>

#include <ppdnmf/audit/model/least_squares.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/view.h>
#include <ppdnmf/nmf/holder.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// What the member asks with the X that it chooses.
class Questions {
 public:
  Questions() = default;
  Questions(const Questions&) = delete;
  Questions& operator=(const Questions&) = delete;
  Questions(Questions&&) = delete;
  Questions& operator=(Questions&&) = delete;
  virtual ~Questions() = default;

  // The X of this round; round 0 has the common start.
  [[nodiscard]] virtual Matrix next(int round) = 0;
  // What all others together answered, in the order of the rounds. `requests`: all so far.
  virtual void answered(const std::vector<nmf::DescentRequest>& requests, const nmf::Moments& others) = 0;
  // Columns read, of scaled data.
  [[nodiscard]] virtual std::vector<Vector> columns() const = 0;
};

// Half-space tests. A pair of components x2 = theta e_a + u, x1 = e_a gives y1 = max(0, z_a - theta uᵀz): only columns
// with z_a / uᵀz above theta are in S_1 and T_11, and if there is one, S_1 / sqrt(T_11) is that column. theta becomes
// the mean ratio of those that passed until one is left. `own`: scaled columns of the member, to begin with.
[[nodiscard]] std::unique_ptr<Questions> half_space_tests(const Matrix& own, Index rank);

// Trackers: tests behind each of which many columns stand, with theta falling in small steps. y1 is linear in theta, so
// the second difference of S_1 is what the columns that have passed in between add: one column, mostly.
// `others`: how many columns all others have.
[[nodiscard]] std::unique_ptr<Questions> trackers(const Matrix& own, Index rank, Index others);

enum class Steering : std::uint8_t { kHalfSpaces, kTrackers };

// How many of the others' columns (shapes, to kFound) a steering member reads in one masked run of the scheme sum.
[[nodiscard]] Result<Trial> steering_trial(const AuditSetup& setup, Steering how, std::uint64_t seed);

// Private runs: X* is the candidate itself, the others' columns and the member's own noise are known, and the score is
// the exact likelihood ratio: no attacker can do better. AUC over `runs` runs with the column and as many without.
[[nodiscard]] Result<Trial> private_steering_trial(const AuditSetup& setup, int runs, std::uint64_t seed);

// The same attacker, without chance: how far the column moves everything that is opened in a run, over the noise that
// the attacker does not know, squared, over the account's 2 rho. Scores are normal with that mu for given totals, so as
// long as it is at most one in every run, no AUC is above the bound but by luck.
[[nodiscard]] Result<Trial> steered_account_trial(const AuditSetup& setup, std::uint64_t seed);

// Its rows of the audit's table.
void plan_steering(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A16_STEERING_H_
