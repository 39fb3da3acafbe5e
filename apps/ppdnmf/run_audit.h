// What `audit` does, once its options are read.
#ifndef PPDNMF_APPS_RUN_AUDIT_H_
#define PPDNMF_APPS_RUN_AUDIT_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "apps/ppdnmf/options.h"
#include <ppdnmf/base/result.h>

namespace ppdnmf::app {

struct AuditOptions {
  [[nodiscard]] static protocol::Settings rank_five() {
    protocol::Settings settings;
    settings.rank = 5;
    return settings;
  }

  OutputOptions output;
  std::uint64_t seed = 1;
  std::size_t threads = 0;
  bool quick = false;
  std::vector<std::string> attacks;  // none: all
  // A planned run.
  std::filesystem::path consortium;
  std::vector<Index> columns;
  std::string topology;
  std::uint32_t agents = 0;
  Index rows = 100;
  protocol::Settings settings = rank_five();  // rank, scheme, and epsilon with delta
};

// Attacks, writes the page and prints the table.
[[nodiscard]] Status run_audit(const AuditOptions& options);

// Prints what is to be expected of a planned run.
[[nodiscard]] Status judge_planned(const AuditOptions& options);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_RUN_AUDIT_H_
