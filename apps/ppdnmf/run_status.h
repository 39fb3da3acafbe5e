// What `status` does, once its options are read.
#ifndef PPDNMF_APPS_RUN_STATUS_H_
#define PPDNMF_APPS_RUN_STATUS_H_

#include <filesystem>

#include <ppdnmf/base/result.h>

namespace ppdnmf::app {

struct StatusOptions {
  std::filesystem::path folder;
  bool json = false;
};

// Prints where the run stands. Fails with kFile.
[[nodiscard]] Status run_status(const StatusOptions& options);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_RUN_STATUS_H_
