// What an agent asks its driver to do after an event, and the box in which the agent's parts put it.
#ifndef PPDNMF_PROTOCOL_STEP_H_
#define PPDNMF_PROTOCOL_STEP_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/ids.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/protocol/message.h>
#include <ppdnmf/protocol/reason.h>

namespace ppdnmf::protocol {

struct Send {
  AgentId to;
  Message message;
  bool again = false;  // it was sent before; not needed while the neighbour has not read what is on its way
};
struct Report {  // after every iteration of a scheme, and once more after closing
  std::uint32_t iteration = 0;
  std::uint64_t rounds = 0;  // until then
  nmf::LocalFit fit;         // of this agent's own columns
  nmf::LocalFit common;      // of everybody's, as all agents know it
  Matrix X;
  bool closing = false;  // X is the one that all agents end with; it belongs to the iteration before
  nmf::LossKind loss = nmf::LossKind::kSquares;  // what is minimised
};
struct Complaint {  // a peer sent something that it must not; it was ignored
  AgentId about;
  std::string what;
};
struct Finish {
  std::string because;  // "iterations", "tolerance" or "request"; "neighbour": another agent had one of these reasons
};
struct Fail {
  Error error;                      // for this agent's own log
  Reason reason = Reason::kDefect;  // for everybody else
};
using End = std::variant<Finish, Fail>;

// The outcome of one event. The state must be durable before any message leaves; the end is what is left to say when
// everything else is done.
struct Step {
  // All that a new process needs to go on from here. Only after events that changed what a restarted agent must not
  // forget. Holds secrets: whoever writes it to a disk does so with mode 0600.
  std::optional<Bytes> state;
  std::vector<Send> sends;  // in this order
  std::vector<Report> reports;
  std::vector<Complaint> complaints;
  std::optional<End> end;  // once in a run; again after a restart, by an agent that may not have lived to say so

  [[nodiscard]] bool empty() const { return !state && sends.empty() && reports.empty() && complaints.empty() && !end; }
  // What the run ended with, if it is that; else null.
  [[nodiscard]] const Finish* finish() const { return end ? std::get_if<Finish>(&*end) : nullptr; }
  [[nodiscard]] const Error* failure() const {
    const Fail* fail = end ? std::get_if<Fail>(&*end) : nullptr;
    return fail != nullptr ? &fail->error : nullptr;
  }
};

// Collects a Step.
class Outbox {
 public:
  explicit Outbox(const RunId& run) : run_(run) {}

  // What this step sends depends on a state that must not be forgotten.
  void save() { saves_ = true; }
  void send(AgentId to, Body body) { step_.sends.push_back({to, Message{run_, std::move(body)}}); }
  void send_again(AgentId to, Body body) { step_.sends.push_back({to, Message{run_, std::move(body)}, true}); }
  void report(Report report) { step_.reports.push_back(std::move(report)); }
  void complain(AgentId about, std::string what) { step_.complaints.push_back({about, std::move(what)}); }
  void finish(std::string because) { step_.end = Finish{std::move(because)}; }
  // The run ends here: nothing that this step would have saved or sent leaves, so that the last state stays good.
  void fail(Error error, Reason reason) {
    saves_ = false;
    step_.sends.clear();
    step_.end = Fail{std::move(error), reason};
  }

  [[nodiscard]] bool saves() const { return saves_; }
  // Without the state, which only the owner of all parts can write. The box is empty then.
  [[nodiscard]] Step take() {
    saves_ = false;
    return std::exchange(step_, {});
  }

 private:
  RunId run_;
  Step step_;
  bool saves_ = false;
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_STEP_H_
