// What `agent` does, once its options are read.
#ifndef PPDNMF_APPS_RUN_AGENT_H_
#define PPDNMF_APPS_RUN_AGENT_H_

#include <filesystem>
#include <optional>
#include <string>

#include "apps/ppdnmf/options.h"
#include "apps/ppdnmf/page_process.h"
#include "apps/ppdnmf/several.h"
#include <ppdnmf/base/result.h>

namespace ppdnmf::app {

struct AgentOptions {
  std::filesystem::path consortium, identity, out, start_from, known, ledger, persons, approval;
  std::string data, image, listen, proxy, data_name;
  ViewOptions view;
  io::OnDisk on_disk = io::OnDisk::kNever;
  bool clip_negative = false;
  bool exact_anyway = false;
  std::optional<int> passphrase_fd;
  int threads = 0;
  int max_wait = 0;
  int linger = 60;
  bool force = false;
  bool json = false;
  bool quiet = false;
  std::optional<int> progress_fd;
  bool die_with_parent = false;
  PageOptions page;
  Several* several = nullptr;  // null: one process
};

// Takes part in a real run to its end, shows how it is going and prints where the results are.
[[nodiscard]] Status run_agent(const AgentOptions& options);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_RUN_AGENT_H_
