#include "apps/ppdnmf/run_simulation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "apps/ppdnmf/estimate.h"
#include "apps/ppdnmf/outputs.h"
#include "apps/ppdnmf/progress.h"
#include "apps/ppdnmf/timed_cipher.h"
#include "host/interrupt.h"
#include "host/thread_pool.h"
#include "io/atomic_file.h"
#include "io/file.h"
#include "nmf/factorize.h"
#include "nmf/measures.h"
#include "nmf/nnls.h"
#include "sim/simulation.h"
#include "sim/topology.h"
#include "version.h"

namespace ppdnmf {
namespace {

constexpr double kCheckpointEverySeconds = 60;

Result<Graph> load_graph(const NetworkOptions& options, std::uint32_t agents, std::uint64_t seed) {
  std::error_code ignored;
  if (is_topology_name(options.topology) || !std::filesystem::exists(options.topology, ignored)) {
    return make_topology(options.topology, agents, Seed::from_number(seed));
  }
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
  PPDNMF_TRY(const Bytes text, read_file(options.topology, kMostBytes));
  auto graph = parse_edge_list({reinterpret_cast<const char*>(text.data()), text.size()}, agents);
  if (!graph) return at(options.topology, std::move(graph).error());
  return graph;
}

Result<RunSettings> make_settings(const SimulateOptions& options, const Matrix& Z, const Graph& graph) {
  const FactorOptions& f = options.factor;
  const NetworkOptions& n = options.network;
  RunSettings s;
  s.rows = Z.rows();
  s.rank = f.rank;
  s.updates = n.updates == "as-printed" ? Updates::kAsPrinted : Updates::kCorrected;
  s.exchange = n.exchange == "as-printed" ? ExchangeKind::kAsPrinted : ExchangeKind::kHardened;
  s.start = parse_start(f.start);
  // The printed algorithm starts from Y = 0 and repeats nothing between exchanges.
  const bool printed = s.updates == Updates::kAsPrinted;
  s.y_first = !printed;
  s.local_rounds = n.local_rounds > 0 ? n.local_rounds : printed ? 1 : s.local_rounds;
  s.admm_x = f.admm_x.value_or(automatic_admm_x(graph));
  s.admm_y = f.admm_y.value_or(s.admm_y);
  s.bcd = f.bcd.value_or(automatic_bcd(s.admm_x));
  s.bcd_tolerance = f.tolerance;
  s.admm_tolerance = n.admm_tolerance;
  PPDNMF_TRY(s.mu, parse_automatic("--mu", f.mu));
  PPDNMF_TRY(s.eta, parse_automatic("--eta", f.eta));
  PPDNMF_TRY(s.weight, parse_automatic("--weight", n.weight));
  // The printed update weighs Q twice, so that scaling the data would change it: given the paper's g, data stay as they
  // are.
  s.data_scale = printed && s.weight ? 1 : data_scale(Z.mean());
  s.n_max = n.n_max;
  s.u_bound = n.u_bound;
  if (s.n_max >= 1 && s.u_bound >= 1) complete(s, graph);
  PPDNMF_TRY_STATUS(validate(s));
  return s;
}

std::optional<KeyOptions> key_options(const NetworkOptions& options) {
  if (options.cipher == "none") return std::nullopt;
  KeyOptions keys;
  keys.bits = options.key_bits;
  keys.profile = options.key_profile == "fast" ? KeyProfile::kFast : KeyProfile::kStandard;
  return keys;
}

Result<CipherFactory> make_ciphers(const SimulateOptions& options, const RunSettings& settings, const Graph& graph,
                                   Executor& executor) {
  const std::optional<KeyOptions> keys = key_options(options.network);
  if (!keys) return plain_ciphers(settings);
  return paillier_ciphers(settings, graph, *keys, options.factor.seed, executor);
}

// "agents 0, 3, 7", the first ten of them.
std::string list_agents(const std::vector<std::uint32_t>& agents) {
  constexpr std::size_t kShown = 10;
  const std::size_t shown = std::min(agents.size(), kShown);
  const std::string more = agents.size() > shown ? fmt::format(" and {} more", agents.size() - shown) : "";
  return fmt::format("agent{} {}{}", agents.size() == 1 ? "" : "s",
                     fmt::join(agents.begin(), agents.begin() + shown, ", "), more);
}

std::vector<std::uint32_t> colluders_of(const Graph& graph) {
  std::vector<std::uint32_t> colluders;
  for (std::uint32_t i = 0; i < graph.agents() && graph.agents() > 1; ++i) {
    colluders.push_back(graph.colluders_to_isolate(AgentId{i}));
  }
  return colluders;
}

std::vector<std::string> privacy_notes(const NetworkOptions& options, const std::vector<std::uint32_t>& colluders) {
  std::vector<std::string> notes;
  if (options.exchange == "as-printed") {
    notes.emplace_back(
        "The exchange as printed is not private: whoever receives an answer finds the sender's weight as the greatest "
        "common divisor of its entries, and with it the sender's factor; the weights themselves are revealed because "
        "the printed update needs them.");
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_number;
  for (std::uint32_t i = 0; i < colluders.size(); ++i) by_number[colluders[i]].push_back(i);
  if (const auto alone = by_number.find(0); alone != by_number.end()) {
    notes.push_back(
        fmt::format("A neighbour of {} has no other neighbour and would see its messages alone; a real run refuses "
                    "such a graph unless its consortium allows it.",
                    list_agents(alone->second)));
  }
  if (!by_number.empty()) {
    std::vector<std::string> parts;
    parts.reserve(by_number.size());
    for (const auto& [number, agents] : by_number)
      parts.push_back(fmt::format("{} for {}", number, list_agents(agents)));
    notes.push_back(
        fmt::format("How many of its other neighbours must collude with a neighbour before it sees one agent's "
                    "messages alone: {}.",
                    fmt::join(parts, "; ")));
  }
  return notes;
}

// A checkpoint belongs to one command, one set of data and one set of parameters.
Digest run_key(const RunRecord& record, const Inputs& inputs) {
  ByteWriter out;
  out.put_string(record.command);
  out.put(record.seed);
  out.put_array(inputs.digest.data(), inputs.digest.size());
  for (const auto& [name, value] : record.parameters) out.put_string(fmt::format("{}={}", name, value));
  for (const auto& [a, b] : record.edges) out.put_string(fmt::format("{}-{}", a, b));
  return sha256(out.take());
}

std::string text_of(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : "auto"; }

RunRecord describe(const SimulateOptions& options, const RunSettings& s, const Graph& graph,
                   const std::vector<Index>& columns) {
  const NetworkOptions& n = options.network;
  RunRecord record;
  record.command = options.command;
  record.title = options.title;
  record.version = kVersion;
  record.seed = options.factor.seed;
  record.parameters = {{"rows", fmt::format("{}", s.rows)},
                       {"rank", fmt::format("{}", s.rank)},
                       {"agents", fmt::format("{}", graph.agents())},
                       {"topology", n.topology},
                       {"diameter", fmt::format("{}", s.diameter)},
                       {"updates", n.updates},
                       {"exchange", n.exchange},
                       {"cipher", n.cipher},
                       {"key_bits", n.cipher == "none" ? "none" : fmt::format("{}", n.key_bits)},
                       {"key_profile", n.cipher == "none" ? "none" : n.key_profile},
                       {"start", options.factor.start},
                       {"bcd", fmt::format("{}", s.bcd)},
                       {"admm_x", fmt::format("{}", s.admm_x)},
                       {"admm_y", fmt::format("{}", s.admm_y)},
                       {"local_rounds", fmt::format("{}", s.local_rounds)},
                       {"tolerance", fmt::format("{}", s.bcd_tolerance)},
                       {"admm_tolerance", fmt::format("{}", s.admm_tolerance)},
                       {"n_max", fmt::format("{}", s.n_max)},
                       {"u_bound", fmt::format("{}", s.u_bound)},
                       {"weight", text_of(s.weight)},
                       {"weight_bits", fmt::format("{}", s.weight_bits)},
                       {"g_scale", fmt::format("{}", s.g_scale)},
                       {"mu", text_of(s.mu)},
                       {"eta", text_of(s.eta)},
                       {"data_scale", fmt::format("{}", s.data_scale)}};
  record.agents = static_cast<int>(graph.agents());
  for (const auto& [a, b] : graph.edges()) record.edges.emplace_back(a, b);
  record.columns_per_agent = columns;
  record.colluders_to_isolate = colluders_of(graph);
  return record;
}

HistoryRow to_row(const HistoryEntry& entry, double seconds) {
  return {static_cast<int>(entry.bcd),
          static_cast<std::int64_t>(entry.exchanges),
          entry.nmse,
          entry.relative_error,
          entry.disagreement,
          seconds,
          entry.bytes};
}

// Every agent's X on everybody's data, in parallel.
std::vector<double> errors_on_all_data(const Simulation& simulation, const Matrix& Z, const Matrix& mean,
                                       Executor& executor) {
  const Matrix guess = nonnegative_least_squares(mean, Z);
  std::vector<double> errors(simulation.agents());
  executor.for_each(errors.size(), [&](std::size_t i) { errors[i] = best_error(simulation.agent(i).X(), Z, guess); });
  return errors;
}

Status finish(const SimulateOptions& options, const Inputs& inputs, const std::optional<ImageShape>& image,
              const Simulation& simulation, Executor& executor, RunRecord record, const std::vector<double>& seconds) {
  const Matrix& Z = inputs.table.values;
  std::vector<AgentFactors> factors;
  std::vector<const Matrix*> X;
  factors.reserve(simulation.agents());
  X.reserve(simulation.agents());
  Matrix Y(options.factor.rank, Z.cols());
  Index first = 0;
  for (std::size_t i = 0; i < simulation.agents(); ++i) {
    factors.push_back({simulation.agent(i).X(), simulation.agent(i).Y()});
    Y.middleCols(first, factors.back().Y.cols()) = factors.back().Y;
    first += factors.back().Y.cols();
  }
  for (const AgentFactors& f : factors) X.push_back(&f.X);
  const Matrix mean = mean_factor(X);

  const HistoryEntry& last = simulation.history().back();
  record.relative_error = last.relative_error;
  record.nmse = last.nmse;
  record.disagreement = last.disagreement;
  record.agent_errors = errors_on_all_data(simulation, Z, mean, executor);
  record.worst_agent_error = *std::max_element(record.agent_errors.begin(), record.agent_errors.end());
  record.bcd_iterations = static_cast<int>(last.bcd);
  record.exchanges = static_cast<std::int64_t>(last.exchanges);
  record.bytes_sent = simulation.bytes_sent();
  record.stopped_because = simulation.stopped_because();
  for (std::size_t n = 0; n < simulation.history().size(); ++n) {
    record.history.push_back(to_row(simulation.history()[n], n < seconds.size() ? seconds[n] : 0));
  }
  PPDNMF_TRY_STATUS(write_results(options.output, inputs, image, record, mean, Y, factors));
  remove_checkpoint(options.output.out);
  print_summary(options.output, record);
  return {};
}

}  // namespace

void add_network_options(CLI::App& command, NetworkOptions& options) {
  command.add_option("--agents", options.agents, "split one file's columns evenly between this many agents (10)")
      ->check(CLI::Range(1U, 1U << 20));
  command.add_option("--split", options.split, "columns of each agent, as 3,5,12")->delimiter(',');
  command
      .add_option("--topology", options.topology,
                  "random:D (mean degree), ring, line, star, complete, or a file of edges")
      ->capture_default_str();
  command.add_option("--updates", options.updates, "corrected, or as-printed in the paper")
      ->check(CLI::IsMember({"corrected", "as-printed"}))
      ->capture_default_str();
  command.add_option("--exchange", options.exchange, "hardened, or as-printed in the paper (not private)")
      ->check(CLI::IsMember({"hardened", "as-printed"}))
      ->capture_default_str();
  command.add_option("--cipher", options.cipher, "paillier, or none: plain integers, the same results bit for bit")
      ->check(CLI::IsMember({"paillier", "none"}))
      ->capture_default_str();
  command.add_option("--key-bits", options.key_bits, "length of the Paillier keys, 2048 to 4096")
      ->capture_default_str();
  command.add_option("--key-profile", options.key_profile, "standard, or fast: one more assumption, honest peers only")
      ->check(CLI::IsMember({"standard", "fast"}))
      ->capture_default_str();
  command.add_option("--n-max", options.n_max, "resolution: factors travel as round(n-max U)")->capture_default_str();
  command.add_option("--u-bound", options.u_bound, "largest entry of the factor that can travel")
      ->capture_default_str();
  command.add_option("--weight", options.weight, "the paper's g, or auto: from each agent's curvature")
      ->capture_default_str();
  command.add_option("--local-rounds", options.local_rounds, "X updates between exchanges (10; 1 as printed)")
      ->check(CLI::Range(1, 1'000'000));
  command
      .add_option("--admm-tolerance", options.admm_tolerance,
                  "end an X step early when it moves less than this; 0: never")
      ->capture_default_str();
  command.add_flag("--estimate", options.estimate, "only tell what the run would cost in time, bytes and memory");
  command.add_option("--transcript", options.transcript, "file for all that agents send, receive and decrypt (secret)");
  add_threads_option(command, options.threads);
}

Status run_simulation(const SimulateOptions& options, const Inputs& inputs) {
  const Matrix& Z = inputs.table.values;
  PPDNMF_TRY(const std::vector<Index> columns,
             columns_per_agent(inputs, options.network.agents, options.network.split));
  PPDNMF_TRY(const Graph graph,
             load_graph(options.network, static_cast<std::uint32_t>(columns.size()), options.factor.seed));
  PPDNMF_TRY(const RunSettings settings, make_settings(options, Z, graph));
  PPDNMF_TRY(const std::optional<ImageShape> image, parse_image(options.data.image, Z.rows()));

  if (options.network.estimate) {
    PPDNMF_TRY_STATUS(check_factorizable(Z, settings.rank));
    PPDNMF_TRY(const Estimate estimate, estimate_run(settings, graph, columns, key_options(options.network),
                                                     threads_or_all(options.network.threads)));
    fmt::print("{}", options.output.json ? estimate_json(estimate) : estimate_text(estimate));
    return {};
  }

  SimulationConfig config;
  config.settings = settings;
  config.seed = options.factor.seed;
  ThreadPool pool(threads_or_all(options.network.threads));
  CryptoClock crypto_clock;
  TimedExecutor timed_pool(pool, crypto_clock);
  PPDNMF_TRY(CipherFactory ciphers, make_ciphers(options, settings, graph, timed_pool));
  Transcript transcript(columns.size(), options.network.cipher == "none");
  if (!options.network.transcript.empty()) {
    PPDNMF_TRY_STATUS(check_can_write(options.network.transcript));
    ciphers = transcript.record(std::move(ciphers));
    config.recorder = &transcript;
  }
  config.make_cipher = ciphers;
  if (options.network.cipher != "none") {
    config.make_cipher = [&](AgentId self) { return std::make_unique<TimedCipher>(ciphers(self), crypto_clock); };
  }
  PPDNMF_TRY(Simulation simulation, Simulation::create(std::move(config), graph, split_columns(Z, columns)));

  RunRecord record = describe(options, settings, graph, columns);
  record.notes = inputs.notes;
  for (std::string& note : privacy_notes(options.network, record.colluders_to_isolate))
    record.notes.push_back(std::move(note));
  if (!options.output.quiet) {
    for (const std::string& note : record.notes) fmt::print(stderr, "note: {}\n", note);
  }

  PPDNMF_TRY(const OutputFolder folder, OutputFolder::prepare(options.output, options.factor.resume));
  const Digest key = run_key(record, inputs);
  Checkpoint checkpoint;
  if (options.factor.resume) {
    PPDNMF_TRY(checkpoint, read_checkpoint(options.output.out, key));
    PPDNMF_TRY_STATUS(simulation.load(checkpoint.state));
  }

  catch_interrupts();
  const Stopwatch watch(checkpoint.seconds_total);
  std::vector<double> seconds = checkpoint.seconds;
  double last_checkpoint = watch.seconds();
  const auto save_checkpoint = [&] {
    last_checkpoint = watch.seconds();
    return write_checkpoint(options.output.out, key, {seconds, watch.seconds(), simulation.save()});
  };
  const std::uint64_t exchanges_planned =
      static_cast<std::uint64_t>(settings.bcd) * static_cast<std::uint64_t>(settings.admm_x);
  const double processor_before = processor_seconds();
  Status saved;
  {
    Progress progress(options.output.quiet, settings.bcd, true);
    const auto observer = [&](const HistoryEntry& entry) {
      seconds.push_back(watch.seconds());
      progress.show(to_row(entry, seconds.back()));
    };
    const auto question = [&] {
      // Keys and tables are made before the first exchange: they must not count into its pace.
      if (simulation.exchanges_begun() > 0) {
        progress.advance(simulation.exchanges_completed(), exchanges_planned, watch.seconds());
      }
      if (interrupted()) return Simulation::Wish::kPause;
      if (watch.seconds() - last_checkpoint > kCheckpointEverySeconds) saved = save_checkpoint();
      if (!saved) return Simulation::Wish::kPause;
      const bool late = options.factor.max_seconds > 0 && watch.seconds() > options.factor.max_seconds;
      return late ? Simulation::Wish::kEnd : Simulation::Wish::kGoOn;
    };
    PPDNMF_TRY(const bool finished, simulation.run(pool, observer, question));
    PPDNMF_TRY_STATUS(saved);
    if (!finished) {
      PPDNMF_TRY_STATUS(save_checkpoint());
      return error(ErrorCode::kInterrupted, "interrupted; the same command with --resume goes on from {}",
                   (options.output.out / "checkpoint.bin").string());
    }
  }
  if (!options.network.transcript.empty())
    PPDNMF_TRY_STATUS(write_file(options.network.transcript, transcript.text(), kModeSecret));
  record.seconds_total = watch.seconds();
  // Threads overlap: the time is shared out as the processors' time was.
  const double processor = processor_seconds() - processor_before;
  record.seconds_crypto = processor > 0 ? record.seconds_total * std::min(1.0, crypto_clock.seconds() / processor) : 0;
  record.seconds_numerics = record.seconds_total - record.seconds_crypto;
  return finish(options, inputs, image, simulation, pool, std::move(record), seconds);
}

}  // namespace ppdnmf
