// What `log verify` does, once its options are read.
#ifndef PPDNMF_APPS_RUN_LOG_VERIFY_H_
#define PPDNMF_APPS_RUN_LOG_VERIFY_H_

#include <filesystem>
#include <vector>

#include <ppdnmf/base/result.h>

namespace ppdnmf::app {

struct LogVerifyOptions {
  std::vector<std::filesystem::path> logs;
  std::filesystem::path consortium;  // empty: the logs alone say who the members are
};

// Prints what was found. Fails with kFile if a log cannot be read, with kInvalidData if one was changed or is not
// signed to its end, with kPeer if logs contradict each other.
[[nodiscard]] Status run_log_verify(const LogVerifyOptions& options);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_RUN_LOG_VERIFY_H_
