// One agent of one run, as a pure state machine: events in, actions out (docs/protocol.md, sections 5 and 6).
//
// No socket, thread, clock, file or entropy inside. The same events in the same order give the same actions; and since
// all randomness is named by round and neighbour, the order hardly matters: X and Y come out the same however messages
// are lost, repeated, delayed or reordered, and whenever the agent is killed and restarted from what it saved.
//
// An exchange runs in two halves. The agent sends its query and waits for all neighbours' queries; it then answers them
// all and waits for all replies. A neighbour can be one exchange ahead at most, so at most one query per neighbour is
// queued. Replies are kept until the neighbour has moved on, and sent again unchanged when it asks again.
#ifndef PPDNMF_PROTOCOL_AGENT_H_
#define PPDNMF_PROTOCOL_AGENT_H_

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "base/random.h"
#include "nmf/left_factor.h"
#include "nmf/measures.h"
#include "nmf/right_factor.h"
#include "protocol/cipher.h"
#include "protocol/message.h"
#include "protocol/settings.h"
#include "protocol/weights.h"

namespace ppdnmf {

// What can happen. The transport has authenticated `from` before the event exists.
struct Started {};  // first of all, and again after a restart from a saved state
struct Received {
  AgentId from;
  Message message;
};
struct Ticked {};         // something may have been lost: ask again for what is missing
struct StopRequested {};  // time is up: propose to all to end the run
using Event = std::variant<Started, Received, Ticked, StopRequested>;

// What the driver must do, in this order.
struct Save {};  // Agent::save() must be durable before the next Send leaves
struct Send {
  AgentId to;
  Message message;
};
struct Report {  // after every BCD iteration
  std::uint32_t bcd = 0;
  std::uint64_t exchanges = 0;
  LocalFit fit;
  Matrix X;
};
struct Complain {  // a peer sent something it must not; it was ignored
  AgentId about;
  std::string what;
};
struct Finish {
  std::string because;  // "iterations", "tolerance" or "request"; "neighbour": another agent had one of these reasons
};
struct Fail {
  Error error;
};
using Action = std::variant<Save, Send, Report, Complain, Finish, Fail>;

struct AgentConfig {
  RunId run{};
  RunSettings settings;
  Digest settings_digest{};
  AgentId self;
  std::vector<AgentId> neighbours;  // in rising order
  Matrix X0;                        // the common start
  Matrix Z;                         // this agent's own columns, in units of the data
  std::unique_ptr<Cipher> cipher;
  WeightTable weight_table;  // tests only
};

class Agent {
 public:
  // `secret` is this agent's own. The config is consistent (checked): settings validated, shapes equal.
  Agent(AgentConfig config, Seed secret);

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

  [[nodiscard]] const Matrix& X() const { return left_.X(); }
  [[nodiscard]] Matrix Y() const { return config_.settings.data_scale * right_.Y(); }  // in units of the data
  [[nodiscard]] const LeftFactor& left() const { return left_; }
  [[nodiscard]] AgentId self() const { return config_.self; }
  // Exchanges begun, and those of them that have ended.
  [[nodiscard]] std::uint64_t exchanges() const { return exchanges_; }
  [[nodiscard]] std::uint64_t exchanges_completed() const {
    return exchanges_ - (phase_ == Phase::kQuerying || phase_ == Phase::kReplying ? 1 : 0);
  }
  [[nodiscard]] bool finished() const { return phase_ == Phase::kFinished; }

 private:
  enum class Phase : std::uint8_t { kNew, kGreeting, kQuerying, kReplying, kFinished, kFailed };

  // What is known of one neighbour.
  struct Neighbour {
    AgentId id;
    std::vector<Bytes> greetings;      // accepted, by stage
    std::vector<Bytes> own_greetings;  // sent to it, by stage
    std::int64_t first_weight = 0;     // as printed: ours towards it in the first exchange
    std::int64_t revealed_weight = 0;  // as printed: its towards us in the coming exchange
    std::optional<Hello> early_hello;  // of the stage after this one
    std::optional<Query> query;        // of this round
    std::optional<Query> early_query;  // of the round after this one
    std::optional<Reply> reply;        // of this round
    // The last answer given to it, and to what: the same question gets the same bytes, another one gets none.
    Round answered{};
    Digest answered_digest{};
    Reply answer;
  };

  void on(const Started& event);
  void on(const Received& event);
  void on(const Ticked& event);
  void on(const StopRequested& event);
  void on_hello(Neighbour& from, const Hello& hello);
  void on_query(Neighbour& from, const Query& query);
  void on_reply(Neighbour& from, const Reply& reply);

  void begin_stage(std::uint32_t stage);
  void accept_hello(Neighbour& from, const Hello& hello);
  void begin_bcd();
  void begin_round();
  void answer_queries();
  void end_round();
  void end_bcd();
  void advance();  // whatever can be done with what has come in
  void resend_missing();

  [[nodiscard]] bool is_consistent() const;
  [[nodiscard]] Status restore_derived();
  [[nodiscard]] Status absorb_replies();
  [[nodiscard]] Result<Reply> make_answer(std::size_t neighbour);
  [[nodiscard]] double coupling() const;
  [[nodiscard]] double neighbourhood_difference() const;
  [[nodiscard]] std::uint32_t bcd_lag() const;
  [[nodiscard]] std::optional<Round> next_round() const;
  [[nodiscard]] Status take_revealed_weight(Neighbour& from, std::int64_t weight);

  void send(AgentId to, std::variant<Hello, Query, Reply> body);
  void send_hello(const Neighbour& to, std::uint32_t stage, bool again);
  void complain(AgentId about, std::string what);
  void fail(Error error);
  [[nodiscard]] Neighbour* find(AgentId id);
  [[nodiscard]] double mu() const;
  [[nodiscard]] double wanted_weight() const;
  void solve_right_factor();

  AgentConfig config_;
  Seed secret_;
  Matrix Z_;  // divided by data_scale
  double Z_squared_norm_ = 0;
  LeftFactor left_;
  RightFactor right_;
  Weights weights_;
  std::vector<Neighbour> neighbours_;

  Phase phase_ = Phase::kNew;
  std::uint32_t stage_ = 0;
  Round round_{};
  std::uint64_t exchanges_ = 0;
  std::uint32_t stop_admm_ = kNever;
  std::uint32_t stop_bcd_ = kNever;
  std::string stop_reason_ = "iterations";
  double learned_weights_ = 0;   // sum over neighbours of their real weights in the last exchange; 0 before the first
  double learned_coupling_ = 0;  // rho_i of the last exchange
  double pull_norm_ = 0;         // ||S_i|| of the last exchange
  Matrix X_before_;              // at the end of the last BCD iteration
  Query own_query_;              // of this round, as it was sent
  std::vector<std::int64_t> u_;  // of this round, with the weight slot when hardened

  std::vector<Action> actions_;
};

}  // namespace ppdnmf

#endif  // PPDNMF_PROTOCOL_AGENT_H_
