// From what a member has and what was agreed on, the Agent of a run.
#ifndef PPDNMF_MEMBER_AGENT_MAKER_H_
#define PPDNMF_MEMBER_AGENT_MAKER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/member/participant.h>
#include <ppdnmf/protocol/graph.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::member {

struct AgentParts {
  Digest consortium{};
  protocol::RunSettings settings;          // completed and validated
  std::optional<crypto::KeyOptions> keys;  // of schemes between neighbours; checked as validate(PaillierRun) does
  protocol::Graph graph;
  std::shared_ptr<const std::vector<crypto::IdentityBytes>> members;
  AgentId self;
  data::SharedColumns columns;  // this member's
  std::optional<std::uint64_t> throw_away_seed;
  std::optional<Matrix> start_from;  // the common X of the first start; nothing: it follows from the run's digest
  // Asked when the number of everybody's columns is known; empty: any number will do (AgentConfig::accept_columns).
  std::function<Status(Index total)> accept_columns;
  // Asked in a run with a cap when that is known; empty: always yes.
  std::function<Status(double cap)> accept_cap{};
};

// Fails with kUsage unless the keys suit the settings.
[[nodiscard]] Status validate(const AgentParts& parts);

// No message of such a run has a longer payload.
[[nodiscard]] std::size_t max_payload_bytes(const AgentParts& parts);

// A config whose make_agent makes Agents of these parts, as often as it is called. The identity and the executor
// outlive it.
[[nodiscard]] ParticipantConfig participant_config(AgentParts parts, const crypto::IdentityKey& identity,
                                                   Executor& executor);

}  // namespace ppdnmf::member

#endif  // PPDNMF_MEMBER_AGENT_MAKER_H_
