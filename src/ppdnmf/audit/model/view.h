// What a coalition of agents saw in one run, and nothing else: the only thing an attack is given.
//
// A value without ways back to the run. It is made by a Recording (audit/recording.h), which holds everybody's secrets;
// what is here is what the coalition's own machines held: the public settings, its own columns, what its own ciphers
// were given and opened, and the bytes that reached it.
#ifndef PPDNMF_AUDIT_MODEL_VIEW_H_
#define PPDNMF_AUDIT_MODEL_VIEW_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/ids.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/protocol/graph.h>
#include <ppdnmf/protocol/message.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/protocol/sum_masks.h>

namespace ppdnmf::audit {

// What an active attacker sends instead of a message of its own (sim/simulation.h): nothing, the message, or others.
using Deviation =
    std::function<std::vector<protocol::Message>(AgentId from, AgentId to, const protocol::Message& message)>;

// One's own query before it was encrypted.
struct OwnQuery {
  protocol::Round round;
  std::vector<std::int64_t> minus_u;  // with the weight slot when hardened
};

// One's own reply before it was encrypted.
struct OwnReply {
  protocol::Round round;
  AgentId asker;
  std::int64_t weight = 0;
  std::vector<std::int64_t> u;
};

// What one's own cipher opened: the sum of the replies `of` these neighbours.
struct OpenedSum {
  protocol::Round round;
  std::vector<AgentId> of;
  std::vector<std::int64_t> values;
};

// Bytes that reached an agent.
struct ReceivedMessage {
  AgentId from;
  protocol::Message message;
};

// What one member of the coalition saw.
struct MemberView {
  Matrix Z;                       // its own columns
  std::vector<OwnQuery> queries;  // in the order of the run, as all lists here
  std::vector<OwnReply> replies;
  std::vector<OpenedSum> opened;
  std::vector<OpenedSum> opened_alone;           // single answers that it could open on the side
  std::vector<ReceivedMessage> received;         // of encrypted or masked runs; the plain stand-ins hide nothing
  std::map<std::uint32_t, Bytes> totals;         // of the sums over all agents, by number: 16 bytes a word
  std::map<std::uint32_t, Bytes> contributions;  // its own masked part as sent, with all below it in the tree
  std::shared_ptr<const protocol::SumSecrets> sum_secrets;  // its own, of masked sums
  std::vector<std::vector<double>> noise;                   // its own share in every round of a private run
  Matrix X;  // its X at the end; empty if the run was not played to its end
};

struct AttackerView {
  protocol::RunSettings settings;  // public, with the common scale that the opening told
  protocol::Graph graph;
  Matrix X0;         // the common start
  double scale = 1;  // by which everybody divides the data
  std::map<AgentId, MemberView> members;
  std::vector<Matrix> later_starts{};  // common, too, where there are several

  // The only member, of a coalition of one (checked).
  [[nodiscard]] const MemberView& alone() const;
  [[nodiscard]] AgentId self() const;
  [[nodiscard]] bool has(AgentId agent) const { return members.contains(agent); }
};

// -minus_u of one round, without the weight slot.
[[nodiscard]] std::vector<std::int64_t> own_u(const MemberView& member, protocol::Round round, Index size);
// Of one round; nullptr if there is none.
[[nodiscard]] const OpenedSum* opened_in(const MemberView& member, protocol::Round round);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_MODEL_VIEW_H_
