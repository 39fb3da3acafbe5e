// A run as the audit sees it: everybody's views apart, and the truth for those who score.
#ifndef PPDNMF_AUDIT_MODEL_RECORDING_H_
#define PPDNMF_AUDIT_MODEL_RECORDING_H_

#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include <ppdnmf/audit/model/view.h>
#include <ppdnmf/base/executor.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/sim/simulation.h>

namespace ppdnmf::audit {

// Everybody's columns in one matrix, which the run is lent.
struct AgentColumns {
  Matrix all;                 // agent after agent
  std::vector<Index> counts;  // of each agent; they add up to all of them

  [[nodiscard]] auto operator[](std::size_t agent) const {
    const auto before = counts.begin() + static_cast<std::ptrdiff_t>(agent);
    return all.middleCols(std::accumulate(counts.begin(), before, Index{0}), *before);
  }
};

// A run to be attacked.
struct AuditProblem {
  protocol::Graph graph;
  AgentColumns Z;
  protocol::RunSettings settings;  // completed
  std::uint64_t seed = 1;
  std::uint64_t rounds = 0;                // stop after this many; 0: play it to its end
  std::optional<crypto::KeyOptions> keys;  // none: plain integers; a view then has what the ciphers opened, no bytes
  bool unmasked = false;  // no keys, and as if the neighbours' answers had no masks: each is opened alone
  bool masks = false;     // on the sums; a private run fails without
  // What an active attacker does; a view of such a run has the bytes that arrived.
  Deviation deviation;
};

// What simulate would use by default for this scheme on this graph.
[[nodiscard]] protocol::RunSettings default_settings(protocol::SchemeKind scheme, Index rows, Index rank,
                                                     const protocol::Graph& graph);
// The paper's own: updates and scheme as printed.
[[nodiscard]] protocol::RunSettings printed_settings(Index rows, Index rank, const protocol::Graph& graph);

// The hardened scheme as it was before the audit: each agent its own secret weight, a public start, no factors on the
// edges. What the attacks do to it shows what the countermeasures are for.
void remove_countermeasures(protocol::RunSettings& settings, const protocol::Graph& graph);

// Everything that happened in one run. Holds everybody's secrets: attacks are given views, never this.
class Recording {
 public:
  // Fails as the simulation does.
  [[nodiscard]] static Result<Recording> make(const AuditProblem& problem, Executor& executor);

  // What these agents saw together.
  [[nodiscard]] AttackerView view(const std::vector<AgentId>& coalition) const;
  [[nodiscard]] AttackerView view(AgentId alone) const { return view(std::vector{alone}); }

  // The truth.
  [[nodiscard]] const MemberView& all_of(AgentId agent) const { return members_.at(agent.value); }
  [[nodiscard]] const protocol::Graph& graph() const { return graph_; }
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] const Matrix& X0() const { return X0_; }
  // Everybody's columns but those of `agent`, side by side in the order of the agents.
  [[nodiscard]] Matrix others(AgentId agent) const;

 private:
  friend class Ear;
  Recording(const AuditProblem& problem);
  [[nodiscard]] std::vector<std::vector<double>> noise_shares(AgentId agent) const;

  protocol::Graph graph_;
  protocol::RunSettings settings_;
  std::uint64_t seed_;
  Matrix X0_;
  double scale_ = 1;
  std::vector<MemberView> members_;
};

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_MODEL_RECORDING_H_
