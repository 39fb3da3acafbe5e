#include "apps/ppdnmf/plan.h"

#include <utility>

#include <ppdnmf/nmf/lanes.h>

namespace ppdnmf::app {

std::uint64_t Plan::exchanges() const {
  const auto iterations = static_cast<std::uint64_t>(settings.bcd);
  return settings.exchange == protocol::ExchangeKind::kSum ? iterations
                                                 : iterations * static_cast<std::uint64_t>(settings.admm_x);
}

Result<Plan> make_plan(const run::FactorOptions& factor, const run::NetworkOptions& network, const run::Inputs& inputs) {
  PPDNMF_TRY_STATUS(nmf::choose_lanes(nmf::Lanes::kAutomatic).map([](nmf::Lanes) {}));
  PPDNMF_TRY(std::vector<Index> columns, run::columns_per_agent(inputs, network.agents, network.split));
  PPDNMF_TRY(protocol::Graph graph, load_graph(network.topology, static_cast<std::uint32_t>(columns.size()), factor.seed));
  PPDNMF_TRY(const protocol::RunSettings settings,
             run::make_settings(factor, network, inputs.table.values.rows(), inputs.table.values.cols(), graph));
  return Plan{std::move(columns), std::move(graph), settings};
}

}  // namespace ppdnmf::app
