#include <ppdnmf/run/factorize_run.h>

#include <fmt/format.h>

#include <utility>

#include <ppdnmf/data/cap.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/data/unit.h>
#include <ppdnmf/data/weights.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/protocol/settings_table.h>
#include <ppdnmf/report/result_files.h>
#include <ppdnmf/run/checkpoint.h>
#include <ppdnmf/run/network_record.h>
#include <ppdnmf/run/stopwatch.h>

namespace ppdnmf::run {
namespace {

std::string text_of_setting(std::string_view name, const protocol::Settings& settings) {
  return protocol::text_of(protocol::find_setting(name)->get(settings));
}

Status check_solver(const protocol::Settings& settings, const SolverOptions& solver) {
  if (solver.solver == "fast" && !solver.given_for_admm.empty()) {
    return error(ErrorCode::kUsage, "`{}` has no meaning for `solver=fast`: leave it out, or choose `solver=admm`",
                 solver.given_for_admm.front());
  }
  if (solver.solver == "admm" && solver.starts)
    return error(ErrorCode::kUsage, "`starts` has no meaning for `solver=admm`: leave it out, or choose `solver=fast`");
  if (solver.solver == "admm" && settings.missing != protocol::MissingKind::kRefuse)
    return error(ErrorCode::kUsage, "`missing=nan` needs `solver=fast`: the paper's ADMM knows complete data only");
  if (settings.site_effects) {
    return error(ErrorCode::kUsage,
                 "`site_effects` needs several agents: on one machine nothing can be told apart from what all columns "
                 "share; leave it out, or use 'ppdnmf simulate'");
  }
  if (solver.solver == "admm" && settings.loss == nmf::LossKind::kPoisson)
    return error(ErrorCode::kUsage, "`loss=poisson` needs `solver=fast`: the paper's ADMM minimises squares only");
  if (settings.curvature && settings.loss != nmf::LossKind::kPoisson)
    return error(ErrorCode::kUsage, "`curvature` is for `loss=poisson`: leave it out, or choose that loss");
  if (settings.cap && settings.normalise) {
    return error(
        ErrorCode::kUsage,
        "`cap` has no meaning beside `normalise`, which makes all columns equally large: leave out one of them");
  }
  if (solver.starts.value_or(1) > 1 && settings.start == nmf::Start::kOnes)
    return error(ErrorCode::kUsage, "`starts={}` with `start=ones` would repeat the same start", *solver.starts);
  return {};
}

report::RunRecord describe(const FactorizeRequest& request, const data::Columns& columns) {
  const nmf::FactorizeOptions& f = request.solver;
  const bool admm = f.solver == nmf::Solver::kAdmm;
  report::RunRecord record;
  record.command = request.caller.command;
  record.title = request.caller.title;
  record.version = request.caller.version;
  record.seed = request.options.seed;
  record.parameters = {{"rows", fmt::format("{}", columns.rows())},
                       {"columns", fmt::format("{}", columns.count())},
                       {"rank", fmt::format("{}", f.rank)},
                       {"loss", text_of_setting("loss", request.options.settings)},
                       {"start", f.X0.size() != 0 ? "custom" : text_of_setting("start", request.options.settings)},
                       {"solver", admm ? "admm" : "fast"},
                       {"starts", fmt::format("{}", f.starts)},
                       {"iterations", fmt::format("{}", f.iterations)},
                       {"tolerance", fmt::format("{}", f.tolerance)}};
  if (admm) {
    record.parameters.insert(record.parameters.end(), {{"admm_x", fmt::format("{}", f.admm_x)},
                                                       {"admm_y", fmt::format("{}", f.admm_y)},
                                                       {"mu", text_of_setting("mu", request.options.settings)},
                                                       {"eta", text_of_setting("eta", request.options.settings)}});
  }
  if (request.options.settings.normalise)
    record.parameters.emplace_back("normalise", text_of_setting("normalise", request.options.settings));
  if (request.options.settings.missing != protocol::MissingKind::kRefuse)
    record.parameters.emplace_back("missing", text_of_setting("missing", request.options.settings));
  if (request.options.settings.cap)
    record.parameters.emplace_back("cap", text_of_setting("cap", request.options.settings));
  for (const char* penalty : {"l1_x", "l1_y", "l2_x", "l2_y"}) {
    if (protocol::is_given(*protocol::find_setting(penalty), request.options.settings))
      record.parameters.emplace_back(penalty, text_of_setting(penalty, request.options.settings));
  }
  if (f.known) {
    record.parameters.emplace_back("known", fmt::format("{}", f.known->values.cols()));
    record.components = report::component_names(f.rank, f.known->names);
  }
  record.notes = request.notes;
  if (const auto note = rank_note(f.rank, columns.rows(), columns.count())) record.notes.push_back(*note);
  return record;
}

// A checkpoint belongs to one set of data and one set of parameters.
Digest run_key(const FactorizeRequest& request, const report::RunRecord& record) {
  ByteWriter out;
  out.put_string("factorize");
  out.put(record.seed);
  out.put_array(request.data.data(), request.data.size());
  for (const auto& [option, value] : record.parameters) out.put_string(fmt::format("{}={}", option, value));
  if (request.solver.known) {
    const Matrix& known = request.solver.known->values;
    out.put_array(known.data(), static_cast<std::size_t>(known.size()));
  }
  return sha256(out.take());
}

// The columns as an agent of a network would have them in such a run.
Result<data::SharedColumns> entering(const FactorizeRequest& request, const data::SharedColumns& given,
                                     Executor& executor) {
  const protocol::Settings& s = request.options.settings;
  data::SharedColumns columns = s.normalise ? data::unit_columns(given, *s.normalise) : given;
  if (s.cap) {
    PPDNMF_TRY_STATUS(data::check_factorizable({&columns, 1}, request.solver.rank, data::Ranks::kAny));
    PPDNMF_TRY(const double cap, data::cap_of({&columns, 1}, *s.cap, executor));
    columns = data::capped_columns(std::move(columns), cap, executor);
  }
  return data::weighed(std::move(columns), s.loss == nmf::LossKind::kPoisson ? 1 : 2);
}

// Of data whose squares add up to `squared_norm`.
double loss_of(const nmf::Factorization& run, nmf::LossKind loss, double squared_norm) {
  const double relative_error = run.relative_error();
  const nmf::LocalFit fit{relative_error * relative_error * squared_norm, squared_norm, run.divergence(),
                          run.penalty()};
  return nmf::loss_value(loss, {&fit, 1});
}

report::HistoryRow history_row(int iteration, double relative_error, double loss, double seconds) {
  return {iteration, 0, relative_error, relative_error, loss, 0, seconds, 0};
}

// The run's state behind the errors of the iterations so far.
Checkpoint make_checkpoint(const nmf::Factorization& run, const report::RunRecord& record, double seconds) {
  Checkpoint checkpoint;
  checkpoint.seconds_total = seconds;
  ByteWriter out;
  for (const report::HistoryRow& row : record.history) {
    checkpoint.seconds.push_back(row.seconds);
    out.put(row.relative_error);
    out.put(row.loss);
  }
  out.put_bytes(run.save());
  checkpoint.state = out.take();
  return checkpoint;
}

Status load_state(const Checkpoint& checkpoint, nmf::Factorization& run, report::RunRecord& record) {
  ByteReader in(checkpoint.state);
  for (const double seconds : checkpoint.seconds) {
    const int iteration = static_cast<int>(record.history.size()) + 1;
    const auto relative_error = in.get<double>();
    record.history.push_back(history_row(iteration, relative_error, in.get<double>(), seconds));
  }
  const Bytes state = in.get_bytes();
  PPDNMF_TRY_STATUS(in.status());
  return run.load(state);
}

Status run_to_the_end(const FactorizeRequest& request, const data::Columns& columns, const Hooks& hooks,
                      const Digest& key, const Stopwatch& watch, double squared_norm, nmf::Factorization& run,
                      report::RunRecord& record) {
  const auto planned = static_cast<std::uint64_t>(request.solver.iterations);
  const auto advance = [&] {
    if (hooks.advance) hooks.advance(static_cast<std::uint64_t>(run.iterations()), planned, watch.seconds());
  };
  const double max_seconds = request.options.settings.max_seconds;
  advance();
  double saved_at = watch.seconds();
  while (!run.done()) {
    const Wish wish = hooks.wish ? hooks.wish() : Wish::kGoOn;
    const bool late = max_seconds > 0 && watch.seconds() > max_seconds;
    if (run.iterations() > 0 && (late || wish == Wish::kEnd)) {
      PPDNMF_TRY_STATUS(run.stop("request"));
      return columns.unchanged();
    }
    if (wish == Wish::kPause) {
      const std::filesystem::path& folder = hooks.checkpoint.folder;
      if (!folder.empty())
        PPDNMF_TRY_STATUS(write_checkpoint(folder, key, make_checkpoint(run, record, watch.seconds())));
      return tl::unexpected(interrupted_error(folder));
    }
    const std::optional<double>& every = hooks.checkpoint.every_seconds;
    if (every && run.iterations() > 0 && watch.seconds() - saved_at >= *every) {
      PPDNMF_TRY_STATUS(write_checkpoint(hooks.checkpoint.folder, key, make_checkpoint(run, record, watch.seconds())));
      saved_at = watch.seconds();
    }
    PPDNMF_TRY_STATUS(run.step());
    PPDNMF_TRY_STATUS(columns.unchanged());
    const double loss = loss_of(run, request.solver.loss, squared_norm);
    record.history.push_back(history_row(run.iterations(), run.relative_error(), loss, watch.seconds()));
    advance();
    if (hooks.iteration) hooks.iteration(record.history.back());
  }
  return {};
}

}  // namespace

Result<nmf::FactorizeOptions> make_factorize_options(const protocol::Settings& given, const SolverOptions& solver) {
  PPDNMF_TRY_STATUS(check_solver(given, solver));
  if (given.least_rank > 0) {
    return error(ErrorCode::kUsage,
                 "`rank={}-{}` is a range, and this factorises with one rank: 'ppdnmf rank' looks for the number of "
                 "components, with one agent on one machine",
                 given.least_rank, given.rank);
  }
  for (const protocol::Setting& setting : protocol::settings_table()) {
    if (protocol::is_given(setting, given)) PPDNMF_TRY_STATUS(protocol::check_value(setting, setting.get(given)));
  }
  nmf::FactorizeOptions options;
  options.solver = solver.solver == "admm" ? nmf::Solver::kAdmm : nmf::Solver::kFast;
  options.starts = solver.starts.value_or(1);
  options.rank = given.rank;
  options.start = given.start;
  options.iterations = given.iterations.value_or(options.iterations);
  options.admm_x = given.admm_x.value_or(options.admm_x);
  options.admm_y = given.admm_y.value_or(options.admm_y);
  options.tolerance = given.tolerance;
  options.loss = given.loss;
  options.curvature = given.curvature;
  options.penalties = protocol::penalties_of(given);
  options.mu = given.mu;
  options.eta = given.eta;
  return options;
}

Result<FactorizeOutcome> run_factorization(const FactorizeRequest& request, const data::SharedColumns& given,
                                           Executor& executor, const Hooks& hooks) {
  PPDNMF_TRY(const data::SharedColumns columns, entering(request, given, executor));
  FactorizeOutcome outcome;
  report::RunRecord& record = outcome.record;
  record = describe(request, *columns);
  PPDNMF_TRY(nmf::Factorization run,
             nmf::Factorization::create(columns, request.solver, Seed::from_number(request.options.seed), executor));
  if (hooks.ready) PPDNMF_TRY_STATUS(hooks.ready(record));
  const Digest key = run_key(request, record);
  const double squared_norm = data::squared_norm(*columns, executor);
  PPDNMF_TRY_STATUS(columns->unchanged());
  Checkpoint checkpoint;
  if (hooks.checkpoint.resume) {
    PPDNMF_TRY(checkpoint, read_checkpoint(hooks.checkpoint.folder, key));
    PPDNMF_TRY_STATUS(load_state(checkpoint, run, record));
  }
  const Stopwatch watch(checkpoint.seconds_total);
  PPDNMF_TRY_STATUS(run_to_the_end(request, *columns, hooks, key, watch, squared_norm, run, record));
  record.seconds_total = watch.seconds();
  record.seconds_numerics = record.seconds_total;
  record.stopped_because = run.stopped_because();
  record.iterations = run.iterations();
  record.relative_error = run.relative_error();
  record.loss = loss_of(run, request.solver.loss, squared_norm);
  record.nmse = record.relative_error;
  record.disagreement = 0;
  outcome.X = run.X();
  outcome.Y = run.Y();
  outcome.shrink = run.shrink();
  return outcome;
}

}  // namespace ppdnmf::run
