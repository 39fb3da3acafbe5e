// One agent's part in rounds with its neighbours, one after the other (docs/protocol.md, sections 4 and 5).
//
// A round runs in two halves. The agent sends its query and waits for all neighbours' queries; it then answers them
// all and waits for all replies. A neighbour can be one round ahead at most, so at most one query per neighbour is
// queued. Replies are kept until the neighbour has moved on, and sent again unchanged when it asks again.
#ifndef PPDNMF_PROTOCOL_NEIGHBOURS_NEIGHBOUR_EXCHANGE_H_
#define PPDNMF_PROTOCOL_NEIGHBOURS_NEIGHBOUR_EXCHANGE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/protocol/neighbours/cipher.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/protocol/step.h>

namespace ppdnmf::protocol::neighbours {

// What an agent brings to one round (docs/protocol.md, section 4).
struct NeighboursOf {
  Round round;
  std::uint32_t stop_admm = kNever;
  std::vector<std::int64_t> u;             // with the slot of secret weights, if there are any
  std::vector<std::int64_t> weights;       // what the difference to each neighbour is multiplied with in the answer
  std::vector<std::int64_t> next_weights;  // as printed: of the next round, which are revealed
};

// What it gave.
struct NeighbourSums {
  std::vector<std::vector<std::int64_t>> sums;  // hardened: one, over all neighbours; as printed: each neighbour's
  std::vector<std::int64_t> next_weights;       // as printed: the neighbours' towards this agent in the next round
  std::uint32_t stop_admm = kNever;             // the smallest proposal of all
};

class NeighbourExchange {
 public:
  // Settings, secret, which is the agent's, and cipher outlive it.
  NeighbourExchange(const RunSettings& settings, const std::vector<AgentId>& neighbours, const Seed& secret,
                    Cipher& cipher);

  // Fails as the cipher's make_query does.
  [[nodiscard]] Status begin(NeighboursOf ask, Outbox& out);
  // Whatever can be done with what has come in; the outcome once. Fails with kPeer, naming the agent.
  [[nodiscard]] Result<std::optional<NeighbourSums>> advance(Outbox& out);

  // Messages of strangers, of the past or too far ahead are ignored; a second, different question gets a complaint.
  // Fails with kPeer, naming the agent, if it goes on with an X step that has ended here: proposals to stop reach all
  // agents alike, unless somebody tells them different ones, and then both sides would wait for ever.
  [[nodiscard]] Status take(AgentId from, const Query& query, Outbox& out);
  void take(AgentId from, const Reply& reply);
  // The X step has ended with the last round: fails as `take` does if somebody has gone on with it already.
  [[nodiscard]] Status end_step() const;
  void resend(Outbox& out) const;
  // The last answer given to each neighbour, again.
  void repeat_answers(Outbox& out) const;
  // Work for later messages that needs none of those to come; `next`: the round after this one. False if there is none.
  bool prepare(const std::optional<Round>& next);

  [[nodiscard]] bool active() const { return half_ != Half::kNone; }
  // Whose question or answer is missing.
  [[nodiscard]] std::vector<AgentId> waiting_for() const;
  // Whether this neighbour's question of the round under way has not come; whether it asks in the next iteration.
  [[nodiscard]] bool misses_query_of(AgentId neighbour) const;
  [[nodiscard]] bool has_next_iteration_of(AgentId neighbour) const;
  [[nodiscard]] Round round() const { return ask_.round; }

  void save(ByteWriter& out) const;
  // Fails with kInvalidData if it cannot have come to this by itself.
  [[nodiscard]] Status load(ByteReader& in);

 private:
  enum class Half : std::uint8_t { kNone, kQuerying, kReplying };
  struct Neighbour {
    AgentId id;
    std::optional<Query> query;        // of this round
    std::optional<Query> early_query;  // of the round after this one
    std::optional<Reply> reply;        // of this round
    // The last answer given to it, and to what: the same question gets the same bytes, another one gets none.
    Digest answered{};
    Reply answer;
  };

  [[nodiscard]] Status answer_queries(Outbox& out);
  [[nodiscard]] Result<Reply> make_answer(std::size_t neighbour);
  [[nodiscard]] Result<NeighbourSums> open_replies();
  [[nodiscard]] bool is_consistent() const;
  [[nodiscard]] bool goes_on_with_step(const Query& query) const;
  [[nodiscard]] Neighbour* find(AgentId id);

  const RunSettings& settings_;
  const Seed& secret_;
  Cipher& cipher_;
  std::vector<Neighbour> neighbours_;
  Half half_ = Half::kNone;
  NeighboursOf ask_;  // of the last round begun
  Query own_query_;   // as it was sent
};

}  // namespace ppdnmf::protocol::neighbours

#endif  // PPDNMF_PROTOCOL_NEIGHBOURS_NEIGHBOUR_EXCHANGE_H_
