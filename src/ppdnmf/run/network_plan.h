// What follows from the options of a network before anything is computed.
#ifndef PPDNMF_RUN_NETWORK_PLAN_H_
#define PPDNMF_RUN_NETWORK_PLAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/protocol/graph.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/run/inputs.h>
#include <ppdnmf/run/options.h>

namespace ppdnmf::run {

struct NetworkPlan {
  std::vector<Index> columns;  // of each agent
  protocol::Graph graph;
  protocol::RunSettings settings;

  // If nothing ends the run early.
  [[nodiscard]] std::uint64_t rounds() const;
  [[nodiscard]] int iterations() const;  // of which the history has a line each: ranks, where several are tried
};

// A topology by name, or a file of edges. Fails as make_topology and parse_edge_list do, naming the file.
[[nodiscard]] Result<protocol::Graph> load_graph(const std::string& topology, std::uint32_t agents, std::uint64_t seed);

// Of columns that belong to agents who know each other as `graph` says. Fails with kUsage or kInvalidData. Also chooses
// the instructions to compute with.
[[nodiscard]] Result<NetworkPlan> make_plan(const RunOptions& options, Index rows, std::vector<Index> columns,
                                            protocol::Graph graph,
                                            std::shared_ptr<const nmf::KnownColumns> known = nullptr);
// The same with the columns' split and the graph that the options name; also fails as check_persons does.
[[nodiscard]] Result<NetworkPlan> make_plan(const RunOptions& options, const Inputs& inputs);

// Whether what was said of persons has a meaning. Fails with kUsage, unless the run is private or nothing was said.
[[nodiscard]] Status check_persons(const RunOptions& options, const Inputs& inputs);

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_NETWORK_PLAN_H_
