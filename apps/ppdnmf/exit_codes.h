// The program's exit codes, documented in docs/command_line.md.
#ifndef PPDNMF_APPS_EXIT_CODES_H_
#define PPDNMF_APPS_EXIT_CODES_H_

#include <ppdnmf/base/result.h>

namespace ppdnmf::app {

inline constexpr int kExitSuccess = 0;

inline int exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInternal:
      return 1;
    case ErrorCode::kUsage:
      return 2;
    case ErrorCode::kInvalidData:
      return 3;
    case ErrorCode::kFile:
      return 4;
    case ErrorCode::kNumeric:
      return 5;
    case ErrorCode::kPeer:
      return 6;
    case ErrorCode::kInterrupted:
      return 130;
  }
  return 1;
}

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_EXIT_CODES_H_
