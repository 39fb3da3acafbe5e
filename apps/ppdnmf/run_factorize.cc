#include "apps/ppdnmf/run_factorize.h"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "apps/ppdnmf/progress.h"
#include "apps/ppdnmf/summary.h"
#include "version.h"
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/host/interrupt.h>
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/run/checkpoint.h>
#include <ppdnmf/run/exposures.h>
#include <ppdnmf/run/inputs.h>
#include <ppdnmf/run/outputs.h>
#include <ppdnmf/run/published_run.h>

namespace ppdnmf::app {
namespace {

Status check_private(const FactorizeCommand& command) {
  const protocol::Settings& settings = command.options.settings;
  if (!settings.epsilon && (protocol::is_private(settings) || settings.scheme))
    return error(ErrorCode::kUsage, "--delta, --columns and --scheme are for private runs: add --epsilon");
  if (!settings.epsilon && !command.data.persons.empty())
    return error(ErrorCode::kUsage, "--persons is for private runs: it says whom their noise protects; add --epsilon");
  if (!settings.epsilon) return {};
  if (!command.data.known.empty() || protocol::penalties_of(settings).any())
    return error(ErrorCode::kUsage, "--known and penalties on X and Y cannot be had in a private run: leave them out");
  if (command.solver.solver != "fast" || !command.solver.given_for_admm.empty())
    return error(ErrorCode::kUsage, "--epsilon has no meaning for --solver admm: leave one of them out");
  if (command.output.resume)
    return error(ErrorCode::kUsage,
                 "a private run leaves no checkpoint, which would hold its noise: leave out --resume");
  return {};
}

// What is made of the factors, their files and the summary.
Status finish(const FactorizeCommand& command, const run::Inputs& inputs, const report::Pictures& pictures,
              Executor& executor, run::FactorizeOutcome outcome) {
  run::NetworkFactors factors{std::move(outcome.X), std::move(outcome.Y), {}};
  run::work_out_exposures(command.view.exposures, command.options.settings.loss, command.options.seed, inputs.table,
                          executor, factors, outcome.record);
  PPDNMF_TRY_STATUS(run::write_results(command.output.out, inputs.table, pictures, outcome.record, factors));
  print_summary(command.output, outcome.record);
  return {};
}

Status run_private(const FactorizeCommand& command, const run::Inputs& inputs) {
  const OutputOptions& output = command.output;
  PPDNMF_TRY(const report::Pictures pictures, pictures_for(command.view, command.data.image, inputs.table));
  run::PublishedRequest request;
  request.options = command.options;
  request.caller = {"factorize", "factorize " + command.data.files.front(), kVersion, in_flags};
  request.notes = inputs.notes;
  request.persons = inputs.persons;
  std::optional<run::OutputFolder> folder;
  run::Hooks hooks;
  hooks.ready = [&](const report::RunRecord& record) -> Status {
    print_notes(output, record);
    PPDNMF_TRY(run::OutputFolder prepared, run::OutputFolder::prepare(output.out, output.force, false));
    folder.emplace(std::move(prepared));
    host::catch_interrupts();
    return {};
  };
  hooks.wish = [] { return host::interrupted() ? run::Wish::kPause : run::Wish::kGoOn; };
  host::ThreadPool pool(host::threads_or_all(command.options.threads));
  PPDNMF_TRY(run::FactorizeOutcome outcome, run::run_published(request, inputs.table.view(), pool, hooks));
  return finish(command, inputs, pictures, pool, std::move(outcome));
}

// Several processes go on by themselves from where they were: nobody was asked before one of them was lost.
run::CheckpointPlace checkpoint_for(const FactorizeCommand& command) {
  const OutputOptions& output = command.output;
  if (command.several == nullptr) return {output.out, output.resume};
  std::error_code ignored;
  run::remove_torn_checkpoints(output.out);
  const bool there = std::filesystem::exists(output.out / "checkpoint.bin", ignored);
  return {output.out, there && !output.force, command.checkpoint_seconds};
}

}  // namespace

Status run_factorize(const FactorizeCommand& command) {
  const OutputOptions& output = command.output;
  PPDNMF_TRY_STATUS(check_private(command));
  std::optional<host::ThreadPool> own_pool;
  Executor* executor = nullptr;
  run::Inputs inputs;
  if (command.several != nullptr) {
    PPDNMF_TRY(executor, command.several->begin(command.options.threads, output.out));
    PPDNMF_TRY(io::JoinedTable joined, command.several->load(command.data.files, command.data.clip_negative));
    PPDNMF_TRY(inputs, run::joined_inputs(std::move(joined), command.data));
  } else {
    PPDNMF_TRY(inputs, run::load_inputs(command.data, command.options.settings.missing));
    if (command.options.settings.epsilon) return run_private(command, inputs);
    executor = &own_pool.emplace(host::threads_or_all(command.options.threads));
  }
  Executor& pool = *executor;
  const data::SharedColumns columns = inputs.table.view();
  const run::CheckpointPlace checkpoint = checkpoint_for(command);
  run::FactorizeRequest request;
  PPDNMF_TRY(request.solver, run::make_factorize_options(command.options.settings, command.solver));
  request.solver.known = inputs.known;
  PPDNMF_TRY(const report::Pictures pictures, pictures_for(command.view, command.data.image, inputs.table));
  request.options = command.options;
  request.caller = {"factorize", "factorize " + command.data.files.front(), kVersion};
  request.data = inputs.digest;
  request.notes = inputs.notes;

  std::optional<run::OutputFolder> folder;
  run::Hooks hooks;
  hooks.checkpoint = checkpoint;
  hooks.ready = [&](const report::RunRecord&) -> Status {
    PPDNMF_TRY(run::OutputFolder prepared, run::OutputFolder::prepare(output.out, output.force, checkpoint.resume));
    folder.emplace(std::move(prepared));
    host::catch_interrupts();
    return {};
  };
  hooks.wish = [] { return host::interrupted() ? run::Wish::kPause : run::Wish::kGoOn; };
  std::optional<Progress> progress(std::in_place, output.quiet, request.solver.iterations, false);
  hooks.iteration = [&](const report::HistoryRow& row) { progress->show(row); };
  hooks.advance = [&](std::uint64_t done, std::uint64_t planned, double seconds) {
    progress->advance(done, planned, seconds);
  };
  Result<run::FactorizeOutcome> ran = run::run_factorization(request, columns, pool, hooks);
  if (!ran && command.several != nullptr && ran.error().code == ErrorCode::kInterrupted) {
    return error(ErrorCode::kInterrupted, "interrupted; the same command goes on from {}",
                 (output.out / "checkpoint.bin").string());
  }
  PPDNMF_TRY(run::FactorizeOutcome outcome, std::move(ran));
  progress.reset();
  outcome.record.worst_agent_error = nmf::best_error(outcome.X, *columns, outcome.Y, pool);
  return finish(command, inputs, pictures, pool, std::move(outcome));
}

}  // namespace ppdnmf::app
