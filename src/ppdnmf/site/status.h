// Where an agent's run stands, as a file beside its results: DIR/status.json, for `ppdnmf status` and for whoever
// watches as its owner: it has the error on the agent's own columns, and sentences of its log (mode 0600).
#ifndef PPDNMF_SITE_STATUS_H_
#define PPDNMF_SITE_STATUS_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/site/phase.h>

namespace ppdnmf::site {

struct AgentStatus {
  struct Peer {
    std::string name;
    bool connected = false;
    std::chrono::sys_seconds since;  // connected or not
    bool waited_for = false;         // the run does not go on without a message of this one
    std::chrono::sys_seconds waited_since;
  };

  std::string member;  // this agent's own name
  std::string digits;  // of the consortium, as people compare them
  AgentPhase phase = AgentPhase::kStarting;
  std::int64_t iterations = 0;
  std::int64_t planned_iterations = 0;
  std::int64_t rounds = 0;
  double error = std::numeric_limits<double>::quiet_NaN();   // on its own columns; NaN: none yet
  double common = std::numeric_limits<double>::quiet_NaN();  // on everybody's
  std::vector<Peer> peers;                                   // its neighbours
  std::string problem;                                       // the last one, in a sentence; empty: none
  std::chrono::sys_seconds problem_at;
  std::string because;  // why the run ended, from kEnding on
  std::int64_t pid = 0;
  std::int64_t restarts = 0;
  std::chrono::sys_seconds began;  // this process
  std::chrono::sys_seconds written;
  std::string lock = "journal/lock";  // the file in DIR that the process holds with flock while it lives
};

// Replaces folder/status.json at once. Fails with kFile as write_file does.
[[nodiscard]] Status write_status(const std::filesystem::path& folder, const AgentStatus& status);
// Fails with kFile, the path in front: no such file, or none of ours.
[[nodiscard]] Result<AgentStatus> read_status(const std::filesystem::path& folder);

// The file's text. Fails with kInvalidData if it is anything else.
[[nodiscard]] Result<AgentStatus> parse_status(std::string_view text);

// JSON as the file has it, with "running" in front.
[[nodiscard]] std::string status_json(const AgentStatus& status, bool running);

// Whether a process holds the status' lock in this folder. A lock that cannot be opened counts as free.
[[nodiscard]] bool is_running(const std::filesystem::path& folder, const AgentStatus& status);

// A few lines for a person: the phase, the iteration and its error, whom the run waits for and since when, who is not
// connected, the last problem, and what to do if the process is gone before its run has ended.
[[nodiscard]] std::string status_text(const AgentStatus& status, bool running, std::chrono::sys_seconds now);

}  // namespace ppdnmf::site

#endif  // PPDNMF_SITE_STATUS_H_
