#include <ppdnmf/run/network_run.h>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/identity/ledger_file.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/protocol/own_columns.h>
#include <ppdnmf/run/checkpoint.h>
#include <ppdnmf/run/privacy_notes.h>
#include <ppdnmf/run/stopwatch.h>
#include <ppdnmf/run/timed_cipher.h>
#include <ppdnmf/sim/assembly.h>

namespace ppdnmf::run {
namespace {

constexpr double kCheckpointEverySeconds = 60;

// A checkpoint belongs to one command, one set of data and one set of parameters.
Digest run_key(const report::RunRecord& record, const Inputs& inputs) {
  ByteWriter out;
  out.put_string(record.command);
  out.put(record.seed);
  out.put_array(inputs.digest.data(), inputs.digest.size());
  for (const auto& [name, value] : record.parameters) out.put_string(fmt::format("{}={}", name, value));
  for (const auto& [a, b] : record.edges) out.put_string(fmt::format("{}-{}", a, b));
  return sha256(out.take());
}

// The simulation with what it needs to live: a clock on its cryptography, a transcript if one is wanted.
class Stage {
 public:
  Stage(const RunOptions& options, const protocol::Settings& settings, std::size_t agents, Executor& executor)
      : options_(options),
        executor_(executor),
        timed_executor_(executor, clock_),
        transcript_(agents, settings.cipher == protocol::CipherKind::kNone) {}

  [[nodiscard]] Result<sim::Simulation> make(const NetworkPlan& plan, std::uint64_t seed, const Inputs& inputs) {
    const sim::Secrecy secrecy = sim::secrecy_of(plan.settings.said);
    PPDNMF_TRY(sim::SimulationConfig config, sim::assemble(plan.settings, plan.graph, seed, secrecy, timed_executor_));
    config.executor = &executor_;
    if (!options_.transcript.empty()) {
      PPDNMF_TRY_STATUS(io::check_can_write(options_.transcript));
      config.make_cipher = transcript_.record(std::move(config.make_cipher));
      config.recorder = &transcript_;
    }
    if (secrecy.keys) {
      config.make_cipher = [this, ciphers = std::move(config.make_cipher)](AgentId self) {
        return std::make_unique<TimedCipher>(ciphers(self), clock_);
      };
    }
    if (secrecy.masks) config.around_masks = [this](const std::function<void()>& work) { add_time_of(clock_, work); };
    return sim::Simulation::create(std::move(config), plan.graph, split_columns(inputs, plan.columns));
  }

  [[nodiscard]] Status write_transcript() {
    if (options_.transcript.empty()) return {};
    return io::write_file(options_.transcript, transcript_.text(), io::kModeSecret);
  }
  [[nodiscard]] double crypto_seconds() const { return clock_.seconds(); }

 private:
  const RunOptions& options_;
  Executor& executor_;
  CryptoClock clock_;
  TimedExecutor timed_executor_;
  sim::Transcript transcript_;
};

// The time that a run takes, and what its hooks say about going on.
class Course {
 public:
  Course(const NetworkRequest& request, const NetworkPlan& plan, const Hooks& hooks, const Digest& key,
         Checkpoint checkpoint, const io::Table& data, sim::Simulation& simulation)
      : max_seconds_(request.options.settings.max_seconds),
        planned_(plan.rounds()),
        hooks_(hooks),
        key_(key),
        data_(data),
        simulation_(simulation),
        seconds_(std::move(checkpoint.seconds)),
        watch_(checkpoint.seconds_total),
        last_checkpoint_(watch_.seconds()) {}

  [[nodiscard]] Status to_the_end(Executor& executor) {
    const auto observer = [this](const sim::HistoryEntry& entry) {
      seconds_.push_back(watch_.seconds());
      if (hooks_.iteration) hooks_.iteration(to_row(entry, seconds_.back()));
    };
    PPDNMF_TRY(const bool finished, simulation_.run(executor, observer, [this] { return wish(); }));
    PPDNMF_TRY_STATUS(saved_);
    if (finished) return {};
    if (keeps_checkpoints()) PPDNMF_TRY_STATUS(save());
    return tl::unexpected(interrupted_error(hooks_.checkpoint.folder));
  }

  [[nodiscard]] double seconds() const { return watch_.seconds(); }
  [[nodiscard]] const std::vector<double>& iteration_seconds() const { return seconds_; }

 private:
  using SimulationWish = sim::Simulation::Wish;

  [[nodiscard]] SimulationWish wish() {
    // Keys and tables are made before the first round: they must not count into its pace.
    if (hooks_.advance && simulation_.rounds_begun() > 0) {
      hooks_.advance(simulation_.rounds_completed(), planned_, watch_.seconds());
    }
    saved_ = data_.unchanged();
    if (!saved_) return SimulationWish::kPause;
    const Wish wish = hooks_.wish ? hooks_.wish() : Wish::kGoOn;
    if (wish == Wish::kPause) return SimulationWish::kPause;
    if (keeps_checkpoints() && watch_.seconds() - last_checkpoint_ > kCheckpointEverySeconds) saved_ = save();
    if (!saved_) return SimulationWish::kPause;
    const bool late = max_seconds_ > 0 && watch_.seconds() > max_seconds_;
    return late || wish == Wish::kEnd ? SimulationWish::kEnd : SimulationWish::kGoOn;
  }

  [[nodiscard]] bool keeps_checkpoints() const { return !hooks_.checkpoint.folder.empty(); }
  [[nodiscard]] Status save() {
    last_checkpoint_ = watch_.seconds();
    return write_checkpoint(hooks_.checkpoint.folder, key_, {seconds_, watch_.seconds(), simulation_.save()});
  }

  double max_seconds_;
  std::uint64_t planned_;
  const Hooks& hooks_;
  const Digest& key_;
  const io::Table& data_;
  sim::Simulation& simulation_;
  std::vector<double> seconds_;  // at the end of each iteration
  Stopwatch watch_;
  double last_checkpoint_;
  Status saved_;  // or why there is no going on
};

// Threads overlap: the time by the clock is shared out as the processors' time was.
void share_out_time(double crypto, double processor, report::RunRecord& record) {
  record.seconds_crypto = processor > 0 ? record.seconds_total * std::min(1.0, crypto / processor) : 0;
  record.seconds_numerics = record.seconds_total - record.seconds_crypto;
}

}  // namespace

report::RunRecord begin_record(const NetworkRequest& request, const NetworkPlan& plan, const Inputs& inputs) {
  report::RunRecord record = describe_network(request.options, plan.settings, plan.graph, plan.columns);
  record.command = request.caller.command;
  record.title = request.caller.title;
  record.version = request.caller.version;
  record.notes = inputs.notes;
  const std::vector<Index> dropped = protocol::rows_dropped_for_all(split_columns(inputs, plan.columns), plan.settings);
  const auto note = [&](const std::string& sentence) {
    record.notes.push_back(request.caller.spell ? request.caller.spell(sentence) : sentence);
  };
  if (const std::string given = protocol::scheme_follows_from(request.options.settings); !given.empty())
    note(fmt::format("{} belongs to `scheme=hardened`, which this run therefore uses.", given));
  if (const auto sentence = rank_note(plan.settings.rank, plan.settings.rows, inputs.table.columns())) note(*sentence);
  for (const std::string& sentence : privacy_notes(plan.settings, record)) note(sentence);
  for (const std::string& sentence :
       crowd_notes(plan.settings, split_columns(inputs, plan.columns), inputs.table.row_names)) {
    note(sentence);
  }
  if (!dropped.empty()) {
    record.parameters.emplace_back("dropped_rows", protocol::dropped_list(dropped, inputs.table.row_names));
    note(protocol::dropped_note(dropped, inputs.table.row_names));
  }
  for (const std::string& sentence :
       seeded_account_notes(plan.settings, plan.graph.agents(), !inputs.persons.empty())) {
    note(sentence);
  }
  return record;
}

Status debit_seeded(const NetworkRequest& request, const NetworkPlan& plan, const report::RunRecord& record,
                    const Inputs& inputs, bool only_check) {
  const RunOptions& options = request.options;
  if (options.ledger.empty()) return {};
  constexpr std::size_t kDigits = 32;
  const std::string name = hex(run_key(record, inputs)).substr(0, kDigits);
  const double rho = plan.settings.privacy->cost().rho;
  const identity::LedgerColumns columns{inputs.table.view(), inputs.table.row_names, inputs.persons};
  return (only_check ? identity::check_ledger : identity::debit_ledger)(options.ledger, options.data_name, name, rho,
                                                                        columns);
}

Result<NetworkOutcome> run_network(const NetworkRequest& request, const NetworkPlan& plan, const Inputs& inputs,
                                   Executor& executor, const Hooks& hooks) {
  Stage stage(request.options, plan.settings.said, plan.columns.size(), executor);
  PPDNMF_TRY(sim::Simulation simulation, stage.make(plan, request.options.seed, inputs));
  NetworkOutcome outcome;
  report::RunRecord& record = outcome.record;
  record = begin_record(request, plan, inputs);
  const Digest key = run_key(record, inputs);
  PPDNMF_TRY_STATUS(debit_seeded(request, plan, record, inputs, true));
  if (hooks.ready) PPDNMF_TRY_STATUS(hooks.ready(record));
  Checkpoint checkpoint;
  if (hooks.checkpoint.resume) {
    PPDNMF_TRY(checkpoint, read_checkpoint(hooks.checkpoint.folder, key));
    PPDNMF_TRY_STATUS(simulation.load(checkpoint.state));
  }
  PPDNMF_TRY_STATUS(debit_seeded(request, plan, record, inputs, false));

  Course course(request, plan, hooks, key, std::move(checkpoint), inputs.table, simulation);
  const double processor_before = processor_seconds();
  PPDNMF_TRY_STATUS(course.to_the_end(executor));
  PPDNMF_TRY_STATUS(inputs.table.unchanged());
  PPDNMF_TRY_STATUS(stage.write_transcript());
  record.seconds_total = course.seconds();
  share_out_time(stage.crypto_seconds(), processor_seconds() - processor_before, record);
  outcome.factors = collect_factors(simulation);
  measure_network(simulation, outcome.factors, *inputs.table.view(), course.iteration_seconds(), executor, record);
  return outcome;
}

}  // namespace ppdnmf::run
