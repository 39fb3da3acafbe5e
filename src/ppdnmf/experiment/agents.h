// The agents of an experiment: who they are, and a run of them.
#ifndef PPDNMF_EXPERIMENT_AGENTS_H_
#define PPDNMF_EXPERIMENT_AGENTS_H_

#include <optional>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/experiment/trial.h>
#include <ppdnmf/experiment/variant.h>
#include <ppdnmf/protocol/graph.h>
#include <ppdnmf/sim/assembly.h>
#include <ppdnmf/sim/simulation.h>

namespace ppdnmf::experiment {

struct Agents {
  protocol::Graph graph;  // random:3, from the problem's seed
  protocol::RunSettings settings;
};
// Fails as make_topology and network_settings do.
[[nodiscard]] Result<Agents> make_agents(const TrialProblem& problem, const Variant& variant);

// Whose columns are whose; Z is lent.
struct AgentData {
  const Matrix& Z;
  const std::vector<Index>& columns;
};

// Who is told on the way; both may be empty.
struct Watchers {
  decltype(sim::SimulationConfig::factor_observer) factors;
  sim::Simulation::Observer iterations;
};

// The agents at the end of their run, which lends Z; nothing if `stop` said so. On one thread: trials run beside each
// other. Fails as sim::assemble and Simulation do.
[[nodiscard]] Result<std::optional<sim::Simulation>> run_agents(const Agents& agents, const AgentData& data,
                                                                std::uint64_t seed, const sim::Secrecy& secrecy,
                                                                const Watchers& watchers, const StopQuestion& stop);

}  // namespace ppdnmf::experiment

#endif  // PPDNMF_EXPERIMENT_AGENTS_H_
