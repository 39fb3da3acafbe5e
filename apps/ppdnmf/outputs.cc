#include "apps/ppdnmf/outputs.h"

#include <cmath>
#include <system_error>
#include <utility>

#include <ppdnmf/report/report.h>
#include <ppdnmf/report/result_files.h>

namespace ppdnmf::app {
namespace {

namespace fs = std::filesystem;

// What an earlier run left and this one may not overwrite must not stay beside its results: agents beyond this run's,
// and tables of names that these data do not have.
void remove_stale_results(const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : {"run.json", "X.csv", "Y.csv"}) fs::remove(folder / name, ignored);
  for (const auto& entry : fs::directory_iterator(folder / "agents", ignored)) {
    fs::remove(entry.path() / "X.npy", ignored);
    fs::remove(entry.path() / "Y.npy", ignored);
    fs::remove(entry.path(), ignored);  // only if nothing else is in it
  }
}

}  // namespace

Result<OutputFolder> OutputFolder::prepare(const OutputOptions& options, bool resume) {
  OutputFolder folder;
  const auto earlier = options.force || resume ? std::nullopt : report::earlier_result(options.out);
  if (earlier == "checkpoint.bin") {
    return error(ErrorCode::kFile,
                 "{}: holds the checkpoint of an interrupted run; add --resume to go on, or --force to start anew",
                 options.out.string());
  }
  if (earlier) {
    return error(ErrorCode::kFile, "{}: holds earlier results ({}); choose another --out or add --force",
                 options.out.string(), *earlier);
  }
  if (resume) return folder;
  std::error_code problem;
  fs::path path;
  for (const fs::path& part : options.out) {
    path /= part;
    if (!fs::exists(path, problem) && fs::create_directory(path, problem)) folder.made_.push_back(path);
  }
  if (!fs::is_directory(options.out, problem)) {
    return error(ErrorCode::kFile, "{}: the folder cannot be made{}{}", options.out.string(), problem ? ": " : "",
                 problem ? problem.message() : "");
  }
  return folder;
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  for (; !made_.empty(); made_.pop_back()) fs::remove(made_.back(), ignored);  // only if nothing is in it
}

Status write_results(const OutputOptions& options, const run::Inputs& inputs, const std::optional<io::ImageShape>& image,
                     report::RunRecord& record, const Matrix& X, const Matrix& Y, const std::vector<run::AgentFactors>& agents) {
  const fs::path& out = options.out;
  remove_stale_results(out);
  PPDNMF_TRY_STATUS(report::write_factors(out, X, Y));
  for (std::size_t i = 0; i < agents.size(); ++i) {
    PPDNMF_TRY_STATUS(report::write_factors(out / "agents" / std::to_string(i), agents[i].X, agents[i].Y));
  }
  const io::Table& table = inputs.table;
  PPDNMF_TRY_STATUS(report::write_named_factors(out, X, Y, table.row_names, table.column_names));
  report::ReportOptions report;
  report.row_names = table.row_names;
  report.image = image ? image : table.image;
  PPDNMF_TRY(const std::vector<std::string> notes, report::write_report(out, record, X, report));
  record.notes.insert(record.notes.end(), notes.begin(), notes.end());
  PPDNMF_TRY_STATUS(report::write_history_csv(out / "history.csv", record));
  return report::write_run_json(out / "run.json", record);  // last: its presence says that the rest is there
}

void print_summary(const OutputOptions& options, const report::RunRecord& record) {
  if (options.json) {
    fmt::print("{}", report::run_json_text(record));
    return;
  }
  if (options.quiet) return;
  const auto line = [](const char* name, const std::string& value) { fmt::print("  {:<20} {}\n", name, value); };
  fmt::print("{}\n\n", report::verdict(record));
  line("relative error", fmt::format("{:.6f}", record.relative_error));
  if (record.agents > 1) {
    line("worst agent error", fmt::format("{:.6f}", record.worst_agent_error));
    line("disagreement", fmt::format("{:.2e}", record.disagreement));
    line("nmse (the paper's)", fmt::format("{:.6f}", record.nmse));
    line("exchanges", fmt::format("{}", record.exchanges));
    line("sent", fmt::format("{:.1f} MB", static_cast<double>(record.bytes_sent) / 1e6));
  }
  line("BCD iterations", fmt::format("{} (ended by {})", record.bcd_iterations, record.stopped_because));
  line("time", fmt::format("{:.2f} s", record.seconds_total));
  line("report", (options.out / "report.html").string());
}

}  // namespace ppdnmf::app
