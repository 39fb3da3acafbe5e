// What `approve` does, once its options are read.
#ifndef PPDNMF_APPS_RUN_APPROVE_H_
#define PPDNMF_APPS_RUN_APPROVE_H_

#include <filesystem>
#include <optional>
#include <string>

#include <ppdnmf/base/result.h>

namespace ppdnmf::app {

struct ApproveOptions {
  std::filesystem::path consortium, identity, show, out, html;
  std::string data, member, budget, until;
  std::filesystem::path persons;
  std::optional<int> passphrase_fd;
  bool clip_negative = false;
  bool force = false;
};

// Signs an approval, or shows one, and prints what it says. Fails with kUsage if the file does not name this steward,
// or a number or day makes no sense; as reading the files and the data does.
[[nodiscard]] Status run_approve(const ApproveOptions& options);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_RUN_APPROVE_H_
