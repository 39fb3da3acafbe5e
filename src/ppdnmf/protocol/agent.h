// One agent of one run, as a pure state machine: events in, actions out (docs/protocol.md, sections 5 and 6).
//
// No socket, thread, clock, file or entropy inside. The same events in the same order give the same actions; and since
// all randomness is named by round and neighbour, the order hardly matters: X and Y come out the same however messages
// are lost, repeated, delayed or reordered, and whenever the agent is killed and restarted from what it saved.
//
// A run has four parts: greetings between neighbours, an opening by sums over all agents (the number of columns, the
// common scale, the norm of all data), iterations, and the end. Who takes part, and with which nonces, is known before
// (protocol/roll_call.h). What an iteration asks of the network depends on the kind of exchange (protocol/iteration.h);
// the rest is the same for all and is done here by three small machines: Greeting, TreeSum and NeighbourExchange.
#ifndef PPDNMF_PROTOCOL_AGENT_H_
#define PPDNMF_PROTOCOL_AGENT_H_

#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include <ppdnmf/base/ids.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/left_factor.h>
#include <ppdnmf/protocol/action.h>
#include <ppdnmf/protocol/cipher.h>
#include <ppdnmf/protocol/greeting.h>
#include <ppdnmf/protocol/iteration.h>
#include <ppdnmf/protocol/message.h>
#include <ppdnmf/protocol/neighbour_exchange.h>
#include <ppdnmf/protocol/settings.h>
#include <ppdnmf/protocol/spanning_tree.h>
#include <ppdnmf/protocol/sum_iteration.h>
#include <ppdnmf/protocol/sum_masks.h>
#include <ppdnmf/protocol/tree_sum.h>
#include <ppdnmf/protocol/weights.h>

namespace ppdnmf::protocol {

class NeighbourIteration;

// What can happen. The transport has authenticated `from` before the event exists.
struct Started {  // first of all, and again after a restart from a saved state
  Digest salt{};  // fresh in every process of a real run; zeros in simulations (Cipher::salt)
};
struct Received {
  AgentId from;
  Message message;
};
struct Ticked {};         // something may have been lost: ask again for what is missing
struct StopRequested {};  // time is up: propose to all to end the run
using Event = std::variant<Started, Received, Ticked, StopRequested>;

// The longest payload of a sum in a run with these settings.
[[nodiscard]] std::size_t most_sum_bytes(const RunSettings& settings);

struct AgentConfig {
  RunId run{};
  RunSettings settings;
  Digest settings_digest{};
  AgentId self;
  std::uint32_t agents = 1;          // of the whole run
  std::vector<AgentId> neighbours;   // in rising order
  TreePlace place;                   // in the graph's spanning tree
  std::function<Matrix(int)> start;  // the common X0 of start 0, 1, ...
  std::unique_ptr<nmf::Holder> columns;  // this agent's own
  std::unique_ptr<Cipher> cipher;    // of the exchange with the neighbours
  std::optional<SumSecrets> masks;   // of the sums; without them words travel as they are
  CommonSteps* steps = nullptr;      // not owned; see SumIteration
  // Asked once, when the number of everybody's columns is known and nothing else of the data has left: whether this
  // agent goes on (protocol/column_minimum.h). Empty: always. Not asked in a private run, which opens no such number.
  std::function<Status(Index columns)> accept_columns;
  // Runs the work that it is given, which is all work with masks: for whoever wants to know how long that takes.
  std::function<void(const std::function<void()>&)> around_masks = [](const auto& work) { work(); };
  WeightTable weight_table;  // tests only
};

// Sums that a run opens with: columns, entries, norm. What it iterates over is numbered from here.
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
  [[nodiscard]] std::vector<Action> step(const Event& event);

  // A piece of work that needs nothing which has yet to come, such as the random factors of messages it will send next.
  // To be called while no event waits; changes no later action, only how soon it follows. False if there is nothing
  // left.
  bool prepare();

  // The state that the last Save asked for, and its way back into an Agent made with the same arguments; the next event
  // must then be Started. Holds secrets: whoever writes it to a disk does so with mode 0600.
  // `load` fails with kInvalidData if the bytes are not such a state; the agent must then be thrown away.
  [[nodiscard]] Bytes save() const;
  [[nodiscard]] Status load(ByteSpan saved);

  // What neighbours may still need once this agent has finished, as it was sent: the last total and the last answers.
  [[nodiscard]] std::vector<Send> last_answers() const;

  [[nodiscard]] const Matrix& X() const { return iteration_->X(); }
  [[nodiscard]] Matrix Y() const { return config_.columns->Y(); }  // in units of the data
  [[nodiscard]] const nmf::LeftFactor& left() const;                    // of the exchanges with neighbours (checked)
  [[nodiscard]] AgentId self() const { return config_.self; }
  // By what the data were divided, once the opening has told.
  [[nodiscard]] std::optional<double> data_scale() const;
  // Exchanges begun, and those of them that have ended.
  [[nodiscard]] std::uint64_t exchanges() const { return iteration_->exchanges(); }
  [[nodiscard]] std::uint64_t exchanges_completed() const { return iteration_->exchanges_completed(); }
  // Whose message it cannot go on without.
  [[nodiscard]] std::vector<AgentId> waiting_for() const;
  [[nodiscard]] bool iterating() const { return phase_ == Phase::kIterating; }
  [[nodiscard]] bool finished() const { return phase_ == Phase::kFinished; }

 private:
  enum class Phase : std::uint8_t { kNew, kGreeting, kOpening, kIterating, kFinished, kFailed };
  // The sums of the opening, by number. The first tells whether there are columns enough to go on to the others.
  enum OpeningSum : std::uint32_t { kColumns, kEntries, kNorm };
  static_assert(kNorm + 1 == kOpeningSums);

  [[nodiscard]] std::unique_ptr<Iteration> make_iteration();
  void on(const Started& event);
  void on(const Received& event);
  void on(const Ticked& event);
  void on(const StopRequested& event);
  void advance();  // whatever can be done with what has come in
  [[nodiscard]] Result<bool> advance_once();
  [[nodiscard]] Status check_children() const;
  void resend_missing();

  [[nodiscard]] Status begin_opening(std::uint32_t number);
  [[nodiscard]] Status end_opening(const Words& total);
  [[nodiscard]] Status take_columns(const Words& total);
  [[nodiscard]] Status take_entries(const Words& total);
  void begin_sum(Words words, bool stop);
  void bind(ByteSpan common);  // the chain goes on
  [[nodiscard]] Status carry_out(Result<Ask> ask);
  void fail(Error error);
  [[nodiscard]] bool fits(const Received& event);
  [[nodiscard]] Status agree_on_masks();
  [[nodiscard]] Status load_parts(ByteReader& in);
  [[nodiscard]] bool is_consistent() const;

  AgentConfig config_;
  Seed secret_;
  NeighbourIteration* neighbour_iteration_ = nullptr;  // iteration_, if it is one
  std::unique_ptr<Iteration> iteration_;
  Greeting greeting_;
  TreeSum sums_;
  NeighbourExchange exchange_;
  std::optional<SumMasks> masks_;

  Phase phase_ = Phase::kNew;
  Digest chain_{};                  // of all that was opened so far, and of what followed from it: all that decides
                                    // what the next sum is
  Index all_columns_ = 0;           // everybody's, once the first sum has told
  std::optional<Opening> opening_;  // complete once phase_ is kIterating
  std::string because_;             // why it finished

  Outbox out_;
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_AGENT_H_
