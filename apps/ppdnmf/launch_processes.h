// The processes of one launched run, from the plan to what they wrote.
#ifndef PPDNMF_APPS_LAUNCH_PROCESSES_H_
#define PPDNMF_APPS_LAUNCH_PROCESSES_H_

#include <filesystem>
#include <vector>

#include "apps/ppdnmf/progress.h"
#include "apps/ppdnmf/run_simulate.h"
#include <ppdnmf/base/result.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/launch/run_view.h>
#include <ppdnmf/report/run_record.h>
#include <ppdnmf/run/network_record.h>

namespace ppdnmf::app {

// Where a run finds and leaves things: a private folder with every agent's key, data and results.
struct LaunchFolder {
  std::filesystem::path path;
  bool sparse = false;  // how the agents' data are kept

  [[nodiscard]] std::filesystem::path consortium() const { return path / "launch.toml"; }
  [[nodiscard]] std::filesystem::path key(std::size_t agent) const;
  [[nodiscard]] std::filesystem::path data(std::size_t agent) const;
  [[nodiscard]] std::filesystem::path persons(std::size_t agent) const;
  [[nodiscard]] std::filesystem::path known() const { return path / "known.csv"; }
  [[nodiscard]] std::filesystem::path out(std::size_t agent) const;
};

// Starts one `agent` of this program for each agent of the plan on 127.0.0.1, shows how they are going and waits until
// all have ended well; `seconds` is asked for the time. Ports that turn out to be taken are changed. Fails with the
// failing agent's sentence, its name in front; with kInterrupted after Ctrl-C.
[[nodiscard]] Status run_processes(const SimulateOptions& options, const run::NetworkPlan& plan,
                                   const run::Inputs& inputs, const LaunchFolder& folder, const Stopwatch& watch,
                                   launch::RunView& view);

// What the agents wrote. Fails with kFile, or with kInternal on a factor of another shape.
[[nodiscard]] Result<std::vector<run::AgentFactors>> read_factors(const LaunchFolder& folder,
                                                                  const run::NetworkPlan& plan);

// By what the agents divided the data, as one of them wrote it; "auto" if it did not say.
[[nodiscard]] std::string common_scale(const LaunchFolder& folder);

// The measures of a run that was seen through its agents' reports and their factors.
void measure_launch(const launch::RunView& view, const run::NetworkFactors& factors, const io::Table& data,
                    const run::NetworkPlan& plan, Executor& executor, report::RunRecord& record);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_LAUNCH_PROCESSES_H_
