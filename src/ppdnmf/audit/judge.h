// What a planned run would give away: who must work together to see an agent alone, who has too few columns, what the
// audit's curves lead one to expect, and what to change.
#ifndef PPDNMF_AUDIT_JUDGE_H_
#define PPDNMF_AUDIT_JUDGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/privacy/account.h>
#include <ppdnmf/protocol/graph.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::audit {

struct PlannedRun {
  protocol::Graph graph;
  protocol::SchemeKind scheme = protocol::SchemeKind::kHardened;
  Index rows = 0;
  Index rank = 0;
  std::vector<std::string> names;         // of the agents; empty: their numbers
  std::vector<Index> columns;             // of the agents; empty: not known yet
  std::optional<privacy::Budget> budget;  // a private run's, all agents but one assumed honest; nothing: not private
};

struct AgentJudgement {
  std::string name;
  std::uint32_t helpers = 0;   // that a curious agent needs to see this one alone
  bool exact = true;           // false: at least this many
  Index columns = 0;           // 0: not known
  Index others = 0;            // all others' together
  bool enough = true;          // columns, as far as they are known
  std::string reconstruction;  // what the curves say of its columns
  std::string membership;      // and of telling whether a column is among them
};

struct Judgement {
  std::vector<AgentJudgement> agents;
  std::vector<std::string> advice;  // sentences: what to change, most important first
  std::string promise;              // of a private run: what its account means for one column; else empty
  std::optional<double> bound;      // of a private run: the largest AUC of anybody who tells members
  bool accepted = false;            // a real run would accept it
};

// Fails with kUsage if there are numbers of columns for another number of agents, or one is not positive, or
// if check_budget refuses the budget.
[[nodiscard]] Result<Judgement> judge(const PlannedRun& run);

[[nodiscard]] std::string judgement_text(const PlannedRun& run, const Judgement& judgement);
[[nodiscard]] std::string judgement_json(const PlannedRun& run, const Judgement& judgement);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_JUDGE_H_
