// The program's exit codes, once: the code, --help and the table of docs/command_line.md follow from this list.
#ifndef PPDNMF_APPS_EXIT_CODES_H_
#define PPDNMF_APPS_EXIT_CODES_H_

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <ppdnmf/base/result.h>

namespace ppdnmf::app {

inline constexpr int kExitSuccess = 0;

struct ExitCode {
  int code = 0;
  std::optional<ErrorCode> error;  // nothing: there was none
  std::string_view meaning;
  std::string_view who;  // has to act
};

inline constexpr std::array<ExitCode, 9> kExitCodes = {{
    {kExitSuccess, std::nullopt, "done", ""},
    {1, ErrorCode::kInternal, "a defect in ppdnmf, or not enough memory", "please report it"},
    {2, ErrorCode::kUsage, "an option or argument that makes no sense", "whoever typed it"},
    {3, ErrorCode::kInvalidData, "data that cannot be factorised", "the owner of the data"},
    {4, ErrorCode::kFile, "a file that cannot be read or written, or would be overwritten", "whoever keeps the files"},
    {5, ErrorCode::kNumeric, "numbers out of range, for instance beyond --u-bound", "whoever chose the settings"},
    {6, ErrorCode::kPeer, "a peer that misbehaves, or gave up", "the member whom the sentence names"},
    {7, ErrorCode::kUnheard, "an agent's results are complete, but a neighbour may have missed the end",
     "whoever runs the agent: the same command serves the neighbour again"},
    {130, ErrorCode::kInterrupted, "interrupted; a checkpoint, or an agent's journal, is left",
     "nobody: the same command can continue"},
}};

[[nodiscard]] constexpr int exit_code(ErrorCode error) {
  const auto* found =
      std::find_if(kExitCodes.begin(), kExitCodes.end(), [&](const ExitCode& one) { return one.error == error; });
  return found == kExitCodes.end() ? 1 : found->code;
}

// For --help.
[[nodiscard]] inline std::string exit_codes_text() {
  std::string out = "Exit codes:";
  for (const ExitCode& one : kExitCodes) out += "\n  " + std::to_string(one.code) + "  " + std::string(one.meaning);
  return out;
}

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_EXIT_CODES_H_
