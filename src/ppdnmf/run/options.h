// What a run on this machine is told: the settings of the table, and choices that concern this process alone.
#ifndef PPDNMF_RUN_OPTIONS_H_
#define PPDNMF_RUN_OPTIONS_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/protocol/graph.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/protocol/settings.h>

namespace ppdnmf::run {

struct RunOptions {
  protocol::Settings settings;
  std::uint64_t seed = 1;
  std::size_t threads = 0;  // 0: as many as there are processors

  // Of a network alone.
  std::uint32_t agents = 0;  // 0: one per file, or 10
  std::vector<Index> split;
  std::string topology = "random:3";
  std::filesystem::path transcript;  // empty: none
  std::filesystem::path ledger;  // where a private run is debited, and the owner's name for the data; empty: nowhere
  std::string data_name;
};

// What the agents of a simulated run compute with. `columns`: of all agents, for a private run. Fails with kUsage as
// make_run_settings does, and if ledger and data_name do not belong together with a private run.
[[nodiscard]] Result<protocol::RunSettings> make_settings(const RunOptions& options, Index rows, Index columns,
                                                          const protocol::Graph& graph,
                                                          std::shared_ptr<const nmf::KnownColumns> known = nullptr);

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_OPTIONS_H_
