#include <ppdnmf/experiment/agents.h>

#include <utility>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/sim/topology.h>

namespace ppdnmf::experiment {

Result<Agents> make_agents(const TrialProblem& problem, const Variant& variant) {
  const auto count = static_cast<std::uint32_t>(problem.columns.size());
  PPDNMF_TRY(protocol::Graph graph, sim::make_topology("random:3", count, Seed::from_number(problem.seed)));
  PPDNMF_TRY(const protocol::RunSettings settings,
             network_settings(variant, problem.paper, problem.Z, problem.rank, graph));
  return Agents{std::move(graph), settings};
}

Result<std::optional<sim::Simulation>> run_agents(const Agents& agents, const AgentData& data, std::uint64_t seed,
                                                  const sim::Secrecy& secrecy, const Watchers& watchers,
                                                  const StopQuestion& stop) {
  PPDNMF_TRY(sim::SimulationConfig config,
             sim::assemble(agents.settings, agents.graph, seed, secrecy, serial_executor()));
  config.factor_observer = watchers.factors;
  PPDNMF_TRY(sim::Simulation simulation,
             sim::Simulation::create(std::move(config), agents.graph, data::split(data.Z, data.columns)));
  PPDNMF_TRY(const bool finished, simulation.run(serial_executor(), watchers.iterations, [&] {
    return stop() ? sim::Simulation::Wish::kPause : sim::Simulation::Wish::kGoOn;
  }));
  if (!finished) return std::optional<sim::Simulation>();
  return std::optional(std::move(simulation));
}

}  // namespace ppdnmf::experiment
