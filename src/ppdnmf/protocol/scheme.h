// What a scheme asks of the network in each of its rounds, and what it does with the answer.
//
// The agent (protocol/agent.h) does what all schemes share: greetings, the opening, sums, asking again, saving, ending.
// A scheme gets numbers and says what it wants to know next. Most know nothing but sums over all agents. A scheme that
// talks to its neighbours besides brings the machine for it: a PeerExchange.
#ifndef PPDNMF_PROTOCOL_SCHEME_H_
#define PPDNMF_PROTOCOL_SCHEME_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/nmf/rank_choice.h>
#include <ppdnmf/protocol/message.h>
#include <ppdnmf/protocol/step.h>

namespace ppdnmf::protocol {

// The sum of these numbers over all agents, and of what Scheme::add_noise adds to them.
struct SumOf {
  std::vector<double> values;
  bool stop = false;               // this agent proposes to end the run
  const Matrix* common = nullptr;  // what followed from the totals so far, the same at everybody, or nothing: the
                                   // next masks depend on it
  std::uint64_t round = 0;         // of a PeerExchange, the last one: the next masks depend on it, too
};

// The outcome of the scheme's PeerExchange, which is under way.
struct PeersAnswer {};

// The end of the run.
struct Ended {
  std::string because;
};

using Ask = std::variant<SumOf, PeersAnswer, Ended>;

// What all agents know after the opening.
struct Opening {
  double scale = 1;         // data are divided by it
  double squared_norm = 0;  // of everybody's scaled data
  std::uint32_t agents = 1;
  std::vector<double> present{};  // the part of all columns that have each row; empty: nothing may be missing
  Index columns = 0;              // everybody's; 0 in a private run, which does not tell
  std::vector<Index> dropped{};   // rows that are zero in everybody's columns, and in X
};

// What a search for the number of components has tried so far, and what it chose in the end.
struct RankSearch {
  std::vector<nmf::RankRuns> tried;  // of rising ranks, one after the other
  std::optional<nmf::RankChoice> choice;
};

// What a neighbour is told in the greeting, besides the digest of the settings.
struct Salutation {
  std::int64_t weight = 0;
  Bytes payload;
  friend bool operator==(const Salutation&, const Salutation&) = default;
};

// A scheme's talk with its neighbours, one round after the other: questions and answers between each two of them.
class PeerExchange {
 public:
  PeerExchange() = default;
  PeerExchange(const PeerExchange&) = delete;
  PeerExchange& operator=(const PeerExchange&) = delete;
  PeerExchange(PeerExchange&&) = delete;
  PeerExchange& operator=(PeerExchange&&) = delete;
  virtual ~PeerExchange() = default;

  // The same again whenever it is asked for.
  [[nodiscard]] virtual Salutation greeting(AgentId to) = 0;
  // Fails with kPeer, naming the agent. Called again after a restart, with the same.
  [[nodiscard]] virtual Status accept_greeting(AgentId from, const Salutation& salutation) = 0;
  // Enters the random factors of encryptions from now on; zeros: as if it had not been called (neighbours/cipher.h).
  virtual void salt(const Digest& salt) = 0;

  // No honest agent sends a longer payload in such a Hello, Query or Reply.
  [[nodiscard]] virtual std::size_t max_payload(const Body& body) const = 0;
  // Messages of the past or too far ahead are ignored; a second, different question gets a complaint. Fails with kPeer,
  // naming the agent, if nobody who keeps to the protocol can have sent it.
  [[nodiscard]] virtual Status take(AgentId from, const Query& query, Outbox& out) = 0;
  virtual void take(AgentId from, const Reply& reply) = 0;
  // Whatever can be done with what has come in; once the round has ended, what the scheme asks for next.
  [[nodiscard]] virtual Result<std::optional<Ask>> advance(Outbox& out) = 0;
  // Asks for what is missing.
  virtual void resend(Outbox& out) const = 0;
  // The last answer given to each neighbour, again.
  virtual void repeat_answers(Outbox& out) const = 0;
  // A piece of work for later messages that needs none of those to come. False if there is nothing left.
  virtual bool prepare() = 0;

  // Whether a round is under way, and whose question or answer is missing in it.
  [[nodiscard]] virtual bool active() const = 0;
  [[nodiscard]] virtual std::vector<AgentId> waiting_for() const = 0;
  // Whether this neighbour's question of the round under way has not come; whether it asks in the next iteration.
  [[nodiscard]] virtual bool misses_query_of(AgentId neighbour) const = 0;
  [[nodiscard]] virtual bool has_next_iteration_of(AgentId neighbour) const = 0;
};

class Scheme {
 public:
  Scheme() = default;
  Scheme(const Scheme&) = delete;
  Scheme& operator=(const Scheme&) = delete;
  Scheme(Scheme&&) = delete;
  Scheme& operator=(Scheme&&) = delete;
  virtual ~Scheme() = default;

  // The first ask. A scheme puts reports into `out`, and its PeerExchange messages.
  [[nodiscard]] virtual Result<Ask> begin(const Opening& opening, Outbox& out) = 0;
  // The total of the last SumOf, and whether anybody proposes to end. Numbers of peers: anything can come.
  [[nodiscard]] virtual Result<Ask> absorb(std::span<const double> totals, bool stop, Outbox& out) = 0;
  // Adds this agent's share of the noise to the values of the SumOf just asked for; nothing in exact runs. It depends
  // on all totals so far, which `told` stands for (protocol/noise_share.h).
  virtual void add_noise(std::span<double> values, const Digest& told) const {
    (void)values;
    (void)told;
  }
  // Time is up: propose to end with the next sum.
  virtual void request_stop() = 0;
  // Null if the scheme knows sums only; else the scheme's own, for as long as it lives.
  [[nodiscard]] virtual PeerExchange* peers() { return nullptr; }

  // Null unless the scheme looks for the number of components; else its own, for as long as it lives.
  [[nodiscard]] virtual const RankSearch* search() const { return nullptr; }

  [[nodiscard]] virtual const Matrix& X() const = 0;
  [[nodiscard]] virtual Matrix Y() const = 0;  // of this agent's columns, in units of the data
  // What this agent's columns have beside X (nmf/holder.h); empty where a run has no such parts.
  [[nodiscard]] virtual Matrix V() const { return {}; }
  [[nodiscard]] virtual Matrix shrink() const { return {}; }  // nmf::Factorization::shrink
  // Rounds begun so far, and those of them that have ended.
  [[nodiscard]] virtual std::uint64_t rounds() const = 0;
  [[nodiscard]] virtual std::uint64_t rounds_completed() const = 0;

  // `load` goes into a Scheme made with the same arguments, after the same greetings and the same opening if there was
  // one; its columns have been loaded. Fails with kInvalidData if no run can have led to such a state.
  virtual void save(ByteWriter& out) const = 0;
  [[nodiscard]] virtual Status load(ByteReader& in, const std::optional<Opening>& opening) = 0;
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_SCHEME_H_
