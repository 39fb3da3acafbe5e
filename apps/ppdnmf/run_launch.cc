#include "apps/ppdnmf/run_launch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <utility>

#include "apps/ppdnmf/launch_processes.h"
#include "apps/ppdnmf/progress.h"
#include "apps/ppdnmf/summary.h"
#include "version.h"
#include <ppdnmf/data/cap.h>
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/host/interrupt.h>
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/launch/private_folder.h>
#include <ppdnmf/nmf/factorize.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/protocol/own_columns.h>
#include <ppdnmf/run/exposures.h>
#include <ppdnmf/run/outputs.h>

namespace ppdnmf::app {
namespace {

Status check_options(const SimulateOptions& options, const run::NetworkPlan& plan) {
  if (options.request.options.settings.cipher == protocol::CipherKind::kNone) {
    return error(ErrorCode::kUsage,
                 "processes always encrypt what they send: leave out --cipher none, or use it with 'ppdnmf simulate'");
  }
  if (plan.graph.agents() < 2)
    return error(ErrorCode::kUsage, "one agent has nobody to talk to: type --agents 2 or more, or 'ppdnmf simulate'");
  return {};
}

// The squared norm of each agent's columns, as the agent measures it.
std::vector<double> squared_norms(const run::Inputs& inputs, const run::NetworkPlan& plan) {
  std::vector<double> out;
  const std::vector<data::SharedColumns> agents = run::split_columns(inputs, plan.columns);
  std::optional<double> cap;
  if (plan.settings.cap) {
    if (const Result<double> found = data::cap_of(agents, *plan.settings.cap)) cap = *found;
  }
  const std::vector<Index> dropped = protocol::rows_dropped_for_all(agents, plan.settings);
  for (const data::SharedColumns& own : agents) {
    auto entering = protocol::own_columns(own, plan.settings, cap);
    if (entering && plan.settings.drops_rows())
      entering = protocol::without_rows(*std::move(entering), dropped, plan.settings);
    if (plan.settings.privacy) {
      nmf::Holder holder(entering.value_or(own));
      holder.begin(plan.settings.rank, 1);
      out.push_back(holder.squared_norm());
    } else {
      out.push_back(data::squared_norm(*entering.value_or(own)));
    }
  }
  return out;
}

// What the agents left stays for a person to look into, unless it was the person who ended them.
Error with_place(Error failure, launch::PrivateFolder& folder) {
  if (failure.code == ErrorCode::kInterrupted) {
    failure.message = "interrupted; the agents have ended, and the same command starts from the beginning";
    return failure;
  }
  folder.keep();
  failure.message += fmt::format(
      " (the agents' keys, data and journals are in {}; remove it when you no longer need it)", folder.path().string());
  return failure;
}

Status launch_agents(const SimulateOptions& options, const run::Inputs& inputs) {
  const run::NetworkRequest& request = options.request;
  PPDNMF_TRY(const run::NetworkPlan plan, run::make_plan(request.options, inputs));
  PPDNMF_TRY_STATUS(check_options(options, plan));
  PPDNMF_TRY(const report::Pictures pictures, pictures_for(options.view, options.data.image, inputs.table));
  const data::SharedColumns columns = inputs.table.view();
  PPDNMF_TRY_STATUS(data::check_factorizable({&columns, 1}, plan.settings.rank, protocol::ranks_of(plan.settings)));
  report::RunRecord record = run::begin_record(request, plan, inputs);
  PPDNMF_TRY_STATUS(run::debit_seeded(request, plan, record, inputs, true));
  print_notes(options.output, record);
  PPDNMF_TRY(const run::OutputFolder folder,
             run::OutputFolder::prepare(options.output.out, options.output.force, false));
  PPDNMF_TRY(launch::PrivateFolder home, launch::PrivateFolder::make());
  const LaunchFolder places{home.path(), inputs.table.nonzeros.has_value()};
  PPDNMF_TRY_STATUS(run::debit_seeded(request, plan, record, inputs, false));

  host::catch_interrupts();
  const Stopwatch watch;
  launch::RunView view(squared_norms(inputs, plan), plan.settings.loss, plan.settings.penalties.any());
  if (Status done = run_processes(options, plan, inputs, places, watch, view); !done)
    return tl::unexpected(with_place(std::move(done).error(), home));
  auto agents = read_factors(places, plan);
  if (!agents) return tl::unexpected(with_place(std::move(agents).error(), home));
  record.seconds_total = watch.seconds();
  record.seconds_crypto = record.seconds_numerics = report::kNotMeasured;
  run::NetworkFactors factors = run::join_factors(*std::move(agents));
  host::ThreadPool pool(host::threads_or_all(request.options.threads));
  record.parameters.emplace_back("data_scale", common_scale(places));
  measure_launch(view, factors, inputs.table, plan, pool, record);
  if (plan.settings.searches()) {
    PPDNMF_TRY(record.search, report::read_rank_record(places.out(0)));
  }
  run::work_out_exposures(options.view.exposures, plan.settings.loss, request.options.seed, inputs.table, pool, factors,
                          record);
  PPDNMF_TRY_STATUS(run::write_results(options.output.out, inputs.table, pictures, record, factors));
  print_summary(options.output, record);
  return {};
}

}  // namespace

Status run_launch(SimulateOptions options) {
  PPDNMF_TRY(const run::Inputs inputs, run::load_inputs(options.data, options.request.options.settings.missing));
  options.request.caller = {"launch", fmt::format("launch {}", fmt::join(options.data.files, " ")), kVersion, in_flags};
  return launch_agents(options, inputs);
}

}  // namespace ppdnmf::app
