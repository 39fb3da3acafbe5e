#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <numeric>
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
#include "host/thread_pool.h"
#include "nmf/measures.h"
#include "nmf/nnls.h"
#include "record.h"
#include "sim/simulation.h"
#include "sim/topology.h"
#include "version.h"

namespace py = pybind11;

namespace ppdnmf::python {
namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct NetworkOptions {
  Index rank = 1;
  std::uint64_t seed = 1;
  std::variant<std::string, Edges> topology;
  std::string updates, exchange, cipher, key_profile, start;
  std::size_t key_bits = 0;
  int starts = 1;
  std::optional<int> bcd;
  double tolerance = 0;
  std::size_t threads = 1;
};

// Everything a run touches: it may outlive its caller.
struct Run {
  NetworkOptions options;
  std::vector<Matrix> Z;
  Matrix mean;
  std::vector<Matrix> X, Y;
  RunRecord record;
};

Result<Graph> make_graph(const NetworkOptions& options, std::uint32_t agents) {
  if (const auto* name = std::get_if<std::string>(&options.topology)) {
    return make_topology(*name, agents, Seed::from_number(options.seed));
  }
  return Graph::create(agents, std::get<Edges>(options.topology));
}

Result<ExchangeKind> exchange_of(const std::string& name) {
  if (name == "sum") return ExchangeKind::kSum;
  if (name == "hardened") return ExchangeKind::kHardened;
  if (name == "as-printed") return ExchangeKind::kAsPrinted;
  return error(ErrorCode::kUsage, "there is no exchange '{}'", name);
}

// The command line's defaults.
Result<RunSettings> make_settings(const NetworkOptions& options, Index rows, const Graph& graph) {
  RunSettings s;
  s.rows = rows;
  s.rank = options.rank;
  const bool printed = options.updates == "as-printed";
  s.updates = printed ? Updates::kAsPrinted : Updates::kCorrected;
  PPDNMF_TRY(s.exchange, exchange_of(options.exchange));
  s.start = options.start == "ones" ? Start::kOnes : Start::kRandom;
  s.starts = options.starts;
  s.y_first = !printed;
  if (printed) s.local_rounds = 1;
  s.admm_x = automatic_admm_x(graph);
  s.bcd =
      options.bcd.value_or(s.exchange == ExchangeKind::kSum ? automatic_exchanges(s.starts) : automatic_bcd(s.admm_x));
  s.bcd_tolerance = options.tolerance;
  complete(s, graph);
  PPDNMF_TRY_STATUS(validate(s));
  return s;
}

Result<CipherFactory> make_ciphers(const NetworkOptions& options, const RunSettings& settings, const Graph& graph,
                                   Executor& executor) {
  if (options.cipher == "none" || settings.exchange == ExchangeKind::kSum) return plain_ciphers(settings);
  KeyOptions keys;
  keys.bits = options.key_bits;
  keys.profile = options.key_profile == "fast" ? KeyProfile::kFast : KeyProfile::kStandard;
  return paillier_ciphers(settings, graph, keys, options.seed, executor);
}

void describe(const NetworkOptions& options, const RunSettings& s, const Graph& graph, RunRecord& record) {
  const bool encrypted = options.cipher != "none" && s.exchange != ExchangeKind::kSum;
  const auto* name = std::get_if<std::string>(&options.topology);
  record.command = "DistributedNMF";
  record.title = "DistributedNMF";
  record.version = kVersion;
  record.seed = options.seed;
  record.parameters = {{"rows", fmt::format("{}", s.rows)},
                       {"rank", fmt::format("{}", s.rank)},
                       {"agents", fmt::format("{}", graph.agents())},
                       {"topology", name != nullptr ? *name : "edges"},
                       {"diameter", fmt::format("{}", s.diameter)},
                       {"updates", options.updates},
                       {"exchange", options.exchange},
                       {"cipher", options.cipher},
                       {"key_bits", encrypted ? fmt::format("{}", options.key_bits) : "none"},
                       {"key_profile", encrypted ? options.key_profile : "none"},
                       {"start", options.start},
                       {"starts", fmt::format("{}", s.starts)},
                       {"bcd", fmt::format("{}", s.bcd)},
                       {"admm_x", fmt::format("{}", s.admm_x)},
                       {"admm_y", fmt::format("{}", s.admm_y)},
                       {"local_rounds", fmt::format("{}", s.local_rounds)},
                       {"tolerance", fmt::format("{}", s.bcd_tolerance)}};
  record.agents = static_cast<int>(graph.agents());
  for (const auto& [a, b] : graph.edges()) record.edges.emplace_back(a, b);
  for (std::uint32_t i = 0; i < graph.agents() && graph.agents() > 1; ++i) {
    record.colluders_to_isolate.push_back(graph.colluders_to_isolate(AgentId{i}));
  }
}

// The largest error of an agent's X on everybody's data, after the best Y for it.
std::vector<double> errors_on_all_data(const Run& run, Executor& executor) {
  Index columns = 0;
  for (const Matrix& part : run.Z) columns += part.cols();
  Matrix Z(run.Z.front().rows(), columns);
  Index first = 0;
  for (const Matrix& part : run.Z) {
    Z.middleCols(first, part.cols()) = part;
    first += part.cols();
  }
  const Matrix guess = nonnegative_least_squares(run.mean, Z);
  std::vector<double> errors(run.X.size());
  executor.for_each(errors.size(), [&](std::size_t i) { errors[i] = best_error(run.X[i], Z, guess); });
  return errors;
}

void conclude(Run& run, const Simulation& simulation, Executor& executor) {
  std::vector<const Matrix*> X;
  for (std::size_t i = 0; i < simulation.agents(); ++i) {
    run.X.push_back(simulation.agent(i).X());
    run.Y.push_back(simulation.agent(i).Y());
  }
  for (const Matrix& x : run.X) X.push_back(&x);
  run.mean = mean_factor(X);
  RunRecord& record = run.record;
  const HistoryEntry last = simulation.outcome();
  record.relative_error = last.relative_error;
  record.nmse = last.nmse;
  record.disagreement = last.disagreement;
  record.agent_errors = errors_on_all_data(run, executor);
  record.worst_agent_error = *std::max_element(record.agent_errors.begin(), record.agent_errors.end());
  record.bcd_iterations = static_cast<int>(last.bcd);
  record.exchanges = static_cast<std::int64_t>(last.exchanges);
  record.bytes_sent = simulation.bytes_sent();
  record.stopped_because = simulation.stopped_because();
}

Status simulate(Run& run, Monitor& monitor) {
  const NetworkOptions& options = run.options;
  PPDNMF_TRY(const Graph graph, make_graph(options, static_cast<std::uint32_t>(run.Z.size())));
  SimulationConfig config;
  PPDNMF_TRY(config.settings, make_settings(options, run.Z.front().rows(), graph));
  config.seed = options.seed;
  ThreadPool pool(options.threads);
  PPDNMF_TRY(config.make_cipher, make_ciphers(options, config.settings, graph, pool));
  if (options.cipher != "none") config.make_sum_secrets = simulated_sum_secrets(graph.agents(), options.seed);
  describe(options, config.settings, graph, run.record);
  for (const Matrix& part : run.Z) run.record.columns_per_agent.push_back(part.cols());
  PPDNMF_TRY(Simulation simulation, Simulation::create(std::move(config), graph, run.Z));

  const Clock clock;
  bool end_here = false;
  const auto observer = [&](const HistoryEntry& entry) {
    run.record.history.push_back({static_cast<int>(entry.bcd), static_cast<std::int64_t>(entry.exchanges), entry.nmse,
                                  entry.relative_error, entry.disagreement, clock.seconds(), entry.bytes});
    if (!end_here) end_here = monitor.report(run.record.history.back());
  };
  const auto question = [&] {
    if (monitor.given_up()) return Simulation::Wish::kPause;
    return end_here ? Simulation::Wish::kEnd : Simulation::Wish::kGoOn;
  };
  PPDNMF_TRY(const bool finished, simulation.run(pool, observer, question));
  if (!finished) return {};
  run.record.seconds_total = clock.seconds();
  conclude(run, simulation, pool);
  return {};
}

py::list to_list(std::vector<Matrix> matrices) {
  py::list arrays;
  for (Matrix& matrix : matrices) arrays.append(transposed(std::move(matrix)));
  return arrays;
}

py::dict run_network(const std::vector<Array>& parts, NetworkOptions options, const py::object& callback) {
  if (parts.empty()) throw py::value_error("there are no agents");
  const auto run = std::make_shared<Run>();
  run->options = std::move(options);
  for (const Array& part : parts) run->Z.emplace_back(columns_of(part));
  run_in_background([run](Monitor& monitor) { return simulate(*run, monitor); }, OnGivingUp::kLeaveIt,
                    listener_of(callback));
  py::dict result;
  result["components"] = transposed(std::move(run->mean));
  result["agent_components"] = to_list(std::move(run->X));
  result["agent_coordinates"] = to_list(std::move(run->Y));
  result["history"] = to_dict(run->record.history);
  result["record"] = to_dict(run->record);
  return result;
}

}  // namespace

void bind_network(py::module_& module) {
  module.def(
      "run_network",
      [](const std::vector<Array>& parts, Index n_components, std::uint64_t seed,
         const std::variant<std::string, Edges>& topology, const std::string& updates, const std::string& exchange,
         const std::string& cipher, std::size_t key_bits, const std::string& key_profile, const std::string& start,
         int starts, std::optional<int> max_iter, double tol, std::size_t threads, const py::object& callback) {
        return run_network(parts,
                           {n_components, seed, topology, updates, exchange, cipher, key_profile, start, key_bits,
                            starts, max_iter, tol, threads},
                           callback);
      },
      py::arg("parts"), py::kw_only(), py::arg("n_components"), py::arg("seed"), py::arg("topology"),
      py::arg("updates"), py::arg("exchange"), py::arg("cipher"), py::arg("key_bits"), py::arg("key_profile"),
      py::arg("start"), py::arg("starts"), py::arg("max_iter"), py::arg("tol"), py::arg("threads"),
      py::arg("callback") = py::none(), "A network of agents, `parts[i]` being the samples of agent i.");
}

}  // namespace ppdnmf::python
