#include "apps/ppdnmf/run_audit.h"

#include <fmt/format.h>

#include <utility>

#include "apps/ppdnmf/progress.h"
#include "version.h"
#include <ppdnmf/audit/judge.h>
#include <ppdnmf/audit/page.h>
#include <ppdnmf/audit/plan.h>
#include <ppdnmf/consortium/check.h>
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/run/network_plan.h>
#include <ppdnmf/run/outputs.h>

namespace ppdnmf::app {
namespace {

Result<audit::PlannedRun> planned_by_file(const AuditOptions& options) {
  const std::string place = options.consortium.string();
  PPDNMF_TRY(const consortium::Consortium consortium, consortium::read_consortium(options.consortium));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  const auto place_of = [&](const std::string& name) -> Result<std::uint32_t> {
    for (std::uint32_t i = 0; i < consortium.members.size(); ++i) {
      if (consortium.members[i].identity.name() == name) return i;
    }
    return error(ErrorCode::kInvalidData, "{}: an edge names {}, who is not a member", place, name);
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

Result<audit::PlannedRun> planned_by_options(const AuditOptions& options) {
  std::uint32_t agents = options.agents;
  if (agents == 0) agents = options.columns.empty() ? 10 : static_cast<std::uint32_t>(options.columns.size());
  PPDNMF_TRY(protocol::Graph graph,
             run::load_graph(options.topology.empty() ? "random:3" : options.topology, agents, options.seed));
  return audit::PlannedRun{std::move(graph),
                           options.settings.scheme.value_or(protocol::SchemeKind::kSum),
                           options.rows,
                           options.settings.rank,
                           {},
                           options.columns,
                           {}};
}

}  // namespace

Status judge_planned(const AuditOptions& options) {
  if (!options.consortium.empty() && (!options.topology.empty() || options.agents > 0)) {
    return error(ErrorCode::kUsage, "--consortium says who takes part and how: leave out --topology and --agents");
  }
  const std::optional<double>& epsilon = options.settings.epsilon;
  const std::optional<double>& delta = options.settings.delta;
  if (epsilon.has_value() != delta.has_value()) {
    return error(ErrorCode::kUsage, "--epsilon and --delta belong together: give both or neither");
  }
  PPDNMF_TRY(audit::PlannedRun run,
             options.consortium.empty() ? planned_by_options(options) : planned_by_file(options));
  if (epsilon) run.budget = privacy::Budget{*epsilon, *delta};
  PPDNMF_TRY(const audit::Judgement judgement, audit::judge(run));
  if (options.output.json) fmt::print("{}", in_flags(audit::judgement_json(run, judgement)));
  if (!options.output.json && !options.output.quiet) fmt::print("{}", in_flags(audit::judgement_text(run, judgement)));
  return {};
}

Status run_audit(const AuditOptions& options) {
  PPDNMF_TRY(const std::vector<audit::Measurement> plan, audit::audit_plan(options.quick, options.attacks));
  PPDNMF_TRY(const run::OutputFolder folder,
             run::OutputFolder::prepare(options.output.out, options.output.force, false));
  const Stopwatch watch;
  host::ThreadPool pool(host::threads_or_all(options.threads));
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
    PPDNMF_TRY(record.rows, audit::measure(plan, options.seed, pool, progress));
  }
  std::vector<audit::FacePicture> faces;
  if (options.attacks.empty()) {
    PPDNMF_TRY(faces, audit::face_pictures(options.seed, options.quick));
  }
  record.seconds = watch.seconds();
  PPDNMF_TRY(const std::vector<std::string> notes, audit::write_audit(options.output.out, record, faces));
  if (options.output.json) fmt::print("{}", audit::audit_json(record));
  if (options.output.quiet || options.output.json) return {};
  fmt::print("{}\n{}\n", audit::table_text(record.rows), audit::verdict(record.rows));
  for (const std::string& note : notes) fmt::print("note: {}\n", note);
  fmt::print("{}, {:.0f} s\n", (options.output.out / "audit.html").string(), record.seconds);
  return {};
}

}  // namespace ppdnmf::app
