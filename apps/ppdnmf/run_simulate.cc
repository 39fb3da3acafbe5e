#include "apps/ppdnmf/run_simulate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string>
#include <utility>

#include "apps/ppdnmf/progress.h"
#include "apps/ppdnmf/summary.h"
#include "version.h"
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/host/interrupt.h>
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/nmf/factorize.h>
#include <ppdnmf/run/estimate.h>
#include <ppdnmf/run/exposures.h>
#include <ppdnmf/run/outputs.h>

namespace ppdnmf::app {
namespace {

Status print_estimate(const SimulateOptions& options, const run::NetworkPlan& plan, const run::Inputs& inputs) {
  const run::RunOptions& given = options.request.options;
  const data::SharedColumns columns = inputs.table.view();
  PPDNMF_TRY_STATUS(data::check_factorizable({&columns, 1}, plan.settings.rank, protocol::ranks_of(plan.settings)));
  run::DataSize size{columns->rows(), plan.columns, {}};
  if (inputs.table.nonzeros) size.nonzeros = inputs.table.nonzeros->value.size();
  PPDNMF_TRY(const run::RunEstimate estimate,
             run::estimate_run(plan.settings, plan.graph, size, sim::secrecy_of(given.settings),
                               host::threads_or_all(given.threads)));
  fmt::print("{}", options.output.json ? run::estimate_json(estimate) : run::estimate_text(estimate));
  return {};
}

run::Wish pause_if_interrupted() { return host::interrupted() ? run::Wish::kPause : run::Wish::kGoOn; }

Status simulate(const SimulateOptions& options, const run::Inputs& inputs) {
  const OutputOptions& output = options.output;
  const run::NetworkRequest& request = options.request;
  PPDNMF_TRY(const run::NetworkPlan plan, run::make_plan(request.options, inputs));
  PPDNMF_TRY(const report::Pictures pictures, pictures_for(options.view, options.data.image, inputs.table));
  if (options.estimate) return print_estimate(options, plan, inputs);

  std::optional<run::OutputFolder> folder;
  run::Hooks hooks;
  hooks.checkpoint = {output.out, output.resume};
  hooks.ready = [&](const report::RunRecord& record) -> Status {
    print_notes(output, record);
    PPDNMF_TRY(run::OutputFolder prepared, run::OutputFolder::prepare(output.out, output.force, output.resume));
    folder.emplace(std::move(prepared));
    host::catch_interrupts();
    return {};
  };
  hooks.wish = pause_if_interrupted;
  host::ThreadPool pool(host::threads_or_all(request.options.threads));
  std::optional<Progress> progress(std::in_place, output.quiet, plan.iterations(), true);
  hooks.iteration = [&](const report::HistoryRow& row) { progress->show(row); };
  hooks.advance = [&](std::uint64_t done, std::uint64_t planned, double seconds) {
    progress->advance(done, planned, seconds);
  };
  PPDNMF_TRY(run::NetworkOutcome outcome, run::run_network(request, plan, inputs, pool, hooks));
  progress.reset();
  run::work_out_exposures(options.view.exposures, plan.settings.loss, request.options.seed, inputs.table, pool,
                          outcome.factors, outcome.record);
  PPDNMF_TRY_STATUS(run::write_results(output.out, inputs.table, pictures, outcome.record, outcome.factors));
  print_summary(output, outcome.record);
  return {};
}

}  // namespace

Status run_simulate(SimulateOptions options) {
  PPDNMF_TRY(const run::Inputs inputs, run::load_inputs(options.data, options.request.options.settings.missing));
  options.request.caller = {"simulate", fmt::format("simulate {}", fmt::join(options.data.files, " ")), kVersion,
                            in_flags};
  return simulate(options, inputs);
}

Status run_rank(SimulateOptions options, bool loss_given) {
  PPDNMF_TRY(const run::Inputs inputs, run::load_inputs(options.data));
  protocol::Settings& settings = options.request.options.settings;
  const bool counts = data::all_whole(*inputs.table.view());
  const bool exact_sum =
      !settings.epsilon && settings.scheme.value_or(protocol::SchemeKind::kSum) == protocol::SchemeKind::kSum;
  if (!loss_given && counts && exact_sum) settings.loss = nmf::LossKind::kPoisson;
  options.request.caller = {"rank", fmt::format("rank {}", fmt::join(options.data.files, " ")), kVersion, in_flags};
  return simulate(options, inputs);
}

}  // namespace ppdnmf::app
