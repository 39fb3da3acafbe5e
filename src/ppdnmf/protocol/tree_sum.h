// One agent's part in sums over all agents, one after the other, along a spanning tree (docs/protocol.md).
//
// An agent waits for its children's parts, adds its own words and sends the sum up; the root adds the last part and
// sends the total down. Two messages per edge of the tree and sum. What an agent has sent for one number it sends again
// unchanged, and nothing else: two different contributions under one mask would open their difference.
//
// A neighbour in the tree can be one sum ahead at most, so at most one early part per child is kept, and of the totals
// only the last. Whoever has not got its total asks by sending its part again.
#ifndef PPDNMF_PROTOCOL_TREE_SUM_H_
#define PPDNMF_PROTOCOL_TREE_SUM_H_

#include <cstdint>
#include <optional>
#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/protocol/spanning_tree.h>
#include <ppdnmf/protocol/step.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::protocol {

class TreeSum {
 public:
  // No payload of more than `max_words` words is kept.
  TreeSum(TreePlace place, std::size_t max_words);

  // The next sum, number 0, 1, ...: this agent's words, masked already; the chain that its masks depend on, which
  // everybody must share; whether it proposes to end the run. Not while one is under way (checked).
  void begin(Words own, const Digest& chain, bool stop);

  struct Outcome {
    Words total;
    bool stop = false;  // somebody proposed to end the run
  };
  // Whatever can be done with what has come in: sends the part up when all children's are there, the total down when it
  // is known, and gives it back, once. Fails with kPeer, naming the agent, if a part or total is of the wrong length or
  // depends on another chain.
  [[nodiscard]] Result<std::optional<Outcome>> advance(Outbox& out);

  // Messages of strangers, of the past or too far ahead are ignored; a second, different part gets a complaint.
  void take(AgentId from, const Partial& partial, Outbox& out);
  void take(AgentId from, const Total& total);
  // Asks for what is missing.
  void resend(Outbox& out) const;
  // The last total, again, to all children.
  void repeat_last(Outbox& out) const;

  [[nodiscard]] bool waiting() const { return state_ == State::kCollecting || state_ == State::kSent; }
  // Whose part or total is missing.
  [[nodiscard]] std::vector<AgentId> waiting_for() const;
  // Whether this child has begun the sum after this one.
  [[nodiscard]] bool has_next_part_of(AgentId child) const;
  // Of the sum that was begun last.
  [[nodiscard]] std::uint32_t number() const { return number_; }

  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  // Whether this machine can have come here by itself; false after loading damaged bytes.
  [[nodiscard]] bool is_consistent() const;

 private:
  enum class State : std::uint8_t { kIdle, kCollecting, kSent };
  struct Child {
    AgentId id;
    std::optional<Partial> partial;  // of this sum
    std::optional<Partial> early;    // of the next
  };

  [[nodiscard]] std::uint32_t next_number() const { return last_ ? last_->number + 1 : 0; }
  [[nodiscard]] Status add_children();
  [[nodiscard]] Status check_length(AgentId from, ByteSpan payload) const;
  [[nodiscard]] Outcome end(Total total, Words words, Outbox& out);
  [[nodiscard]] Child* find(AgentId id);

  TreePlace place_;
  std::size_t max_words_;
  std::vector<Child> children_;

  State state_ = State::kIdle;
  std::uint32_t number_ = 0;
  std::size_t length_ = 0;      // of this sum, in words
  Words own_;                   // this agent's words, while collecting
  Partial sent_;                // its part of this sum; without payload while collecting
  std::optional<Total> total_;  // of this sum, from the parent
  std::optional<Total> last_;   // of the sum before, for children that ask again
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_TREE_SUM_H_
