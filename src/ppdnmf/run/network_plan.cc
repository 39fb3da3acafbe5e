#include <ppdnmf/run/network_plan.h>

#include <filesystem>
#include <numeric>
#include <system_error>
#include <utility>

#include <ppdnmf/io/file.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/sim/topology.h>

namespace ppdnmf::run {

std::uint64_t NetworkPlan::rounds() const { return settings.most_rounds(); }

int NetworkPlan::iterations() const {
  const bool by_ranks = settings.searches() && settings.scheme == protocol::SchemeKind::kSum;
  return by_ranks ? static_cast<int>(settings.rank - settings.least_rank) + 2 : settings.iterations;
}

Result<protocol::Graph> load_graph(const std::string& topology, std::uint32_t agents, std::uint64_t seed) {
  std::error_code ignored;
  if (sim::is_topology_name(topology) || !std::filesystem::exists(topology, ignored)) {
    return sim::make_topology(topology, agents, Seed::from_number(seed));
  }
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30U;
  PPDNMF_TRY(const Bytes text, io::read_file(topology, kMaxBytes));
  auto graph = sim::parse_edge_list(io::as_text(text), agents);
  if (!graph) return at(topology, std::move(graph).error());
  return graph;
}

Result<NetworkPlan> make_plan(const RunOptions& options, Index rows, std::vector<Index> columns, protocol::Graph graph,
                              std::shared_ptr<const nmf::KnownColumns> known) {
  PPDNMF_TRY_STATUS(nmf::choose_lanes(nmf::Lanes::kAutomatic).map([](nmf::Lanes) {}));
  const Index all = std::accumulate(columns.begin(), columns.end(), Index{0});
  PPDNMF_TRY(const protocol::RunSettings settings, make_settings(options, rows, all, graph, std::move(known)));
  return NetworkPlan{std::move(columns), std::move(graph), settings};
}

Status check_persons(const RunOptions& options, const Inputs& inputs) {
  if (inputs.persons.empty() || options.settings.epsilon) return {};
  return error(ErrorCode::kUsage,
               "`persons` is for private runs: it says whom their noise protects; add `epsilon`, or leave it out");
}

Result<NetworkPlan> make_plan(const RunOptions& options, const Inputs& inputs) {
  PPDNMF_TRY_STATUS(check_persons(options, inputs));
  PPDNMF_TRY(std::vector<Index> columns, columns_per_agent(inputs, options.agents, options.split));
  const auto agents = static_cast<std::uint32_t>(columns.size());
  PPDNMF_TRY(protocol::Graph graph, load_graph(options.topology, agents, options.seed));
  return make_plan(options, inputs.table.rows(), std::move(columns), std::move(graph), inputs.known);
}

}  // namespace ppdnmf::run
