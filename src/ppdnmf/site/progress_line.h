// What an agent tells the process that launched it: one line of JSON on a pipe (`agent --progress-fd N`) at every
// change of phase, after every report of the state machine, and when it begins or ceases to wait for somebody.
#ifndef PPDNMF_SITE_PROGRESS_LINE_H_
#define PPDNMF_SITE_PROGRESS_LINE_H_

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/site/phase.h>

namespace ppdnmf::site {

inline constexpr std::size_t kMaxProgressLineBytes = std::size_t{1} << 16U;

struct ProgressLine {
  AgentPhase phase = AgentPhase::kStarting;
  std::int64_t iterations = 0;                               // of the last report
  std::int64_t rounds = 0;                                   // completed
  double error = std::numeric_limits<double>::quiet_NaN();   // relative, on the agent's own columns; NaN: none yet
  double common = std::numeric_limits<double>::quiet_NaN();  // relative, on everybody's, as all know it
  double loss = std::numeric_limits<double>::quiet_NaN();    // of everybody's columns, in units of the data
  bool closing = false;                                      // the errors are those after closing
  std::uint64_t bytes = 0;                                   // sent so far
  std::vector<std::string> waiting_for;                      // members, by name
  std::string because;                                       // why the run ended, from kEnding on
};

// One line, with its line end:
// {"phase":"iterating","iterations":3,"rounds":9,"error":0.1,"common":0.11,"loss":5.3,"closing":false,"bytes":1234,"waiting_for":["b"],
// "because":""}. A NaN is null.
[[nodiscard]] std::string progress_line(const ProgressLine& progress);

// Fails with kInvalidData unless `line` (without its end) is such an object: every field there, of its kind and in its
// range, and none besides.
[[nodiscard]] Result<ProgressLine> parse_progress_line(std::string_view line);

}  // namespace ppdnmf::site

#endif  // PPDNMF_SITE_PROGRESS_LINE_H_
