#include "apps/ppdnmf/network_options.h"

#include <algorithm>
#include <utility>

#include <ppdnmf/io/file.h>
#include <ppdnmf/sim/topology.h>

namespace ppdnmf::app {

void add_split_options(CLI::App& command, run::NetworkOptions& options) {
  command.add_option("--agents", options.agents, "split one file's columns evenly between this many agents (10)")
      ->check(CLI::Range(1U, 1U << 20));
  command.add_option("--split", options.split, "columns of each agent, as 3,5,12")->delimiter(',');
}

void add_topology_option(CLI::App& command, std::string& topology) {
  command
      .add_option("--topology", topology, "random:D (mean degree), ring, line, star, complete, or a file of edges")
      ->capture_default_str();
}

void add_ledger_options(CLI::App& command, std::filesystem::path& ledger, std::string& data_name) {
  command.add_option("--ledger", ledger, "private runs: file of budgets, in which the run is debited first");
  command.add_option("--data-name", data_name, "private runs: the name of these data in the ledger");
}

Result<protocol::Graph> load_graph(const std::string& topology, std::uint32_t agents, std::uint64_t seed) {
  std::error_code ignored;
  if (sim::is_topology_name(topology) || !std::filesystem::exists(topology, ignored)) {
    return sim::make_topology(topology, agents, Seed::from_number(seed));
  }
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;
  PPDNMF_TRY(const Bytes text, io::read_file(topology, kMaxBytes));
  auto graph = sim::parse_edge_list({reinterpret_cast<const char*>(text.data()), text.size()}, agents);
  if (!graph) return at(topology, std::move(graph).error());
  return graph;
}

}  // namespace ppdnmf::app
