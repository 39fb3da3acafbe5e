#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "arrays.h"
#include "background.h"
#include "bind.h"
#include "errors.h"
#include "history.h"
#include <ppdnmf/host/thread_pool.h>
#include "record.h"
#include "settings.h"
#include <ppdnmf/run/network_record.h>
#include <ppdnmf/run/options.h>
#include <ppdnmf/run/privacy_notes.h>
#include <ppdnmf/sim/simulation.h>
#include <ppdnmf/sim/topology.h>
#include "version.h"

namespace py = pybind11;

namespace ppdnmf::python {
namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// Everything a run touches: it may outlive its caller.
struct Run {
  run::FactorOptions factor;
  run::NetworkOptions network;
  std::optional<Edges> edges;  // instead of network.topology
  Matrix Z;
  std::vector<Index> columns;  // of each agent, one after the other
  run::NetworkFactors factors;
  report::RunRecord record;
};

Result<protocol::Graph> make_graph(const Run& run) {
  const auto agents = static_cast<std::uint32_t>(run.columns.size());
  if (run.edges) return protocol::Graph::create(agents, *run.edges);
  return sim::make_topology(run.network.topology, agents, Seed::from_number(run.factor.seed));
}

Result<sim::Simulation> make_simulation(const Run& run, const protocol::RunSettings& settings, const protocol::Graph& graph,
                                   Executor& executor) {
  sim::SimulationConfig config;
  config.settings = settings;
  config.seed = run.factor.seed;
  config.make_cipher = sim::plain_ciphers(settings);
  if (const auto keys = protocol::key_options(run.factor.settings)) {
    PPDNMF_TRY(config.make_cipher, sim::paillier_ciphers(settings, graph, *keys, config.seed, executor));
  }
  if (run.factor.settings.cipher != protocol::CipherKind::kNone) config.make_sum_secrets = sim::simulated_sum_secrets(graph.agents(), config.seed);
  return sim::Simulation::create(std::move(config), graph, sim::split_columns(run.Z, run.columns));
}

Status simulate(Run& run, Monitor& monitor) {
  PPDNMF_TRY(const protocol::Graph graph, make_graph(run));
  PPDNMF_TRY(const protocol::RunSettings settings, run::make_settings(run.factor, run.network, run.Z.rows(), run.Z.cols(), graph));
  host::ThreadPool pool(run.network.threads);
  PPDNMF_TRY(sim::Simulation simulation, make_simulation(run, settings, graph, pool));
  report::RunRecord& record = run.record;
  record = run::describe_network(run.factor, run.network, settings, graph, run.columns);
  record.command = "DistributedNMF";
  record.title = "DistributedNMF";
  record.version = kVersion;
  for (const std::string& note : run::privacy_notes(settings, record)) record.notes.push_back(in_arguments(note));

  const Clock clock;
  std::vector<double> seconds;
  bool end_here = false;
  const auto observer = [&](const sim::HistoryEntry& entry) {
    seconds.push_back(clock.seconds());
    if (!end_here) end_here = monitor.report(run::to_row(entry, seconds.back()));
  };
  const auto question = [&] {
    if (monitor.given_up()) return sim::Simulation::Wish::kPause;
    const double max_seconds = run.factor.settings.max_seconds;
    const bool late = max_seconds > 0 && clock.seconds() > max_seconds;
    return end_here || late ? sim::Simulation::Wish::kEnd : sim::Simulation::Wish::kGoOn;
  };
  PPDNMF_TRY(const bool finished, simulation.run(pool, observer, question));
  if (!finished) return {};  // nobody waits for it any more
  record.seconds_total = clock.seconds();
  run.factors = run::collect_factors(simulation);
  run::measure_network(simulation, run.factors, run.Z, seconds, pool, record);
  return {};
}

py::dict to_python(Run& run) {
  py::list components;
  py::list coordinates;
  for (run::AgentFactors& agent : run.factors.agents) {
    components.append(transposed(std::move(agent.X)));
    coordinates.append(transposed(std::move(agent.Y)));
  }
  py::dict result;
  result["components"] = transposed(std::move(run.factors.X));
  result["agent_components"] = components;
  result["agent_coordinates"] = coordinates;
  result["history"] = to_dict(run.record.history);
  result["record"] = to_dict(run.record);
  return result;
}

// The agents' samples side by side.
void take_samples(const std::vector<Array>& parts, Run& run) {
  std::vector<Samples> maps;
  Index columns = 0;
  for (const Array& part : parts) {
    const Samples& Z = maps.emplace_back(columns_of(part));
    if (Z.rows() != maps.front().rows()) throw py::value_error("the agents' samples must have the same features");
    run.columns.push_back(Z.cols());
    columns += Z.cols();
  }
  if (maps.empty()) throw py::value_error("there are no agents");
  run.Z.resize(maps.front().rows(), columns);
  Index first = 0;
  for (const Samples& Z : maps) {
    run.Z.middleCols(first, Z.cols()) = Z;
    first += Z.cols();
  }
}

py::dict run_network(const std::vector<Array>& parts, std::uint64_t seed,
                     const std::variant<std::string, Edges>& topology, std::size_t threads, const py::dict& settings,
                     const py::object& callback) {
  const auto run = std::make_shared<Run>();
  take_samples(parts, *run);
  run->factor.settings = settings_of(settings);
  run->factor.seed = seed;
  run->network.topology = "edges";
  if (const auto* name = std::get_if<std::string>(&topology)) run->network.topology = *name;
  if (const auto* edges = std::get_if<Edges>(&topology)) run->edges = *edges;
  run->network.threads = threads;
  run_in_background([run](Monitor& monitor) { return simulate(*run, monitor); }, OnGivingUp::kLeaveIt,
                    listener_of(callback));
  return to_python(*run);
}

}  // namespace

void bind_network(py::module_& module) {
  module.def("run_network", &run_network, py::arg("parts"), py::kw_only(), py::arg("seed"),
             py::arg("topology"), py::arg("threads"), py::arg("settings"), py::arg("callback") = py::none(),
             "A network of agents, `parts[i]` being the samples of agent i; `settings` by their names in Python.");
}

}  // namespace ppdnmf::python
