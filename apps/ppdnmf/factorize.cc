#include <ppdnmf/nmf/factorize.h>

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/ppdnmf/commands.h"
#include <ppdnmf/run/inputs.h>
#include "apps/ppdnmf/outputs.h"
#include "apps/ppdnmf/progress.h"
#include <ppdnmf/data/dense.h>
#include <ppdnmf/host/interrupt.h>
#include <ppdnmf/host/thread_pool.h>
#include "version.h"

namespace ppdnmf::app {
namespace {

struct Options {
  DataOptions data;
  run::FactorOptions factor;
  OutputOptions output;
  std::string solver = "fast";
  std::optional<int> starts;
  std::size_t threads = 0;
  std::vector<std::string> given_for_admm;  // options on the command line that only --solver admm has a use for
};

Status check_count(const char* name, int value) {
  if (value < 1) return error(ErrorCode::kUsage, "{} must be at least 1, not {}", name, value);
  return {};
}

Status check_solver(const Options& options) {
  if (options.solver == "fast" && !options.given_for_admm.empty()) {
    return error(ErrorCode::kUsage, "{} means nothing to --solver fast: leave it out, or take --solver admm",
                 options.given_for_admm.front());
  }
  if (options.solver == "admm" && options.starts)
    return error(ErrorCode::kUsage, "--starts means nothing to --solver admm: leave it out, or take --solver fast");
  if (options.starts.value_or(1) > 1 && options.factor.start == "ones")
    return error(ErrorCode::kUsage, "--starts {} with --start ones would be the same start again and again",
                 *options.starts);
  return {};
}

Result<nmf::FactorizeOptions> make_options(const Options& all) {
  PPDNMF_TRY_STATUS(check_solver(all));
  const run::FactorOptions& given = all.factor;
  nmf::FactorizeOptions options;
  options.solver = all.solver == "admm" ? nmf::Solver::kAdmm : nmf::Solver::kFast;
  options.starts = all.starts.value_or(1);
  options.rank = given.rank;
  options.start = run::parse_start(given.start);
  options.bcd = given.bcd.value_or(options.bcd);
  options.admm_x = given.admm_x.value_or(options.admm_x);
  options.admm_y = given.admm_y.value_or(options.admm_y);
  options.tolerance = given.tolerance;
  PPDNMF_TRY_STATUS(check_count("--starts", options.starts));
  PPDNMF_TRY_STATUS(check_count("--bcd", options.bcd));
  PPDNMF_TRY_STATUS(check_count("--admm-x", options.admm_x));
  PPDNMF_TRY_STATUS(check_count("--admm-y", options.admm_y));
  if (!(options.tolerance >= 0 && options.tolerance < 1)) {
    return error(ErrorCode::kUsage, "--tolerance must be in [0, 1), not {}", options.tolerance);
  }
  PPDNMF_TRY(options.mu, run::parse_automatic("--mu", given.mu));
  PPDNMF_TRY(options.eta, run::parse_automatic("--eta", given.eta));
  return options;
}

report::RunRecord describe(const Options& options, const nmf::FactorizeOptions& f, const Matrix& Z) {
  report::RunRecord record;
  record.command = "factorize";
  record.title = "factorize " + options.data.files.front();
  record.version = kVersion;
  record.seed = options.factor.seed;
  record.parameters = {{"rows", fmt::format("{}", Z.rows())},
                       {"columns", fmt::format("{}", Z.cols())},
                       {"rank", fmt::format("{}", f.rank)},
                       {"start", options.factor.start},
                       {"solver", options.solver},
                       {"starts", fmt::format("{}", f.starts)},
                       {"bcd", fmt::format("{}", f.bcd)},
                       {"tolerance", fmt::format("{}", f.tolerance)}};
  if (f.solver == nmf::Solver::kAdmm) {
    record.parameters.insert(record.parameters.end(), {{"admm_x", fmt::format("{}", f.admm_x)},
                                                       {"admm_y", fmt::format("{}", f.admm_y)},
                                                       {"mu", options.factor.mu},
                                                       {"eta", options.factor.eta}});
  }
  return record;
}

report::HistoryRow history_row(int bcd, double relative_error, double seconds) {
  return {bcd, 0, relative_error, relative_error, 0, seconds, 0};
}

// The run's state behind the errors of the iterations so far.
Checkpoint make_checkpoint(const nmf::Factorization& run, const report::RunRecord& record, double seconds) {
  Checkpoint checkpoint;
  checkpoint.seconds_total = seconds;
  ByteWriter out;
  for (const report::HistoryRow& row : record.history) {
    checkpoint.seconds.push_back(row.seconds);
    out.put(row.relative_error);
  }
  out.put_bytes(run.save());
  checkpoint.state = out.take();
  return checkpoint;
}

Status load_state(const Checkpoint& checkpoint, nmf::Factorization& run, report::RunRecord& record) {
  ByteReader in(checkpoint.state);
  for (const double seconds : checkpoint.seconds) {
    const int bcd = static_cast<int>(record.history.size()) + 1;
    record.history.push_back(history_row(bcd, in.get<double>(), seconds));
  }
  const Bytes state = in.get_bytes();
  PPDNMF_TRY_STATUS(in.status());
  return run.load(state);
}

Status run_factorize(const Options& options) {
  PPDNMF_TRY(const run::Inputs inputs, run::load_inputs(options.data));
  const Matrix& Z = inputs.table.values;
  PPDNMF_TRY(const nmf::FactorizeOptions factorize, make_options(options));
  PPDNMF_TRY(const std::optional<io::ImageShape> image, parse_image(options.data.image, Z.rows()));
  host::ThreadPool pool(threads_or_all(options.threads));
  PPDNMF_TRY(nmf::Factorization run, nmf::Factorization::create(data::view(Z), factorize,
                                                                Seed::from_number(options.factor.seed), pool));
  report::RunRecord record = describe(options, factorize, Z);
  record.notes = inputs.notes;

  PPDNMF_TRY(const OutputFolder folder, OutputFolder::prepare(options.output, options.factor.resume));
  ByteWriter name;
  name.put_string("factorize");
  name.put(options.factor.seed);
  name.put_array(inputs.digest.data(), inputs.digest.size());
  for (const auto& [option, value] : record.parameters) name.put_string(fmt::format("{}={}", option, value));
  const Digest key = sha256(name.take());
  Checkpoint checkpoint;
  if (options.factor.resume) {
    PPDNMF_TRY(checkpoint, read_checkpoint(options.output.out, key));
    PPDNMF_TRY_STATUS(load_state(checkpoint, run, record));
  }

  host::catch_interrupts();
  const Stopwatch watch(checkpoint.seconds_total);
  {
    Progress progress(options.output.quiet, factorize.bcd, false);
    progress.advance(static_cast<std::uint64_t>(run.iterations()), static_cast<std::uint64_t>(factorize.bcd),
                     watch.seconds());
    while (!run.done()) {
      const bool late = options.factor.max_seconds > 0 && watch.seconds() > options.factor.max_seconds;
      if (late && run.iterations() > 0) {
        PPDNMF_TRY_STATUS(run.stop("request"));
        break;
      }
      if (host::interrupted()) {
        PPDNMF_TRY_STATUS(write_checkpoint(options.output.out, key, make_checkpoint(run, record, watch.seconds())));
        return error(ErrorCode::kInterrupted, "interrupted; the same command with --resume goes on from {}",
                     (options.output.out / "checkpoint.bin").string());
      }
      PPDNMF_TRY_STATUS(run.step());
      record.history.push_back(history_row(run.iterations(), run.relative_error(), watch.seconds()));
      progress.advance(static_cast<std::uint64_t>(run.iterations()), static_cast<std::uint64_t>(factorize.bcd),
                       watch.seconds());
      progress.show(record.history.back());
    }
  }
  record.seconds_total = watch.seconds();
  record.seconds_numerics = record.seconds_total;
  record.stopped_because = run.stopped_because();
  record.bcd_iterations = run.iterations();
  record.relative_error = run.relative_error();
  record.nmse = record.relative_error;
  record.disagreement = 0;
  record.worst_agent_error = nmf::best_error(run.X(), *data::view(Z), run.Y(), pool);
  PPDNMF_TRY_STATUS(write_results(options.output, inputs, image, record, run.X(), run.Y(), {}));
  remove_checkpoint(options.output.out);
  print_summary(options.output, record);
  return {};
}

}  // namespace

void add_factorize(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("factorize", "Factorise on one machine: no network, no encryption");
  auto options = std::make_shared<Options>();
  options->factor.tolerance = nmf::FactorizeOptions{}.tolerance;
  add_data_options(*command, options->data, false);
  add_factor_options(*command, options->factor, true);
  add_resume_option(*command, options->factor);
  command->add_option("--solver", options->solver, "fast: coordinate descent; admm: the paper's, centralised")
      ->check(CLI::IsMember({"fast", "admm"}))
      ->capture_default_str();
  command->add_option("--starts", options->starts, "fast: so many short starts (1), of which the best goes on");
  add_threads_option(*command, options->threads);
  add_output_options(*command, options->output);
  command->footer("Example: ppdnmf factorize counts.csv --rank 5 --out out/baseline");
  command->callback([options, command, &outcome] {
    for (const char* name : {"--admm-x", "--admm-y", "--mu", "--eta"}) {
      if (command->count(name) > 0) options->given_for_admm.emplace_back(name);
    }
    outcome = run_factorize(*options);
  });
}

}  // namespace ppdnmf::app
