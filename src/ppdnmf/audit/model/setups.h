// What trials share. A trial is one attack on one run: a run is recorded, an attacker is given its view, and its claim
// is scored. Every trial is pure, so that the same seed gives the same numbers, and fails as Recording::make does.
#ifndef PPDNMF_AUDIT_MODEL_SETUPS_H_
#define PPDNMF_AUDIT_MODEL_SETUPS_H_

#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/audit/model/measurement.h>
#include <ppdnmf/audit/model/recording.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::audit {

// Short names: nearly every row has one.
inline constexpr protocol::SchemeKind kPrinted = protocol::SchemeKind::kAsPrinted;
inline constexpr protocol::SchemeKind kHardened = protocol::SchemeKind::kHardened;
inline constexpr protocol::SchemeKind kSum = protocol::SchemeKind::kSum;

// A millionth, below 1 / columns of every setup.
inline constexpr double kAuditDelta = 1e-6;

// Who takes part: agent 0 attacks with columns of its own, all others have `each`.
struct AuditSetup {
  protocol::SchemeKind scheme = protocol::SchemeKind::kHardened;
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
  // sum: under the Poisson loss with this curvature, and with so many starts.
  std::optional<nmf::Curvature> poisson{};
  int starts = 1;
};
// Whether a real run would accept it: enough columns, nobody seen alone, not as printed.
[[nodiscard]] bool is_accepted(const AuditSetup& setup);
// rho of one column, of a private setup (epsilon > 0, checked) with all its noise.
[[nodiscard]] double account_of(const AuditSetup& setup);

// The attacker of every setup.
inline constexpr AgentId kAttacker{0};

[[nodiscard]] std::vector<Index> columns_of(const AuditSetup& setup);
// `more` columns of the same population that nobody has, behind those of the agents.
[[nodiscard]] Matrix population_of(const AuditSetup& setup, std::uint64_t seed, Index more = 0);
// The run of this setup and seed with the program's own settings.
[[nodiscard]] AuditProblem problem_of(const AuditSetup& setup, std::uint64_t seed, std::uint64_t rounds = 0);
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

// What `of` answered `asker` in this round; nullptr if it did not.
[[nodiscard]] const OwnReply* reply_of(const Recording& run, AgentId of, AgentId asker, protocol::Round round);

// Keys that protect nothing and are made in no time.
[[nodiscard]] crypto::KeyOptions small_keys();

// A deviation that changes nothing, for what it does to a view: the bytes that arrive are kept.
[[nodiscard]] std::vector<protocol::Message> send_unchanged(AgentId from, AgentId to, const protocol::Message& message);

// The root of the tree that sums go along, a leaf, and the leaf's parent.
struct TreePlaces {
  AgentId root, leaf, leafs_parent;
};
[[nodiscard]] TreePlaces places_in(const protocol::Graph& graph);

// S, T and the squared error of the first round of a sum run, as `columns` (in units of the data) would answer.
[[nodiscard]] Eigen::VectorXd first_answer(const Recording& run, const Matrix& columns);

// The error on everybody's data of the X that agent 1 ended with.
[[nodiscard]] double final_error(const Recording& run, const AuditSetup& setup);

// The smallest error of a guess from one's own columns alone: their mean, or as many of them as are asked for.
[[nodiscard]] double guess_error(const Matrix& truth, const Matrix& own);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_MODEL_SETUPS_H_
