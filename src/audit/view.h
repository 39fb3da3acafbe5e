// What a coalition of agents saw in one run, and nothing else: the only thing an attack is given.
//
// A value without ways back to the run. It is made by a Recording (audit/recording.h), which holds everybody's secrets;
// what is here is what the coalition's own machines held: the public settings, its own columns, what its own ciphers
// were given and opened, and the bytes that reached it.
#ifndef PPDNMF_AUDIT_VIEW_H_
#define PPDNMF_AUDIT_VIEW_H_

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/ids.h"
#include "nmf/matrix.h"
#include "protocol/graph.h"
#include "protocol/message.h"
#include "protocol/settings.h"
#include "protocol/sum_masks.h"

namespace ppdnmf {

// An own query before it was encrypted.
struct OwnQuery {
  Round round;
  std::vector<std::int64_t> minus_u;  // with the weight slot when hardened
};

// An own reply before it was encrypted.
struct OwnReply {
  Round round;
  AgentId asker;
  std::int64_t weight = 0;
  std::vector<std::int64_t> u;
};

// What the own cipher opened: the sum of the replies `of` these neighbours.
struct OpenedSum {
  Round round;
  std::vector<AgentId> of;
  std::vector<std::int64_t> values;
};

// Bytes that reached an agent.
struct ReceivedMessage {
  AgentId from;
  Message message;
};

// What one member of the coalition saw.
struct MemberView {
  Matrix Z;                       // its own columns
  std::vector<OwnQuery> queries;  // in the order of the run, as all lists here
  std::vector<OwnReply> replies;
  std::vector<OpenedSum> opened;
  std::vector<OpenedSum> opened_alone;            // single answers that it could open on the side
  std::vector<ReceivedMessage> received;          // of encrypted or masked runs; the plain stand-ins hide nothing
  std::map<std::uint32_t, Bytes> totals;          // of the sums over all agents, by number: 16 bytes a word
  std::map<std::uint32_t, Bytes> contributions;   // its own masked part as sent, with all below it in the tree
  std::shared_ptr<const SumSecrets> sum_secrets;  // its own, of masked sums
  std::vector<std::vector<double>> noise;         // its own share in every exchange of a private run
  Matrix X;                                       // its X at the end; empty if the run was not played to its end
};

struct AttackerView {
  RunSettings settings;  // public, with the common scale that the opening told
  Graph graph;
  Matrix X0;         // the common start
  double scale = 1;  // by which everybody divides the data
  std::map<AgentId, MemberView> members;

  // The only member, of a coalition of one (checked).
  [[nodiscard]] const MemberView& alone() const;
  [[nodiscard]] AgentId self() const;
  [[nodiscard]] bool has(AgentId agent) const { return members.contains(agent); }
};

// -minus_u of one round, without the weight slot.
[[nodiscard]] std::vector<std::int64_t> own_u(const MemberView& member, Round round, Index size);
// Of one round; nullptr if there is none.
[[nodiscard]] const OpenedSum* opened_in(const MemberView& member, Round round);

}  // namespace ppdnmf

#endif  // PPDNMF_AUDIT_VIEW_H_
