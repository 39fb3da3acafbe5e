#include <fmt/format.h>

#include <memory>
#include <utility>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/experiment_data.h"
#include "apps/ppdnmf/experiment_record.h"
#include "apps/ppdnmf/experiment_tasks.h"
#include "apps/ppdnmf/outputs.h"
#include "apps/ppdnmf/progress.h"

namespace ppdnmf::app {
namespace {

// A task that gives its outcome as bytes.
template <typename Run>
Task make_task(Run run) {
  return [run = std::move(run)](const experiment::StopQuestion& stop) -> Result<std::optional<Bytes>> {
    PPDNMF_TRY(const auto outcome, run(stop));
    if (!outcome) return std::optional<Bytes>();
    return std::optional<Bytes>(experiment::encode(*outcome));
  };
}

// The check and the joining trials, which take longest, come first; then trial after trial, every variant, from the
// last one on: the defaults take longest in a quick run, the centralised one is always short.
std::vector<Task> make_tasks(const ExperimentPlan& plan) {
  std::vector<Task> tasks;
  if (plan.check_exchanges > 0) {
    tasks.push_back(make_task([&](const experiment::StopQuestion& stop) {
      return experiment::run_encrypted_check(plan.problem(0), plan.check_exchanges, plan.check_keys, stop);
    }));
  }
  for (int t = 0; t < plan.joining_trials; ++t) {
    tasks.push_back(make_task([&plan, t](const experiment::StopQuestion& stop) { return experiment::run_joining(plan.problem(t), stop); }));
  }
  for (int t = 0; t < plan.trials; ++t) {
    for (std::size_t v = plan.variants.size(); v-- > 0;) {
      const experiment::Variant variant = plan.variants[v];
      tasks.push_back(make_task(
          [&plan, t, variant](const experiment::StopQuestion& stop) { return experiment::run_trial(plan.problem(t), variant, stop); }));
    }
  }
  return tasks;
}

// In the order of make_tasks.
Result<ExperimentResults> read_results(const ExperimentPlan& plan, const std::vector<Bytes>& bytes) {
  ExperimentResults results;
  std::size_t next = 0;
  if (plan.check_exchanges > 0) {
    PPDNMF_TRY(results.check, experiment::decode_check(bytes[next++]));
  }
  for (int t = 0; t < plan.joining_trials; ++t) {
    PPDNMF_TRY(experiment::JoiningOutcome outcome, experiment::decode_joining(bytes[next++]));
    results.joining.push_back(std::move(outcome));
  }
  results.outcomes.resize(plan.variants.size());
  for (int t = 0; t < plan.trials; ++t) {
    for (std::size_t v = plan.variants.size(); v-- > 0;) {
      PPDNMF_TRY(experiment::TrialOutcome outcome, experiment::decode_trial(bytes[next++]));
      results.outcomes[v].push_back(std::move(outcome));
    }
  }
  return results;
}

Status run_experiment(const ExperimentOptions& options, const ExperimentPlan& plan) {
  PPDNMF_TRY(const OutputFolder folder, OutputFolder::prepare(options.output, options.resume));
  if (!options.output.quiet && plan.stand_in) fmt::print(stderr, "note: {}\n", plan.notes.front());
  const Stopwatch watch;
  const std::vector<Task> tasks = make_tasks(plan);
  PPDNMF_TRY(const std::vector<Bytes> bytes, run_tasks(tasks, {options.output.out, plan.digest, options.resume,
                                                               options.output.quiet, threads_or_all(options.threads)}));
  PPDNMF_TRY(ExperimentResults results, read_results(plan, bytes));
  results.seconds = watch.seconds();
  PPDNMF_TRY_STATUS(write_experiment(options, plan, results));
  remove_checkpoint(options.output.out);
  if (results.check && !results.check->same) {
    return error(ErrorCode::kInternal, "a defect in ppdnmf: the encrypted run of trial 1 differs from the plain one");
  }
  return {};
}

using Planner = Result<ExperimentPlan> (*)(const ExperimentOptions&);

std::shared_ptr<ExperimentOptions> add(CLI::App& parent, const std::string& name, const std::string& what,
                                       Planner planner, Status& outcome) {
  CLI::App* command = parent.add_subcommand(name, what);
  auto options = std::make_shared<ExperimentOptions>();
  command->add_option("--trials", options->trials, "independent trials (the experiment's own number)")
      ->check(CLI::Range(1, 1'000'000));
  command->add_flag("--quick", options->quick, "a small version of it, in less than a minute");
  command->add_flag("--resume", options->resume, "go on from the checkpoint in the output folder");
  add_seed_option(*command, options->seed);
  add_threads_option(*command, options->threads);
  add_output_options(*command, options->output);
  options->output.out = "out/experiment-" + name;
  command->get_option("--out")->default_str(options->output.out.string());
  command->callback([options, planner, &outcome] {
    const auto run = [&]() -> Status {
      PPDNMF_TRY(const ExperimentPlan plan, planner(*options));
      return run_experiment(*options, plan);
    };
    outcome = run();
  });
  return options;
}

void add_data(CLI::App& command, ExperimentOptions& options, const char* rank_text) {
  command.add_option("--data", options.data, "data: .npy, .csv, .tsv, .mtx, .mat, a folder of PGM images");
  command.add_option("--rank", options.rank, rank_text)->check(CLI::Range(Index{1}, Index{1} << 20));
  command.add_option("--agents", options.agents, "agents (10)")->check(CLI::Range(1U, 1U << 20));
  command.add_flag("--clip-negative", options.clip_negative, "set negative entries to zero");
}

}  // namespace

void add_experiment(CLI::App& app, Status& outcome) {
  CLI::App* group = app.add_subcommand("experiment", "The paper's experiments, as printed and corrected, with figures");
  group->require_subcommand(1);
  group->footer("Example: ppdnmf experiment synthetic --quick --out out/synthetic");

  add(*group, "synthetic", "Figure 1a: ten agents on synthetic data, 100 trials", plan_synthetic, outcome);
  group->get_subcommand("synthetic")->footer("Example: ppdnmf experiment synthetic --out out/synthetic");

  const auto faces =
      add(*group, "faces", "Figures 1b and 1c: the MIT-CBCL faces, or images made here", plan_faces, outcome);
  CLI::App* faces_command = group->get_subcommand("faces");
  add_data(*faces_command, *faces, "number of columns of X (49; 16 for images made here)");
  faces_command->add_option("--image", faces->image,
                            "size of the images, as 19x19 (height x width), stored column by column (square)");
  faces_command->add_flag("--negative", faces->negative, "the images are photographic negatives");
  faces_command->footer("Example: ppdnmf experiment faces --data faces_u8.npy --out out/faces");

  const auto joining =
      add(*group, "joining", "Held-out columns: one agent alone, together, a centre", plan_joining, outcome);
  CLI::App* joining_command = group->get_subcommand("joining");
  add_data(*joining_command, *joining, "number of columns of X");
  joining_command->get_option("--data")->required();
  joining_command->get_option("--rank")->required();
  joining_command->footer("Example: ppdnmf experiment joining --data counts.csv --rank 4 --agents 7 --out out/joining");
}

}  // namespace ppdnmf::app
