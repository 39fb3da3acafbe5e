// One attack on one run: a run is recorded, an attacker is given its view, and its claim is scored.
//
// Every function is pure: the same seed gives the same numbers. They fail as Recording::make does.
#ifndef PPDNMF_AUDIT_TRIALS_H_
#define PPDNMF_AUDIT_TRIALS_H_

#include <string>

#include <ppdnmf/audit/a8_fit_sums.h>
#include <ppdnmf/audit/measurement.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::audit {

// A millionth, below 1 / columns of every setup.
inline constexpr double kAuditDelta = 1e-6;

// Who takes part: agent 0 attacks with columns of its own, all others have `each`.
struct AuditSetup {
  protocol::ExchangeKind exchange = protocol::ExchangeKind::kHardened;
  std::string topology = "ring";
  std::uint32_t agents = 3;
  Index own = 20;
  Index each = 20;
  Index rows = 30;
  Index rank = 5;
  bool counts = false;  // whole numbers instead of the paper's synthetic data
  bool bare = false;    // hardened: without common weights, factors of edges and private starts, as it was before
  double epsilon = 0;   // sum: a private run with kAuditDelta, all agents but one assumed honest; 0: not private
  double noise = 1;     // private: every share of the noise times this, so that it can be halved or switched off (0)
};
// Whether a real run would accept it: enough columns, nobody seen alone, not as printed.
[[nodiscard]] bool is_accepted(const AuditSetup& setup);
// rho of one column, of a private setup (epsilon > 0, checked) with all its noise.
[[nodiscard]] double account_of(const AuditSetup& setup);

// A1: the share of weights that are common divisors. As printed: with the updates as printed.
[[nodiscard]] Result<Trial> weights_trial(const AuditSetup& setup, std::uint64_t seed);
// A2: the error of a one-column leaf's column (as printed), or of the same agent's mean column when sums are taken for
// it.
[[nodiscard]] Result<Trial> leaf_trial(protocol::ExchangeKind exchange, bool faces, Index each, std::uint64_t seed);
// A3: whether the exponent of an answer was found: of a broken replier, or of the program's own.
[[nodiscard]] Result<Trial> exponent_trial(bool broken, std::uint64_t seed);
// A4: the share of exchanges in which a second, different question got a useful answer.
[[nodiscard]] Result<Trial> asked_twice_trial(const AuditSetup& setup, std::uint64_t seed);
[[nodiscard]] Result<Trial> careless_trial(std::uint64_t seed);
// A5: the sine of the angle between what one answer says of u_j - u_i and the truth.
[[nodiscard]] Result<Trial> direction_trial(const AuditSetup& setup, bool masked, std::uint64_t seed);
// A6: the share of malformed keys and ciphertexts that are accepted.
[[nodiscard]] Result<Trial> malformed_trial(std::uint64_t seed);
// A7, A11: over all coalitions of a random graph, the share of agents that fall to fewer helpers than is printed
// (`below`), or the share that do not fall to as many as are printed.
[[nodiscard]] Result<Trial> pooled_trial(bool below, std::uint64_t seed);
// A7 on totals: the error of an agent's share of S when all but `honest` agents pool what they know.
[[nodiscard]] Result<Trial> pooled_totals_trial(std::uint32_t honest, std::uint64_t seed);
// A8: the error of all others' columns.
[[nodiscard]] Result<Trial> fit_trial(const AuditSetup& setup, const FitOptions& options, std::uint64_t seed);
// A8: the error that the linearised model leaves (no attack; both exchanges).
[[nodiscard]] Result<Trial> bound_trial(const AuditSetup& setup, int exchanges, std::uint64_t seed);
// A9: AUC of each way to score, over candidates among the neighbours' columns.
enum class Knowledge : std::uint8_t { kFactor, kTranscript };
[[nodiscard]] Result<Trial> membership_trial(const AuditSetup& setup, Knowledge knowledge, int score,
                                             std::uint64_t seed);
// A9 on private runs: AUC of one curious agent over candidates among the neighbours' columns, as above.
[[nodiscard]] Result<Trial> noisy_membership_trial(const AuditSetup& setup, std::uint64_t seed);
// A9: AUC of the attacker who knows every column but one, over `runs` runs with it and as many without. The column is
// one of the same population or, the worst that data can have (`typical` false), the mean of all others: X soon points
// that way, and its part in the totals is as long as the bound allows.
[[nodiscard]] Result<Trial> knowing_all_trial(const AuditSetup& setup, bool typical, int runs, std::uint64_t seed);
// A8 on private runs: the error of the shapes (columns of length one) of all others' columns.
[[nodiscard]] Result<Trial> noisy_fit_trial(const AuditSetup& setup, const FitOptions& options, std::uint64_t seed);
// A10: how far the neighbours' coordinates stick out of the plane that the first exchange shows.
[[nodiscard]] Result<Trial> plane_trial(const AuditSetup& setup, std::uint64_t seed);
// A12: the share of single weights (bare), or of single entries of u, that a prober reads.
[[nodiscard]] Result<Trial> probing_trial(const AuditSetup& setup, std::uint64_t seed);
// A13: the largest weight (bare), or the error of the final X, after poisoning over what it would have been; 0 if the
// run ended with a sentence.
[[nodiscard]] Result<Trial> poisoning_trial(const AuditSetup& setup, std::uint64_t seed);

// The same attacks on the exchange sum.
// A4: the share of parts that were sent twice, differently, for one sum; of a replier that does it, whether the
// difference of its numbers was found.
[[nodiscard]] Result<Trial> told_twice_trial(const AuditSetup& setup, std::uint64_t seed);
[[nodiscard]] Result<Trial> careless_part_trial(std::uint64_t seed);
// A5: the sine of the angle between what a leaf's part says to its parent and the leaf's S, T and error.
[[nodiscard]] Result<Trial> part_direction_trial(const AuditSetup& setup, bool masked, std::uint64_t seed);
// A12: whether a sum opened after its members had been told different totals.
[[nodiscard]] Result<Trial> told_apart_trial(const AuditSetup& setup, bool masked, std::uint64_t seed);
// A13: the largest error of the final X over what it would have been, over several poisoned parts; those that end the
// run with a sentence count 0.
[[nodiscard]] Result<Trial> poisoned_part_trial(const AuditSetup& setup, std::uint64_t seed);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_TRIALS_H_
