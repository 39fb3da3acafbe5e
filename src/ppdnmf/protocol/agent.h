// One agent of one run, as a pure state machine: events in, steps out (docs/protocol.md, sections 5 and 6).
//
// No socket, thread, clock, file or entropy inside. The same events in the same order give the same steps; and since
// all randomness is named by round and neighbour, the order hardly matters: X and Y come out the same however messages
// are lost, repeated, delayed or reordered, and whenever the agent is killed and restarted from what it saved.
//
// A run has four parts: greetings between neighbours, an opening by sums over all agents (the number of columns, the
// common scale, the norm of all data), iterations, and the end. Who takes part, and with which nonces, is known before
// (protocol/roll_call.h). What an iteration asks of the network depends on the kind of scheme (protocol/scheme.h);
// the rest is the same for all and is done here by three small machines: Greeting, TreeSum and NeighbourExchange.
#ifndef PPDNMF_PROTOCOL_AGENT_H_
#define PPDNMF_PROTOCOL_AGENT_H_

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <ppdnmf/base/ids.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/protocol/agent_config.h>
#include <ppdnmf/protocol/early_sums.h>
#include <ppdnmf/protocol/greeting.h>
#include <ppdnmf/protocol/message.h>
#include <ppdnmf/protocol/scheme.h>
#include <ppdnmf/protocol/step.h>
#include <ppdnmf/protocol/sum_masks.h>
#include <ppdnmf/protocol/tree_sum.h>

namespace ppdnmf::protocol {

// What can happen. The transport has authenticated `from` before the event exists.
struct Started {  // first of all, and again after a restart from a saved state
  Digest salt{};  // fresh in every process of a real run; zeros in simulations (PeerExchange::salt)
};
struct Received {
  AgentId from;
  Message message;
};
struct Ticked {};         // something may have been lost: ask again for what is missing
struct StopRequested {};  // time is up: propose to all to end the run
using Event = std::variant<Started, Received, Ticked, StopRequested>;

// Sums that a run opens with: columns, entries, norm. What it iterates over is numbered from here, after the early sums
// that some runs have (protocol/early_sums.h).
inline constexpr std::uint32_t kOpeningSums = 3;

class Agent {
 public:
  // `secret` is this agent's own. The config is consistent (checked): settings validated, shapes equal.
  Agent(AgentConfig config, Seed secret);
  Agent(Agent&&) = delete;
  Agent& operator=(Agent&&) = delete;
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;
  ~Agent();

  // Total: legal in every state. Peer input never throws; a message of another run, a stranger or the past is ignored.
  [[nodiscard]] Step step(const Event& event);

  // A piece of work that needs nothing which has yet to come, such as the random factors of messages it will send next.
  // To be called while no event waits; changes no later step, only how soon it follows. False if there is nothing
  // left.
  bool prepare();

  // The state as the last step carried it, or would have; and its way back into an Agent made with the same arguments,
  // whose next event must then be Started. Holds secrets.
  // `load` fails with kInvalidData if the bytes are not such a state; the agent must then be thrown away.
  [[nodiscard]] Bytes save() const { return save_in({}); }
  [[nodiscard]] Status load(ByteSpan saved);

  // Memory for the state of the next step that carries one, such as that of the last one, which is hardly shorter. Its
  // content is forgotten, not wiped.
  void lend(Bytes room) { room_ = std::move(room); }

  // What neighbours may still need once this agent has finished, as it was sent: the last total and the last answers.
  [[nodiscard]] std::vector<Send> last_answers() const;

  [[nodiscard]] const Matrix& X() const { return scheme_->X(); }
  [[nodiscard]] Matrix Y() const { return scheme_->Y(); }  // in units of the data
  [[nodiscard]] Matrix V() const { return scheme_->V(); }  // empty unless the run has `site_effects`
  [[nodiscard]] const Scheme& scheme() const { return *scheme_; }
  [[nodiscard]] AgentId self() const { return config_.self; }
  [[nodiscard]] const RunId& run() const { return config_.run; }
  // By what the data were divided, once the opening has told.
  [[nodiscard]] std::optional<double> data_scale() const;
  // Rows that were dropped for all, once the opening has told; in rising order.
  [[nodiscard]] const std::vector<Index>& dropped_rows() const { return early_.dropped(); }
  // Rounds begun, and those of them that have ended.
  [[nodiscard]] std::uint64_t rounds() const { return scheme_->rounds(); }
  [[nodiscard]] std::uint64_t rounds_completed() const { return scheme_->rounds_completed(); }
  // Whose message it cannot go on without.
  [[nodiscard]] std::vector<AgentId> waiting_for() const;
  // How often it went on to something else in this process: never more often than its run has parts.
  [[nodiscard]] std::uint64_t moves() const { return moves_; }
  [[nodiscard]] bool iterating() const { return phase_ == Phase::kIterating; }
  [[nodiscard]] bool finished() const { return phase_ == Phase::kFinished; }

 private:
  [[nodiscard]] Bytes save_in(Bytes room) const;
  enum class Phase : std::uint8_t { kNew, kGreeting, kOpening, kIterating, kFinished, kFailed };
  // The sums of the opening. The first tells whether there are columns enough to go on to the others.
  enum class OpeningSum : std::uint8_t { kColumns, kEarly, kEntries, kNorm };

  void on(const Started& event);
  void on(const Received& event);
  void on(const Ticked& event);
  void on(const StopRequested& event);
  void advance();  // whatever can be done with what has come in
  [[nodiscard]] Result<bool> advance_once();
  [[nodiscard]] Status check_children() const;
  void resend_missing();

  [[nodiscard]] OpeningSum opening_sum(std::uint32_t number) const;
  [[nodiscard]] Status begin_opening(std::uint32_t number);
  [[nodiscard]] Status end_opening(const Words& total);
  [[nodiscard]] Status take_opening(const Words& total);
  [[nodiscard]] Status take_columns(const Words& total);
  [[nodiscard]] Status take_entries(const Words& total);
  [[nodiscard]] double mean_of(double sum) const;
  [[nodiscard]] std::vector<double> present_parts() const;
  void begin_sum(Words words, bool stop);
  void bind(std::initializer_list<ByteSpan> common);  // the chain goes on with these, one after the other
  [[nodiscard]] Status carry_out(Result<Ask> ask);
  void fail(Error error);
  [[nodiscard]] Reason place() const;
  [[nodiscard]] bool fits(const Received& event);
  [[nodiscard]] Executor& executor() const { return config_.columns->executor(); }
  [[nodiscard]] bool exchanging() const { return peers_ != nullptr && peers_->active(); }
  [[nodiscard]] Status agree_on_masks();
  [[nodiscard]] Status load_parts(ByteReader& in);
  [[nodiscard]] bool is_consistent() const;

  AgentConfig config_;
  Seed secret_;
  std::unique_ptr<Scheme> scheme_;
  PeerExchange* peers_;  // the scheme's, if it has one
  Greeting greeting_;
  TreeSum sums_;
  EarlySums early_;
  std::optional<SumMasks> masks_;

  Phase phase_ = Phase::kNew;
  Digest chain_{};                  // of all that was opened so far, and of what followed from it: all that decides
                                    // what the next sum is
  Digest told_{};                   // of all totals so far, for the noise (protocol/noise_share.h)
  Index all_columns_ = 0;           // everybody's, once the first sum has told
  std::optional<Opening> opening_;  // complete once phase_ is kIterating
  std::string because_;             // why it finished
  std::uint64_t moves_ = 0;
  Bytes room_;  // lent

  Outbox out_;
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_AGENT_H_
