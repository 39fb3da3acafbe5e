// Where one agent of a real run stands.
#ifndef PPDNMF_SITE_PHASE_H_
#define PPDNMF_SITE_PHASE_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace ppdnmf::site {

enum class AgentPhase : std::uint8_t {
  kStarting,    // reads its files, makes its keys
  kPortTaken,   // another program listens where it should; the process ends
  kConnecting,  // some neighbour has not greeted yet
  kOpening,     // the sums before the first iteration
  kIterating,
  kEnding,  // has its result; waits for the neighbours' goodbyes
  kEnded,
  kGaveUp,  // waiting, after `max_wait`; the process ends, and the run goes on when it is started again
  kFailed,
};

// "starting", "port taken", "connecting", "opening", "iterating", "ending", "ended", "gave up",
// "failed".
[[nodiscard]] std::string_view word_of(AgentPhase phase);
[[nodiscard]] std::optional<AgentPhase> phase_of(std::string_view word);

}  // namespace ppdnmf::site

#endif  // PPDNMF_SITE_PHASE_H_
