// What a simulated run leaves in run.json, history.csv and the report.
#ifndef PPDNMF_RUN_NETWORK_RECORD_H_
#define PPDNMF_RUN_NETWORK_RECORD_H_

#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/nmf/exposures.h>
#include <ppdnmf/report/run_record.h>
#include <ppdnmf/run/options.h>
#include <ppdnmf/sim/simulation.h>

namespace ppdnmf::run {

// Before the run: everything that was asked for. The parameters, with seed and edges, name the run. Command, title and
// version are the caller's to add.
[[nodiscard]] report::RunRecord describe_network(const RunOptions& options, const protocol::RunSettings& settings,
                                                 const protocol::Graph& graph, const std::vector<Index>& columns);

// A sentence about a rank at which factors are not the only ones; nothing: there is none.
[[nodiscard]] std::optional<std::string> rank_note(Index rank, Index rows, Index columns);

// What the agents ended with.
struct AgentFactors {
  Matrix X, Y;
  Matrix V{};  // what it has beside X, in runs with `site_effects`
};
struct NetworkFactors {
  Matrix X;  // the common one's own bytes; the mean only where agents differ
  Matrix Y;  // columns in input order
  std::vector<AgentFactors> agents;
  Matrix shrink{};             // nmf::Factorization::shrink, the same at all
  nmf::Intervals intervals{};  // of Y, if they are wanted (run/exposures.h)
};
[[nodiscard]] NetworkFactors join_factors(std::vector<AgentFactors> agents);  // one at least
[[nodiscard]] NetworkFactors collect_factors(const sim::Simulation& simulation);

// Every agent's X on everybody's data.
void measure_agents(const NetworkFactors& factors, const data::Columns& Z, Executor& executor,
                    report::RunRecord& record);

// After the run: its measures and history. `seconds` at the end of each iteration.
void measure_network(const sim::Simulation& simulation, const NetworkFactors& factors, const data::Columns& Z,
                     const std::vector<double>& seconds, Executor& executor, report::RunRecord& record);

[[nodiscard]] report::HistoryRow to_row(const sim::HistoryEntry& entry, double seconds);

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_NETWORK_RECORD_H_
