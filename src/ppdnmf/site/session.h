// The loop of a member's process (site/daemon.h), once its parts are there.
#ifndef PPDNMF_SITE_SESSION_H_
#define PPDNMF_SITE_SESSION_H_

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <ppdnmf/journal/journal.h>
#include <ppdnmf/member/participant.h>
#include <ppdnmf/net/transport.h>
#include <ppdnmf/site/daemon.h>
#include <ppdnmf/site/on_their_way.h>
#include <ppdnmf/site/run_log.h>
#include <ppdnmf/site/status.h>
#include <ppdnmf/site/witness.h>

namespace ppdnmf::site {

// "agent 2" in the machine's sentences becomes "agent 2 (hospital-c)".
[[nodiscard]] std::string with_names(const std::string& sentence, const std::vector<std::string>& names);

struct SessionParts {
  journal::Journal* journal = nullptr;
  member::Participant* participant = nullptr;
  net::Transport* transport = nullptr;
  RunLog* log = nullptr;
  Witness* witness = nullptr;
  std::vector<std::string> names;  // of all members
  std::vector<AgentId> neighbours;
  double max_seconds = 0;  // of the run; 0: no limit
  // Asked when the first state is saved and nothing has left yet, in every process of a run that goes on; may be empty.
  std::function<Status()> before_first_message;
  // Writes the results of a finished run, `because` as Finish says.
  std::function<Status(const std::string& because)> write_results;
};

class Session {
 public:
  // Everything outlives it.
  Session(const DaemonConfig& config, const DaemonListener& listener, SessionParts parts);

  // Until the run has ended and the neighbours know, or nobody needs this agent any more.
  [[nodiscard]] Status run();

  [[nodiscard]] double seconds() const;  // of the run, all processes together

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] Status take_part();
  [[nodiscard]] Status leave();
  [[nodiscard]] Status handle(net::NetEvent event);
  [[nodiscard]] Status on_time();
  [[nodiscard]] Status step(const member::MemberEvent& event);
  [[nodiscard]] Status carry_out(member::MemberStep step);
  enum class Keep : std::uint8_t { kAlso, kAlone };
  // Into the journal, beside the state before it or as the only one.
  [[nodiscard]] Status save(ByteSpan state, Keep keep);
  [[nodiscard]] Status finish(const std::string& because);
  [[nodiscard]] Status pause(const Error& error);
  // Until the disk takes it.
  [[nodiscard]] Status put_on_record(const std::function<Status()>& write);
  [[nodiscard]] Status post(const member::Post& post);
  void hang_up(AgentId peer, const std::string& why);
  void complain(AgentId about, const std::string& what);
  void fell_silent(const net::NetEvent& event);
  [[nodiscard]] bool is_news(AgentId peer);
  [[nodiscard]] Clock::time_point next_deadline() const;
  void set_tick(std::chrono::milliseconds wait);
  [[nodiscard]] Status check_patience();

  void count_traffic();
  void show(bool at_once);
  [[nodiscard]] AgentPhase phase() const;
  [[nodiscard]] std::string name(AgentId id) const { return parts_.names.at(id.value); }
  [[nodiscard]] AgentStatus status() const;
  [[nodiscard]] ProgressLine progress() const;

  const DaemonConfig& config_;
  const DaemonListener& listener_;
  SessionParts parts_;
  member::Participant& participant_;
  net::Transport& transport_;
  RunLog& log_;
  Witness& witness_;

  Clock::time_point began_ = Clock::now();
  Clock::time_point next_tick_;
  std::chrono::milliseconds tick_{0};
  Clock::time_point last_progress_ = Clock::now();  // of the run, by a neighbour's message
  std::set<AgentId> babblers_;                      // who said something since
  std::optional<Clock::time_point> leave_at_;
  bool stopping_ = false;
  bool failed_ = false;
  bool impatient_ = false;  // gave up waiting, which ends the process and not the run
  std::string because_;

  OnTheirWay on_their_way_;
  std::map<AgentId, int> complaints_;
  struct Silence {
    int lines = 0;
    Clock::time_point last;
  };
  std::map<AgentId, Silence> silences_;  // what was said of ended connections
  std::map<AgentId, std::chrono::sys_seconds> waited_since_;
  std::string problem_;
  std::chrono::sys_seconds problem_at_;
  Clock::time_point next_status_;
  ProgressLine shown_;
};

}  // namespace ppdnmf::site

#endif  // PPDNMF_SITE_SESSION_H_
