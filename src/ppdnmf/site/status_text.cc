#include <fmt/format.h>

#include <cmath>

#include <ppdnmf/io/text.h>
#include <ppdnmf/io/time_text.h>
#include <ppdnmf/report/report_words.h>
#include <ppdnmf/site/status.h>

namespace ppdnmf::site {
namespace {

using std::chrono::sys_seconds;

std::string ago(sys_seconds then, sys_seconds now) {
  return fmt::format("{} ({} ago)", io::spoken_time(then),
                     report::duration(static_cast<double>(std::max(now - then, std::chrono::seconds{0}).count())));
}

std::string doing(const AgentStatus& status) {
  switch (status.phase) {
    case AgentPhase::kStarting:
      return "is starting";
    case AgentPhase::kPortTaken:
      return "could not listen: another program has the port";
    case AgentPhase::kConnecting:
      return "is connecting to its neighbours";
    case AgentPhase::kOpening:
      return "is agreeing with the others on the scale of the data";
    case AgentPhase::kIterating:
      return "is factorising";
    case AgentPhase::kEnding:
      return "has its result and waits for its neighbours to have theirs";
    case AgentPhase::kEnded:
      return "has ended its run";
    case AgentPhase::kGaveUp:
      return "has given up waiting";
    case AgentPhase::kFailed:
      return "has failed";
  }
  return "";
}

bool is_over(AgentPhase phase) {
  return phase == AgentPhase::kEnded || phase == AgentPhase::kFailed || phase == AgentPhase::kPortTaken;
}

std::string first_line(const AgentStatus& status, bool running) {
  const std::string member = io::printable(status.member);
  if (running || is_over(status.phase)) {
    const std::string because =
        status.phase == AgentPhase::kEnded && !status.because.empty() ? fmt::format(" ({})", status.because) : "";
    return fmt::format("{} {}{}.\n", member, doing(status), io::printable(because));
  }
  const std::string_view last = status.phase == AgentPhase::kGaveUp   ? "it has given up waiting"
                                : status.phase == AgentPhase::kEnding ? "when it was last heard of, it had its result"
                                                                      : "when it was last heard of, it had not ended";
  return fmt::format("{} is not running; {}. The command that started it, typed again, continues from there.\n", member,
                     last);
}

std::string iteration_line(const AgentStatus& status) {
  if (status.iterations == 0 && status.rounds == 0) return {};
  std::string out = fmt::format("iteration {}", status.iterations);
  if (status.planned_iterations > 0) out += fmt::format(" of at most {}", status.planned_iterations);
  out += fmt::format(", {} rounds", status.rounds);
  if (!std::isnan(status.common)) out += fmt::format(", common relative error {}", report::short_number(status.common));
  if (!std::isnan(status.error)) {
    out += fmt::format(", own{} {}", std::isnan(status.common) ? " relative error" : "",
                       report::short_number(status.error));
  }
  return out + "\n";
}

}  // namespace

std::string status_text(const AgentStatus& status, bool running, sys_seconds now) {
  std::string out = first_line(status, running) + iteration_line(status);
  if (running) {
    for (const AgentStatus::Peer& peer : status.peers) {
      if (peer.waited_for)
        out += fmt::format("waiting for {} since {}\n", io::printable(peer.name), ago(peer.waited_since, now));
    }
    for (const AgentStatus::Peer& peer : status.peers) {
      if (!peer.connected)
        out += fmt::format("no connection to {} since {}\n", io::printable(peer.name), ago(peer.since, now));
    }
  }
  if (!status.problem.empty())
    out += fmt::format("last problem, {}: {}\n", ago(status.problem_at, now), io::printable(status.problem));
  if (running) {
    out += fmt::format("process {}, started {}{}\n", status.pid, ago(status.began, now),
                       status.restarts == 0   ? ""
                       : status.restarts == 1 ? ", restarted once"
                                              : fmt::format(", restarted {} times", status.restarts));
  }
  return out + fmt::format("status written {}\n", ago(status.written, now));
}

}  // namespace ppdnmf::site
