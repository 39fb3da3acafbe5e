#include "apps/ppdnmf/run_simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "apps/ppdnmf/estimate.h"
#include "apps/ppdnmf/outputs.h"
#include "apps/ppdnmf/progress.h"
#include "apps/ppdnmf/timed_cipher.h"
#include <ppdnmf/base/encoding.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/host/interrupt.h>
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/identity/ledger_file.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/nmf/factorize.h>
#include <ppdnmf/run/network_record.h>
#include <ppdnmf/run/privacy_notes.h>
#include <ppdnmf/sim/simulation.h>
#include "version.h"

namespace ppdnmf::app {
namespace {

constexpr double kCheckpointEverySeconds = 60;

// A checkpoint belongs to one command, one set of data and one set of parameters.
Digest run_key(const report::RunRecord& record, const run::Inputs& inputs) {
  ByteWriter out;
  out.put_string(record.command);
  out.put(record.seed);
  out.put_array(inputs.digest.data(), inputs.digest.size());
  for (const auto& [name, value] : record.parameters) out.put_string(fmt::format("{}={}", name, value));
  for (const auto& [a, b] : record.edges) out.put_string(fmt::format("{}-{}", a, b));
  return sha256(out.take());
}

// The simulation with what it needs to live: threads, a clock on its cryptography, a transcript if one is wanted.
class Stage {
 public:
  explicit Stage(const SimulateOptions& options, std::size_t agents)
      : pool_(threads_or_all(options.network.threads)),
        timed_pool_(pool_, clock_),
        transcript_(agents, options.network.cipher == "none") {}

  [[nodiscard]] Result<sim::Simulation> make(const SimulateOptions& options, const Plan& plan, const Matrix& Z) {
    sim::SimulationConfig config;
    config.settings = plan.settings;
    config.seed = options.factor.seed;
    config.executor = &pool_;
    const std::optional<crypto::KeyOptions> keys = run::key_options(options.network);
    sim::CipherFactory ciphers = sim::plain_ciphers(plan.settings);
    if (keys) {
      PPDNMF_TRY(ciphers, sim::paillier_ciphers(plan.settings, plan.graph, *keys, config.seed, timed_pool_));
    }
    if (!options.network.transcript.empty()) {
      PPDNMF_TRY_STATUS(io::check_can_write(options.network.transcript));
      ciphers = transcript_.record(std::move(ciphers));
      config.recorder = &transcript_;
    }
    config.make_cipher = ciphers;
    if (keys) {
      config.make_cipher = [this, ciphers](AgentId self) {
        return std::make_unique<TimedCipher>(ciphers(self), clock_);
      };
    }
    if (options.network.cipher != "none") {
      config.make_sum_secrets = sim::simulated_sum_secrets(plan.graph.agents(), config.seed);
      config.around_masks = [this](const std::function<void()>& work) { add_time_of(clock_, work); };
    }
    return sim::Simulation::create(std::move(config), plan.graph, data::split(Z, plan.columns));
  }

  [[nodiscard]] Executor& executor() { return pool_; }
  [[nodiscard]] sim::Transcript& transcript() { return transcript_; }
  [[nodiscard]] double crypto_seconds() const { return clock_.seconds(); }

 private:
  host::ThreadPool pool_;
  CryptoClock clock_;
  TimedExecutor timed_pool_;
  sim::Transcript transcript_;
};

// Runs to the end with a progress line and checkpoints. Fails with kInterrupted after Ctrl-C.
Status run_to_the_end(const SimulateOptions& options, const Plan& plan, const Digest& key, const Stopwatch& watch,
                      Executor& executor, sim::Simulation& simulation, std::vector<double>& seconds) {
  const std::uint64_t planned = plan.exchanges();
  double last_checkpoint = watch.seconds();
  const auto save_checkpoint = [&] {
    last_checkpoint = watch.seconds();
    return write_checkpoint(options.output.out, key, {seconds, watch.seconds(), simulation.save()});
  };
  Status saved;
  Progress progress(options.output.quiet, plan.settings.bcd, true);
  const auto observer = [&](const sim::HistoryEntry& entry) {
    seconds.push_back(watch.seconds());
    progress.show(run::to_row(entry, seconds.back()));
  };
  const auto question = [&] {
    // Keys and tables are made before the first exchange: they must not count into its pace.
    if (simulation.rounds_begun() > 0) progress.advance(simulation.rounds_completed(), planned, watch.seconds());
    if (host::interrupted()) return sim::Simulation::Wish::kPause;
    if (watch.seconds() - last_checkpoint > kCheckpointEverySeconds) saved = save_checkpoint();
    if (!saved) return sim::Simulation::Wish::kPause;
    const bool late = options.factor.max_seconds > 0 && watch.seconds() > options.factor.max_seconds;
    return late ? sim::Simulation::Wish::kEnd : sim::Simulation::Wish::kGoOn;
  };
  PPDNMF_TRY(const bool finished, simulation.run(executor, observer, question));
  PPDNMF_TRY_STATUS(saved);
  if (finished) return {};
  PPDNMF_TRY_STATUS(save_checkpoint());
  return error(ErrorCode::kInterrupted, "interrupted; the same command with --resume goes on from {}",
               (options.output.out / "checkpoint.bin").string());
}

}  // namespace

Status debit_seeded(const SimulateOptions& options, const Plan& plan, const report::RunRecord& record, const run::Inputs& inputs,
                    bool only_check) {
  if (options.network.ledger.empty()) return {};
  constexpr std::size_t kDigits = 32;
  const std::string run = hex(run_key(record, inputs)).substr(0, kDigits);
  const double rho = plan.settings.privacy->noise.rho;
  return (only_check ? identity::check_ledger : identity::debit_ledger)(options.network.ledger, options.network.data_name, run, rho);
}

report::RunRecord begin_record(const SimulateOptions& options, const Plan& plan, const run::Inputs& inputs) {
  report::RunRecord record = run::describe_network(options.factor, options.network, plan.settings, plan.graph, plan.columns);
  record.command = options.command;
  record.title = options.title;
  record.version = kVersion;
  record.notes = inputs.notes;
  if (const std::string& option = options.network.exchange_follows; !option.empty()) {
    record.notes.push_back(fmt::format("{} belongs to --exchange hardened, which this run therefore uses.", option));
  }
  for (std::string& note : run::privacy_notes(plan.settings, record)) record.notes.push_back(std::move(note));
  for (std::string& note : run::seeded_account_notes(plan.settings)) record.notes.push_back(std::move(note));
  return record;
}

void print_notes(const SimulateOptions& options, const report::RunRecord& record) {
  if (options.output.quiet) return;
  for (const std::string& note : record.notes) fmt::print(stderr, "note: {}\n", note);
}

Status run_simulation(const SimulateOptions& options, const run::Inputs& inputs) {
  const Matrix& Z = inputs.table.values;
  PPDNMF_TRY(const Plan plan, make_plan(options.factor, options.network, inputs));
  PPDNMF_TRY(const std::optional<io::ImageShape> image, parse_image(options.data.image, Z.rows()));
  if (options.network.estimate) {
    PPDNMF_TRY_STATUS(nmf::check_factorizable(Z, plan.settings.rank));
    PPDNMF_TRY(const Estimate estimate,
               estimate_run(plan.settings, plan.graph, plan.columns, options.network.cipher != "none",
                            run::key_options(options.network), threads_or_all(options.network.threads)));
    fmt::print("{}", options.output.json ? estimate_json(estimate) : estimate_text(estimate));
    return {};
  }
  Stage stage(options, plan.columns.size());
  PPDNMF_TRY(sim::Simulation simulation, stage.make(options, plan, Z));
  report::RunRecord record = begin_record(options, plan, inputs);
  const Digest key = run_key(record, inputs);
  PPDNMF_TRY_STATUS(debit_seeded(options, plan, record, inputs, true));
  print_notes(options, record);
  PPDNMF_TRY(const OutputFolder folder, OutputFolder::prepare(options.output, options.factor.resume));
  Checkpoint checkpoint;
  if (options.factor.resume) {
    PPDNMF_TRY(checkpoint, read_checkpoint(options.output.out, key));
    PPDNMF_TRY_STATUS(simulation.load(checkpoint.state));
  }
  PPDNMF_TRY_STATUS(debit_seeded(options, plan, record, inputs, false));
  host::catch_interrupts();
  const Stopwatch watch(checkpoint.seconds_total);
  const double processor_before = processor_seconds();
  std::vector<double>& seconds = checkpoint.seconds;
  PPDNMF_TRY_STATUS(run_to_the_end(options, plan, key, watch, stage.executor(), simulation, seconds));

  if (!options.network.transcript.empty())
    PPDNMF_TRY_STATUS(io::write_file(options.network.transcript, stage.transcript().text(), io::kModeSecret));
  record.seconds_total = watch.seconds();
  // Threads overlap: the time is shared out as the processors' time was.
  const double processor = processor_seconds() - processor_before;
  record.seconds_crypto = processor > 0 ? record.seconds_total * std::min(1.0, stage.crypto_seconds() / processor) : 0;
  record.seconds_numerics = record.seconds_total - record.seconds_crypto;
  const run::NetworkFactors factors = run::collect_factors(simulation);
  run::measure_network(simulation, factors, Z, seconds, stage.executor(), record);
  PPDNMF_TRY_STATUS(write_results(options.output, inputs, image, record, factors.X, factors.Y, factors.agents));
  remove_checkpoint(options.output.out);
  print_summary(options.output, record);
  return {};
}

Result<std::string> simulation_in_a_line(const SimulateOptions& options, const run::Inputs& inputs) {
  PPDNMF_TRY(const Plan plan, make_plan(options.factor, options.network, inputs));
  Stage stage(options, plan.columns.size());
  const Stopwatch watch;
  PPDNMF_TRY(sim::Simulation simulation, stage.make(options, plan, inputs.table.values));
  const auto question = [] { return host::interrupted() ? sim::Simulation::Wish::kPause : sim::Simulation::Wish::kGoOn; };
  PPDNMF_TRY(const bool finished, simulation.run(stage.executor(), nullptr, question));
  if (!finished) return error(ErrorCode::kInterrupted, "interrupted");
  const sim::HistoryEntry outcome = simulation.history().back();
  return fmt::format("relative error {:.6f}, disagreement {:g}, {} exchanges, {:.1f} MB, {:.2f} s",
                     outcome.relative_error, outcome.disagreement, outcome.rounds,
                     static_cast<double>(simulation.bytes_sent()) / 1e6, watch.seconds());
}

}  // namespace ppdnmf::app
