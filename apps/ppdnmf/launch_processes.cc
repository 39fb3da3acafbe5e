#include "apps/ppdnmf/launch_processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "apps/ppdnmf/clock.h"
#include "apps/ppdnmf/page_process.h"
#include "apps/ppdnmf/progress.h"
#include <ppdnmf/consortium/consortium.h>
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/host/interrupt.h>
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/identity/files.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/csv.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/mtx.h>
#include <ppdnmf/io/npy.h>
#include <ppdnmf/io/read_matrix.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/launch/ports.h>
#include <ppdnmf/launch/throw_away.h>
#include <ppdnmf/launch/watch.h>
#include <ppdnmf/nmf/measures.h>

namespace ppdnmf::app {
namespace {

namespace fs = std::filesystem;

// A file of persons for one agent's columns: it matters only which of them are the same.
std::string persons_text(const std::vector<std::string>& persons, Index first, Index count) {
  std::map<std::string_view, std::size_t> numbers;
  std::string out;
  for (Index m = first; m < first + count; ++m) {
    const auto [at, added] = numbers.try_emplace(persons[static_cast<std::size_t>(m)], numbers.size());
    out += fmt::format("{}\n", at->second);
  }
  return out;
}

// A table needs names of rows; the consortium of a launch has none to compare them with.
std::vector<std::string> row_numbers(Index rows) {
  std::vector<std::string> names;
  for (Index l = 1; l <= rows; ++l) names.push_back(fmt::format("{}", l));
  return names;
}

// An agent's columns as a file of the kind that they are kept in.
Status write_part(const io::Table& table, const data::Range& range, const fs::path& file) {
  if (table.nonzeros) return io::write_mtx(file, *data::view(*table.nonzeros, range));
  return io::write_npy(file, table.values.middleCols(range.first, range.count));
}

// The keys and the data of all agents.
Result<std::vector<identity::PrivateIdentity>> prepare(const SimulateOptions& options, const run::NetworkPlan& plan,
                                                       const run::Inputs& inputs, const LaunchFolder& folder) {
  PPDNMF_TRY(std::vector<identity::PrivateIdentity> identities,
             launch::throw_away_identities(plan.graph.agents(), options.request.options.seed, now()));
  Index first = 0;
  for (std::size_t i = 0; i < identities.size(); ++i) {
    const std::string& name = identities[i].public_identity().name();
    PPDNMF_TRY_STATUS(
        identity::write_identity(identity::identity_paths(folder.path, name), identities[i], nullptr, false));
    PPDNMF_TRY_STATUS(write_part(inputs.table, {first, plan.columns[i]}, folder.data(i)));
    if (!inputs.persons.empty()) {
      const std::string text = persons_text(inputs.persons, first, plan.columns[i]);
      PPDNMF_TRY_STATUS(io::write_file(folder.persons(i), text, io::kModeSecret));
    }
    first += plan.columns[i];
  }
  if (inputs.known) {
    const std::vector<std::string> rows =
        inputs.table.row_names.empty() ? row_numbers(inputs.table.rows()) : inputs.table.row_names;
    PPDNMF_TRY_STATUS(io::write_csv(folder.known(), {inputs.known->values, rows, inputs.known->names, {}}));
  }
  return identities;
}

std::vector<launch::ChildCommand> commands(const SimulateOptions& options, const std::string& program,
                                           std::size_t agents, const LaunchFolder& folder) {
  const bool persons = !options.data.persons.empty();
  const std::size_t threads = std::max<std::size_t>(1, host::threads_or_all(options.request.options.threads) / agents);
  std::vector<launch::ChildCommand> out;
  for (std::size_t i = 0; i < agents; ++i) {
    out.push_back(
        {launch::throw_away_name(i),
         {program, "agent", "--consortium", folder.consortium().string(), "--identity", folder.key(i).string(),
          "--data", folder.data(i).string(), "--out", folder.out(i).string(), "--threads", fmt::format("{}", threads),
          "--quiet", "--progress-fd", fmt::format("{}", launch::kProgressDescriptor), "--die-with-parent"}});
    if (!options.data.known.empty())
      out.back().arguments.insert(out.back().arguments.end(), {"--known", folder.known().string()});
    if (persons) out.back().arguments.insert(out.back().arguments.end(), {"--persons", folder.persons(i).string()});
  }
  return out;
}

// One attempt with fresh ports. False: one of them was taken.
Result<bool> attempt(const SimulateOptions& options, const run::NetworkPlan& plan,
                     std::span<const identity::PrivateIdentity> identities, const LaunchFolder& folder,
                     const launch::Watcher& watcher) {
  PPDNMF_TRY(const std::vector<std::uint16_t> ports, launch::free_ports(identities.size()));
  PPDNMF_TRY(const consortium::CheckedConsortium consortium,
             launch::throw_away_consortium(identities, ports, plan.graph, plan.settings.rows, plan.settings.said,
                                           options.request.options.seed, now(), plan.settings.known.get()));
  PPDNMF_TRY_STATUS(
      io::write_file(folder.consortium(), consortium::write_consortium(consortium.content()), io::kModeSecret));
  std::error_code problem;
  for (std::size_t i = 0; i < identities.size(); ++i) fs::remove_all(folder.out(i), problem);
  const fs::path program = fs::read_symlink("/proc/self/exe", problem);
  if (problem) return error(ErrorCode::kFile, "/proc/self/exe: cannot be read: {}", problem.message());
  PPDNMF_TRY(launch::Crew crew, launch::Crew::start(commands(options, program.string(), identities.size(), folder)));
  return launch::watch(crew, watcher);
}

// What the page shows of all agents together: each is a peer.
class LaunchPage {
 public:
  static Result<LaunchPage> open(const SimulateOptions& options, const run::NetworkPlan& plan) {
    LaunchPage out;
    out.now_.title = fmt::format("{} agents on this machine", plan.graph.agents());
    out.now_.planned = plan.iterations();
    for (std::size_t i = 0; i < plan.graph.agents(); ++i)
      out.now_.peers.push_back({launch::throw_away_name(i), "starting", true, false});
    if (options.page.wanted) {
      PPDNMF_TRY(out.process_, PageProcess::start(static_cast<std::uint16_t>(options.page.port)));
    }
    return out;
  }

  void show(std::size_t agent, const site::ProgressLine& line, const launch::RunView& view, double seconds) {
    if (!process_) return;
    page::Snapshot::Peer& peer = now_.peers[agent];
    peer.state = fmt::format("{}, iteration {}", site::word_of(line.phase), line.iterations);
    peer.well = line.phase < site::AgentPhase::kGaveUp;
    now_.ended = line.phase >= site::AgentPhase::kEnding;
    now_.phase = site::word_of(line.phase);
    now_.rounds = static_cast<std::int64_t>(view.rounds());
    now_.bytes = view.bytes();
    now_.seconds = seconds;
    if (!view.history().empty()) {
      now_.iterations = view.history().back().iteration;
      now_.common = view.history().back().relative_error;
    }
    process_->show(now_);
  }

 private:
  LaunchPage() = default;
  std::unique_ptr<PageProcess> process_;
  page::Snapshot now_;
};

std::vector<nmf::LocalFit> fits_of(const run::NetworkFactors& factors, const io::Table& data, nmf::LossKind loss) {
  std::vector<nmf::LocalFit> fits;
  Index first = 0;
  for (const run::AgentFactors& agent : factors.agents) {
    const data::SharedColumns own = data.view({first, agent.Y.cols()});
    fits.push_back(nmf::fit_of(agent.X, *own, agent.Y));
    if (loss == nmf::LossKind::kPoisson) fits.back().divergence = nmf::divergence_of(agent.X, *own, agent.Y);
    first += agent.Y.cols();
  }
  return fits;
}

}  // namespace

fs::path LaunchFolder::key(std::size_t agent) const {
  return identity::identity_paths(path, launch::throw_away_name(agent)).key;
}
fs::path LaunchFolder::data(std::size_t agent) const {
  return path / (launch::throw_away_name(agent) + (sparse ? ".mtx" : ".npy"));
}
fs::path LaunchFolder::persons(std::size_t agent) const { return path / (launch::throw_away_name(agent) + ".persons"); }
fs::path LaunchFolder::out(std::size_t agent) const { return path / launch::throw_away_name(agent); }

Status run_processes(const SimulateOptions& options, const run::NetworkPlan& plan, const run::Inputs& inputs,
                     const LaunchFolder& folder, const Stopwatch& watch, launch::RunView& view) {
  PPDNMF_TRY(const std::vector<identity::PrivateIdentity> identities, prepare(options, plan, inputs, folder));
  PPDNMF_TRY(LaunchPage page, LaunchPage::open(options, plan));
  Progress progress(options.output.quiet, plan.iterations(), true);
  launch::Watcher watcher;
  watcher.observer = [&](std::size_t agent, const site::ProgressLine& line) {
    const bool complete = view.take(agent, line, watch.seconds());
    if (view.rounds() > 0) progress.advance(view.rounds(), plan.rounds(), watch.seconds());
    if (complete) progress.show(view.history().back());
    page.show(agent, line, view, watch.seconds());
  };
  watcher.stop_wanted = [] { return host::interrupted(); };
  constexpr int kAttempts = 10;
  for (int n = 0; n < kAttempts; ++n) {
    PPDNMF_TRY(const bool done, attempt(options, plan, identities, folder, watcher));
    if (done) return {};
  }
  return error(ErrorCode::kFile,
               "other programs took the ports in {} attempts: try again when fewer of them are running", kAttempts);
}

Result<std::vector<run::AgentFactors>> read_factors(const LaunchFolder& folder, const run::NetworkPlan& plan) {
  std::vector<run::AgentFactors> out;
  for (std::size_t i = 0; i < plan.columns.size(); ++i) {
    PPDNMF_TRY(io::Table X, io::read_matrix(folder.out(i) / "X.npy"));
    PPDNMF_TRY(io::Table Y, io::read_matrix(folder.out(i) / "Y.npy"));
    const protocol::RunSettings& s = plan.settings;
    const Index rank = s.searches() ? X.values.cols() : s.rank;
    if (X.values.rows() != s.rows || X.values.cols() != rank || Y.values.rows() != rank ||
        Y.values.cols() != plan.columns[i]) {
      return error(ErrorCode::kInternal, "{}: wrote factors of {} by {} and {} by {}", launch::throw_away_name(i),
                   X.values.rows(), X.values.cols(), Y.values.rows(), Y.values.cols());
    }
    Matrix V;
    if (s.site_effects) {
      PPDNMF_TRY(io::Table own, io::read_matrix(folder.out(i) / "V.npy"));
      V = std::move(own.values);
    }
    out.push_back({std::move(X.values), std::move(Y.values), std::move(V)});
  }
  return out;
}

std::string common_scale(const LaunchFolder& folder) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 26U;
  const auto bytes = io::read_file(folder.out(0) / "run.json", kMaxBytes);
  const auto json = bytes ? nlohmann::json::parse(io::as_text(*bytes), nullptr, false) : nlohmann::json();
  const nlohmann::json::json_pointer place("/parameters/data_scale");
  return json.is_object() && json.contains(place) ? json[place].dump() : "auto";
}

void measure_launch(const launch::RunView& view, const run::NetworkFactors& factors, const io::Table& data,
                    const run::NetworkPlan& plan, Executor& executor, report::RunRecord& record) {
  const std::vector<nmf::LocalFit> fits = fits_of(factors, data, plan.settings.loss);
  record.relative_error = nmf::relative_error(fits);
  record.loss =
      nmf::loss_value(plan.settings.loss, fits) + nmf::penalty_of(factors.X, factors.Y, plan.settings.penalties);
  record.nmse = nmf::nmse(fits);
  const protocol::RunSettings& s = plan.settings;
  // Of columns as they enter the run, and with agents' own parts, as in simulate.
  const bool changed =
      s.privacy || s.normalise || s.cap || s.site_effects || s.crowd == protocol::CrowdKind::kBlank || s.drops_rows();
  if (changed && !view.history().empty()) {
    record.relative_error = view.history().back().relative_error;
    record.loss = view.history().back().loss;
    record.nmse = view.history().back().nmse;
  }
  record.common_error = view.common_error();
  std::vector<const Matrix*> X;
  for (const run::AgentFactors& agent : factors.agents) X.push_back(&agent.X);
  const bool same = std::all_of(X.begin(), X.end(), [&](const Matrix* one) { return *one == factors.X; });
  record.disagreement = same ? 0 : nmf::disagreement(X, nmf::mean_factor(X));
  run::measure_agents(factors, *data.view(), executor, record);
  record.history = view.history();
  if (protocol::sums_only(plan.settings.scheme)) {
    for (report::HistoryRow& row : record.history) row.disagreement = 0;
  } else {
    record.notes.emplace_back(
        "Nobody sees all agents' X during a run of real processes: the disagreement is that of the factors they ended "
        "with, and in history.csv it is not measured.");
  }
  if (!record.history.empty()) {
    record.iterations = record.history.back().iteration;
    record.rounds = record.history.back().rounds;
  }
  record.bytes_sent = view.bytes();
  record.stopped_because = view.because();
}

}  // namespace ppdnmf::app
