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
#include "record.h"
#include "settings.h"
#include "version.h"
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/run/network_run.h>
#include <ppdnmf/sim/topology.h>

namespace py = pybind11;

namespace ppdnmf::python {
namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// Everything a run touches: it may outlive its caller.
struct Run {
  run::NetworkRequest request;
  std::optional<Edges> edges;  // instead of the topology's name
  run::Inputs inputs;          // the agents' columns, one after the other
  std::vector<Index> columns;  // of each agent
  run::NetworkOutcome outcome;
};

Result<protocol::Graph> make_graph(const Run& run) {
  const auto agents = static_cast<std::uint32_t>(run.columns.size());
  if (run.edges) return protocol::Graph::create(agents, *run.edges);
  const run::NetworkRequest& request = run.request;
  return sim::make_topology(request.options.topology, agents, Seed::from_number(request.options.seed));
}

Status simulate(Run& run, Monitor& monitor) {
  const run::NetworkRequest& request = run.request;
  PPDNMF_TRY(protocol::Graph graph, make_graph(run));
  PPDNMF_TRY_STATUS(run::check_persons(request.options, run.inputs));
  PPDNMF_TRY(const run::NetworkPlan plan,
             run::make_plan(request.options, run.inputs.table.rows(), run.columns, std::move(graph), run.inputs.known));
  host::ThreadPool pool(host::threads_or_all(request.options.threads));
  PPDNMF_TRY(run.outcome, run::run_network(request, plan, run.inputs, pool, hooks_of(monitor)));
  return {};
}

py::dict to_python(Run& run) {
  py::list components;
  py::list coordinates;
  py::list own_parts;
  for (run::AgentFactors& agent : run.outcome.factors.agents) {
    components.append(transposed(std::move(agent.X)));
    coordinates.append(transposed(std::move(agent.Y)));
    own_parts.append(agent.V.size() > 0 ? py::object(transposed(std::move(agent.V))) : py::none());
  }
  py::dict result;
  result["components"] = transposed(std::move(run.outcome.factors.X));
  if (run.outcome.factors.shrink.size() > 0) result["shrink"] = transposed(std::move(run.outcome.factors.shrink));
  result["agent_components"] = components;
  result["agent_coordinates"] = coordinates;
  result["agent_own_parts"] = own_parts;
  result["history"] = to_dict(run.outcome.record.history);
  result["record"] = to_dict(run.outcome.record);
  if (run.outcome.record.search) result["search"] = to_dict(*std::move(run.outcome.record.search));
  return result;
}

// The agents' samples side by side: all of one kind.
void take_samples(const std::vector<SampleInput>& parts, Run& run) {
  std::vector<SampleColumns> all;
  Index columns = 0;
  for (const SampleInput& part : parts) {
    const SampleColumns& Z = all.emplace_back(part);
    if (Z.rows() != all.front().rows()) throw py::value_error("the agents' samples must have the same features");
    if (Z.is_sparse() != all.front().is_sparse()) throw py::value_error("some agents' samples are sparse, others not");
    run.columns.push_back(Z.count());
    columns += Z.count();
  }
  if (all.empty()) throw py::value_error("there are no agents");
  io::Table& table = run.inputs.table;
  if (all.front().is_sparse()) {
    table.nonzeros.emplace().rows = all.front().rows();
    Matrix unused;
    for (const SampleColumns& Z : all) data::append(*table.nonzeros, data::nonzeros_of(*Z.all(unused)));
    return;
  }
  table.values.resize(all.front().rows(), columns);
  Index first = 0;
  for (const SampleInput& part : parts) {
    const Samples Z = columns_of(std::get<Array>(part));
    table.values.middleCols(first, Z.cols()) = Z;
    first += Z.cols();
  }
}

py::dict run_network(const std::vector<SampleInput>& parts, std::uint64_t seed,
                     const std::variant<std::string, Edges>& topology, std::size_t threads, const py::dict& settings,
                     std::vector<std::string> persons, const std::optional<Array>& known,
                     const std::vector<std::string>& known_names, std::vector<double> weights,
                     const py::object& callback) {
  const auto run = std::make_shared<Run>();
  take_samples(parts, *run);
  if (!persons.empty() && static_cast<Index>(persons.size()) != run->inputs.table.columns())
    throw py::value_error("persons must name one person for each sample");
  if (!weights.empty() && static_cast<Index>(weights.size()) != run->inputs.table.columns())
    throw py::value_error("weights must have one number for each sample");
  run->inputs.persons = std::move(persons);
  run->inputs.weights = std::move(weights);
  if (known) run->inputs.known = known_columns(*known, known_names);
  run->request.caller = {"DistributedNMF", "DistributedNMF", kVersion, in_arguments};
  run::RunOptions& options = run->request.options;
  options.settings = settings_of(settings);
  options.seed = seed;
  options.threads = threads;
  options.topology = "edges";
  if (const auto* name = std::get_if<std::string>(&topology)) options.topology = *name;
  if (const auto* edges = std::get_if<Edges>(&topology)) run->edges = *edges;
  run_in_background([run](Monitor& monitor) { return simulate(*run, monitor); }, OnGivingUp::kLeaveIt,
                    listener_of(callback));
  return to_python(*run);
}

}  // namespace

void bind_network(py::module_& module) {
  module.def("run_network", &run_network, py::arg("parts"), py::kw_only(), py::arg("seed"), py::arg("topology"),
             py::arg("threads"), py::arg("settings"), py::arg("persons"), py::arg("known"), py::arg("known_names"),
             py::arg("weights") = std::vector<double>(), py::arg("callback") = py::none(),
             "A network of agents, `parts[i]` being the samples of agent i; `settings` by their names in Python; "
             "`persons` of all samples, in the order of the parts, or none; "
             "`known`: components that stay, with their names.");
}

}  // namespace ppdnmf::python
