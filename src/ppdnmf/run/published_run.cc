#include <ppdnmf/run/published_run.h>

#include <fmt/format.h>

#include <utility>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/persons.h>
#include <ppdnmf/identity/entropy.h>
#include <ppdnmf/protocol/opening_checks.h>
#include <ppdnmf/protocol/privacy_account.h>
#include <ppdnmf/run/network_record.h>
#include <ppdnmf/run/stopwatch.h>
#include <ppdnmf/sim/assembly.h>

namespace ppdnmf::run {
namespace {

Result<protocol::RunSettings> settings_of(const PublishedRequest& request, const data::SharedColumns& Z,
                                          const protocol::Graph& graph) {
  protocol::Settings settings = request.options.settings;
  if (!settings.columns) {
    return error(ErrorCode::kUsage,
                 "`epsilon` needs `columns`: about how many columns there are, rounded to one digit; it is published "
                 "with X, and the exact number is not");
  }
  if (static_cast<double>(Z->count()) > protocol::kColumnsAbout * static_cast<double>(*settings.columns)) {
    return error(ErrorCode::kUsage, "`columns={}` is far below the number of columns that there are: correct it",
                 *settings.columns);
  }
  settings.assume_honest = 1;
  return protocol::make_run_settings(settings, Z->rows(), graph);
}

report::RunRecord describe(const PublishedRequest& request, const protocol::RunSettings& settings) {
  report::RunRecord record;
  record.command = request.caller.command;
  record.title = request.caller.title;
  record.version = request.caller.version;
  record.seed = request.options.seed;
  record.parameters = {{"rows", fmt::format("{}", settings.rows)}};
  for (auto& parameter : protocol::run_parameters(settings)) record.parameters.push_back(std::move(parameter));
  record.notes = request.notes;
  std::vector<std::string> notes = protocol::account_notes(*settings.privacy, !request.persons.empty());
  notes.insert(notes.begin(), protocol::way_note(settings, 1));
  notes.emplace_back(
      "X may be published, and nothing else: Y, the errors and the number of columns are those of the data. The noise "
      "came "
      "from the operating system and is forgotten, so that the same command gives another X; publishing both spends "
      "the "
      "budget twice.");
  for (const std::string& note : notes)
    record.notes.push_back(request.caller.spell ? request.caller.spell(note) : note);
  return record;
}

}  // namespace

Result<FactorizeOutcome> run_published(const PublishedRequest& request, const data::SharedColumns& Z,
                                       Executor& executor, const Hooks& hooks) {
  PPDNMF_TRY(const protocol::Graph graph, protocol::Graph::create(1, {}));
  PPDNMF_TRY(const protocol::RunSettings settings, settings_of(request, Z, graph));
  PPDNMF_TRY(sim::SimulationConfig config,
             sim::assemble(settings, graph, request.options.seed, {std::nullopt, true}, executor));
  config.executor = &executor;
  config.make_secret = [](AgentId /*self*/) { return identity::draw_seed(); };
  PPDNMF_TRY(sim::Simulation simulation,
             sim::Simulation::create(std::move(config), graph, {data::of_persons(Z, request.persons)}));
  FactorizeOutcome outcome;
  outcome.record = describe(request, settings);
  if (hooks.ready) PPDNMF_TRY_STATUS(hooks.ready(outcome.record));

  const Stopwatch watch(0);
  std::vector<double> seconds;
  const auto observer = [&](const sim::HistoryEntry& entry) {
    seconds.push_back(watch.seconds());
    if (hooks.iteration) hooks.iteration(to_row(entry, seconds.back()));
  };
  const auto question = [&] {
    const Wish wish = hooks.wish ? hooks.wish() : Wish::kGoOn;
    return wish == Wish::kPause ? sim::Simulation::Wish::kPause
           : wish == Wish::kEnd ? sim::Simulation::Wish::kEnd
                                : sim::Simulation::Wish::kGoOn;
  };
  PPDNMF_TRY(const bool finished, simulation.run(executor, observer, question));
  if (!finished)
    return error(ErrorCode::kInterrupted, "interrupted; nothing was written, and a new run draws new noise");
  outcome.record.seconds_total = outcome.record.seconds_numerics = watch.seconds();
  const NetworkFactors factors = collect_factors(simulation);
  measure_network(simulation, factors, *Z, seconds, executor, outcome.record);
  outcome.record.agent_errors.clear();
  outcome.X = factors.X;
  outcome.Y = factors.Y;
  return outcome;
}

}  // namespace ppdnmf::run
