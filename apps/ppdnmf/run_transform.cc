#include "apps/ppdnmf/run_transform.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "version.h"
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/io/csv.h>
#include <ppdnmf/io/npy.h>
#include <ppdnmf/io/read_matrix.h>
#include <ppdnmf/io/validate.h>
#include <ppdnmf/nmf/gappy_fit.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/nmf/nnls.h>
#include <ppdnmf/report/result_files.h>
#include <ppdnmf/run/exposures.h>
#include <ppdnmf/run/inputs.h>
#include <ppdnmf/run/outputs.h>
#include <ppdnmf/run/stopwatch.h>

namespace ppdnmf::app {
namespace {

Status write_coordinates(const std::filesystem::path& folder, std::vector<std::string> components,
                         const std::vector<std::string>& columns, const run::NetworkFactors& factors) {
  const Matrix& Y = factors.Y;
  PPDNMF_TRY_STATUS(io::write_npy(folder / "Y.npy", Y));
  if (!columns.empty()) {
    for (Index k = 1; components.size() < static_cast<std::size_t>(Y.rows()); ++k)
      components.push_back(fmt::format("component {}", k));
    PPDNMF_TRY_STATUS(io::write_csv(folder / "Y.csv", {Y, components, columns, {}}));
  }
  return report::write_intervals(folder, factors.intervals, columns);
}

bool is_exact(const TransformOptions& options) { return options.loss != "poisson" && !options.penalties.any(); }

// All but times, and notes on the input.
report::RunRecord record_of(const TransformOptions& options, nmf::LossKind loss, const Matrix& X,
                            const data::Columns& columns, const Matrix& Y) {
  report::RunRecord record;
  record.command = "transform";
  record.title = fmt::format("transform {} {}", options.factor, options.data.files.front());
  record.version = kVersion;
  record.parameters = {
      {"rank", fmt::format("{}", Y.rows())}, {"columns", fmt::format("{}", Y.cols())}, {"loss", options.loss}};
  record.seed = options.seed;
  if (data::has_gaps(columns)) record.parameters.emplace_back("missing", "nan");
  if (options.penalties.any()) {
    record.parameters.emplace_back("l1_y", fmt::format("{}", options.penalties.l1_y));
    record.parameters.emplace_back("l2_y", fmt::format("{}", options.penalties.l2_y));
  }
  nmf::LocalFit fit = nmf::fit_of(X, columns, Y);
  if (loss == nmf::LossKind::kPoisson) fit.divergence = nmf::divergence_of(X, columns, Y);
  fit.penalty = nmf::penalty_of(X, Y, options.penalties);
  record.relative_error = nmf::relative_error({&fit, 1});
  record.loss = nmf::loss_value(loss, {&fit, 1});
  record.stopped_because = is_exact(options) ? "exact solution" : "converged";
  if (!std::isfinite(record.loss)) {
    record.notes.emplace_back(
        "The divergence is infinite: X has a row of zeros where the data have an entry that is not zero.");
  }
  return record;
}

}  // namespace

Status run_transform(const TransformOptions& options) {
  PPDNMF_TRY(io::Table factor, io::read_matrix(options.factor));
  PPDNMF_TRY(const io::CheckedTable X, io::check_nonnegative(std::move(factor), options.factor, false));
  PPDNMF_TRY(const run::Inputs inputs, run::load_inputs(options.data, options.missing));
  const data::SharedColumns columns = inputs.table.view();
  if (X.table.values.rows() != columns->rows()) {
    return error(ErrorCode::kInvalidData, "{} has {} rows, but {} has {}: both need the same number", options.factor,
                 X.table.values.rows(), options.data.files.front(), columns->rows());
  }
  PPDNMF_TRY_STATUS(data::check_no_empty_column(*columns));
  PPDNMF_TRY(const run::OutputFolder folder,
             run::OutputFolder::prepare(options.output.out, options.output.force, false));
  const run::Stopwatch watch;
  host::ThreadPool pool(host::threads_or_all(options.threads));
  const nmf::LossKind loss = options.loss == "poisson" ? nmf::LossKind::kPoisson : nmf::LossKind::kSquares;
  const bool gaps = data::has_gaps(*columns);
  run::NetworkFactors factors;
  factors.X = X.table.values;
  factors.Y = !is_exact(options)
                  ? nmf::best_coordinates(X.table.values, columns,
                                          {.kind = loss, .penalties = options.penalties, .missing = gaps})
              : gaps ? nmf::gappy_coordinates(X.table.values, *columns)
                     : nmf::nonnegative_least_squares(X.table.values, *columns, {}, pool);

  report::RunRecord record = record_of(options, loss, X.table.values, *columns, factors.Y);
  record.seconds_total = watch.seconds();
  record.seconds_numerics = record.seconds_total;
  record.notes.insert(record.notes.begin(), inputs.notes.begin(), inputs.notes.end());

  run::work_out_exposures(options.view.exposures, loss, options.seed, inputs.table, pool, factors, record);
  PPDNMF_TRY_STATUS(inputs.table.unchanged());
  PPDNMF_TRY_STATUS(write_coordinates(options.output.out, X.table.column_names, inputs.table.column_names, factors));
  PPDNMF_TRY_STATUS(report::write_run_json(options.output.out / "run.json", record));
  if (options.output.json) fmt::print("{}", report::run_json_text(record));
  if (!options.output.json && !options.output.quiet) {
    fmt::print("{} columns in {} coordinates, relative error {:.6f}: {}\n", columns->count(), factors.Y.rows(),
               record.relative_error, (options.output.out / "Y.npy").string());
  }
  return {};
}

}  // namespace ppdnmf::app
