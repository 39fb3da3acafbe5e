// What an agent asks its driver to do, and the list in which the agent's parts put it.
#ifndef PPDNMF_PROTOCOL_ACTION_H_
#define PPDNMF_PROTOCOL_ACTION_H_

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <ppdnmf/base/ids.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/protocol/message.h>

namespace ppdnmf::protocol {

struct Save {};  // Agent::save() must be durable before the next Send leaves
struct Send {
  AgentId to;
  Message message;
  bool again = false;  // it was sent before; not needed while the neighbour has not read what is on its way
};
struct Report {  // after every BCD iteration (exchange `sum`: every exchange), and once more after closing
  std::uint32_t bcd = 0;
  std::uint64_t exchanges = 0;
  nmf::LocalFit fit;     // of this agent's own columns
  nmf::LocalFit common;  // of everybody's, as all agents know it
  Matrix X;
  bool closing = false;  // X is the one that all agents end with; no iteration of its own
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

// The actions of one step, in the order in which they must be carried out.
class Outbox {
 public:
  explicit Outbox(const RunId& run) : run_(run) {}

  void save() { actions_.emplace_back(Save{}); }
  void send(AgentId to, Body body) { actions_.emplace_back(Send{to, Message{run_, std::move(body)}}); }
  void send_again(AgentId to, Body body) { actions_.emplace_back(Send{to, Message{run_, std::move(body)}, true}); }
  void complain(AgentId about, std::string what) { actions_.emplace_back(Complain{about, std::move(what)}); }
  void add(Action action) { actions_.push_back(std::move(action)); }
  // The run ends here: nothing that this step would have saved or sent leaves, so that the last state stays good.
  void fail(Error error) {
    std::erase_if(actions_, [](const Action& action) {
      return std::holds_alternative<Save>(action) || std::holds_alternative<Send>(action);
    });
    actions_.emplace_back(Fail{std::move(error)});
  }
  [[nodiscard]] std::vector<Action> take() { return std::exchange(actions_, {}); }

 private:
  RunId run_;
  std::vector<Action> actions_;
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_ACTION_H_
