#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "apps/ppdnmf/clock.h"
#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/network_options.h"
#include "apps/ppdnmf/outputs.h"
#include "apps/ppdnmf/progress.h"
#include <ppdnmf/audit/judge.h>
#include <ppdnmf/audit/page.h>
#include <ppdnmf/audit/plan.h>
#include <ppdnmf/consortium/check.h>
#include <ppdnmf/host/interrupt.h>
#include <ppdnmf/host/thread_pool.h>
#include "version.h"

namespace ppdnmf::app {
namespace {

struct Options {
  OutputOptions output;
  std::uint64_t seed = 1;
  std::size_t threads = 0;
  bool quick = false;
  // A planned run.
  std::filesystem::path consortium;
  std::vector<Index> columns;
  std::string topology;
  std::uint32_t agents = 0;
  Index rows = 100;
  protocol::Settings settings{.rank = 5};  // scheme, rank, and epsilon with delta
};

Result<audit::PlannedRun> planned_by_file(const Options& options) {
  const std::string place = options.consortium.string();
  PPDNMF_TRY(const consortium::Consortium consortium, consortium::read_consortium(options.consortium));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  const auto place_of = [&](const std::string& name) -> Result<std::uint32_t> {
    for (std::uint32_t i = 0; i < consortium.members.size(); ++i) {
      if (consortium.members[i].identity.name() == name) return i;
    }
    return error(ErrorCode::kInvalidData, "{}: an edge names {}, who is no member", place, name);
  };
  for (const auto& [a, b] : consortium.edges) {
    PPDNMF_TRY(const std::uint32_t first, place_of(a));
    PPDNMF_TRY(const std::uint32_t second, place_of(b));
    edges.emplace_back(first, second);
  }
  auto graph = protocol::Graph::create(static_cast<std::uint32_t>(consortium.members.size()), edges);
  if (!graph) return at(place, std::move(graph).error());
  const protocol::Settings& s = consortium.settings;
  audit::PlannedRun run{*std::move(graph), protocol::scheme_of(s), consortium.rows, s.rank, {}, options.columns, {}};
  if (s.epsilon && s.delta) run.budget = privacy::Budget{*s.epsilon, *s.delta};
  for (const consortium::Member& member : consortium.members) run.names.push_back(member.identity.name());
  return run;
}

Result<audit::PlannedRun> planned_by_options(const Options& options) {
  std::uint32_t agents = options.agents;
  if (agents == 0) agents = options.columns.empty() ? 10 : static_cast<std::uint32_t>(options.columns.size());
  PPDNMF_TRY(protocol::Graph graph, load_graph(options.topology.empty() ? "random:3" : options.topology, agents, options.seed));
  return audit::PlannedRun{std::move(graph),
                    options.settings.scheme.value_or(protocol::SchemeKind::kSum),
                    options.rows,
                    options.settings.rank,
                    {},
                    options.columns,
                    {}};
}

Status judge_planned(const Options& options) {
  if (!options.consortium.empty() && (!options.topology.empty() || options.agents > 0)) {
    return error(ErrorCode::kUsage, "--consortium says who takes part and how: leave out --topology and --agents");
  }
  const auto& [epsilon, delta] = std::pair(options.settings.epsilon, options.settings.delta);
  if (epsilon.has_value() != delta.has_value()) {
    return error(ErrorCode::kUsage, "--epsilon and --delta go together: give both or neither");
  }
  PPDNMF_TRY(audit::PlannedRun run, options.consortium.empty() ? planned_by_options(options) : planned_by_file(options));
  if (epsilon) run.budget = privacy::Budget{*epsilon, *delta};
  PPDNMF_TRY(const audit::Judgement judgement, audit::judge(run));
  if (options.output.json) fmt::print("{}", in_flags(audit::judgement_json(run, judgement)));
  if (!options.output.json && !options.output.quiet) fmt::print("{}", in_flags(audit::judgement_text(run, judgement)));
  return {};
}

Status run_audit(const Options& options) {
  PPDNMF_TRY(const OutputFolder folder, OutputFolder::prepare(options.output, false));
  const Stopwatch watch;
  host::ThreadPool pool(threads_or_all(options.threads));
  audit::AuditRecord record{kVersion, options.seed, options.quick, 0, {}};
  {
    LiveLine live(options.output.quiet);
    std::size_t shown = 0;
    const auto progress = [&](std::size_t done, std::size_t all) {
      // In a log ten lines are enough.
      const std::size_t tenth = 10 * done / all;
      if (!live.is_terminal() && tenth == shown) return;
      shown = tenth;
      live.show(fmt::format("{} of {} trials, {:.0f} s", done, all, watch.seconds()));
    };
    PPDNMF_TRY(record.rows, audit::measure(audit::audit_plan(options.quick), options.seed, pool, progress));
  }
  PPDNMF_TRY(const std::vector<audit::FacePicture> faces, audit::face_pictures(options.seed, options.quick));
  record.seconds = watch.seconds();
  PPDNMF_TRY(const std::vector<std::string> notes, audit::write_audit(options.output.out, record, faces));
  if (options.output.json) fmt::print("{}", audit::audit_json(record));
  if (options.output.quiet || options.output.json) return {};
  fmt::print("{}\n{}\n", audit::table_text(record.rows), audit::verdict(record.rows));
  for (const std::string& note : notes) fmt::print("note: {}\n", note);
  fmt::print("{}, {:.0f} s\n", (options.output.out / "audit.html").string(), record.seconds);
  return {};
}

}  // namespace

void add_audit(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("audit", "Attack the schemes, or judge a planned run");
  auto options = std::make_shared<Options>();
  command->add_flag("--quick", options->quick, "fewer seeds, in less than a minute");
  add_seed_option(*command, options->seed);
  add_threads_option(*command, options->threads);
  add_output_options(*command, options->output);
  options->output.out = "out/audit";
  command->get_option("--out")->default_str(options->output.out.string());
  const auto* group = "A planned run, judged instead of attacking";
  command->add_option("--consortium", options->consortium, "a file of 'ppdnmf consortium new'")->group(group);
  command->add_option("--columns", options->columns, "columns of each agent, as 120,80,40")
      ->delimiter(',')
      ->group(group);
  command->add_option("--topology", options->topology, "without a file: as simulate's")->group(group);
  command->add_option("--agents", options->agents, "without a file: how many")
      ->check(CLI::Range(1U, 1000U))
      ->group(group);
  command->add_option("--rows", options->rows, "without a file: rows of the data")
      ->check(CLI::Range(Index{1}, Index{1} << 30))
      ->capture_default_str()
      ->group(group);
  add_setting_options(*command, options->settings, [](const protocol::Setting& s) {
    return s.name == "scheme" || s.name == "rank" || s.name == "epsilon" || s.name == "delta";
  });
  for (const auto& [flag, meaning] :
       {std::pair("--scheme", "without a file: as simulate's"), std::pair("--rank", "without a file: columns of X"),
        std::pair("--epsilon", "a private run, as simulate's; with --delta"),
        std::pair("--delta", "a private run, as simulate's; with --epsilon")}) {
    command->get_option(flag)->description(meaning)->group(group)->required(false);
  }
  command->get_option("--rank")->default_str("5");
  command->footer(
      "Example: ppdnmf audit --out out/audit\n"
      "         ppdnmf audit --consortium trial.toml --columns 120,80,40");
  command->callback([options, command, &outcome] {
    const bool planned = command->count("--consortium") + command->count("--topology") + command->count("--agents") +
                             command->count("--columns") + command->count("--epsilon") + command->count("--delta") >
                         0;
    outcome = planned ? judge_planned(*options) : run_audit(*options);
  });
}

}  // namespace ppdnmf::app
