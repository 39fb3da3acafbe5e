#include "apps/ppdnmf/run_experiment.h"

#include <fmt/format.h>

#include <utility>

#include "apps/ppdnmf/experiment_record.h"
#include "apps/ppdnmf/experiment_tasks.h"
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/run/checkpoint.h>
#include <ppdnmf/run/outputs.h>
#include <ppdnmf/run/stopwatch.h>

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
  if (plan.check_rounds > 0) {
    tasks.push_back(make_task([&](const experiment::StopQuestion& stop) {
      return experiment::run_encrypted_check(plan.problem(0), plan.check_rounds, plan.check_keys, stop);
    }));
  }
  for (int t = 0; t < plan.joining_trials; ++t) {
    tasks.push_back(make_task(
        [&plan, t](const experiment::StopQuestion& stop) { return experiment::run_joining(plan.problem(t), stop); }));
  }
  for (int t = 0; t < plan.trials; ++t) {
    for (std::size_t v = plan.variants.size(); v-- > 0;) {
      const experiment::Variant variant = plan.variants[v];
      tasks.push_back(make_task([&plan, t, variant](const experiment::StopQuestion& stop) {
        return experiment::run_trial(plan.problem(t), variant, stop);
      }));
    }
  }
  return tasks;
}

// In the order of make_tasks.
Result<ExperimentResults> read_results(const ExperimentPlan& plan, const std::vector<Bytes>& bytes) {
  ExperimentResults results;
  std::size_t next = 0;
  if (plan.check_rounds > 0) {
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

}  // namespace

Status run_experiment(const ExperimentOptions& options, ExperimentPlanner planner) {
  PPDNMF_TRY(const ExperimentPlan plan, planner(options));
  PPDNMF_TRY(const run::OutputFolder folder,
             run::OutputFolder::prepare(options.output.out, options.output.force, options.output.resume));
  if (!options.output.quiet && plan.stand_in) fmt::print(stderr, "note: {}\n", plan.notes.front());
  const run::Stopwatch watch;
  const std::vector<Task> tasks = make_tasks(plan);
  PPDNMF_TRY(const std::vector<Bytes> bytes,
             run_tasks(tasks, {options.output.out, plan.digest, options.output.resume, options.output.quiet,
                               host::threads_or_all(options.threads)}));
  PPDNMF_TRY(ExperimentResults results, read_results(plan, bytes));
  results.seconds = watch.seconds();
  PPDNMF_TRY_STATUS(write_experiment(options, plan, results));
  run::remove_checkpoint(options.output.out);
  if (results.check && !results.check->same) {
    return error(ErrorCode::kInternal, "a defect in ppdnmf: the encrypted run of trial 1 differs from the plain one");
  }
  return {};
}

}  // namespace ppdnmf::app
