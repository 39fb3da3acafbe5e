#include <ppdnmf/run/outputs.h>

#include <string>
#include <system_error>
#include <utility>

#include <ppdnmf/report/report.h>
#include <ppdnmf/report/result_files.h>
#include <ppdnmf/run/checkpoint.h>

namespace ppdnmf::run {
namespace {

namespace fs = std::filesystem;

// What an earlier run left and this one may not overwrite must not stay beside its results: agents beyond this run's,
// and tables of names that these data do not have.
void remove_stale_results(const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : {"run.json", "X.csv", "Y.csv", "Y_low.npy", "Y_high.npy", "Y_low.csv", "Y_high.csv"})
    fs::remove(folder / name, ignored);
  for (const auto& entry : fs::directory_iterator(folder / "agents", ignored)) {
    fs::remove(entry.path() / "X.npy", ignored);
    fs::remove(entry.path() / "Y.npy", ignored);
    fs::remove(entry.path() / "V.npy", ignored);
    fs::remove(entry.path(), ignored);  // only if nothing else is in it
  }
}

}  // namespace

Result<OutputFolder> OutputFolder::prepare(const fs::path& folder, bool force, bool resume) {
  OutputFolder out;
  const auto earlier = force || resume ? std::nullopt : report::earlier_result(folder);
  if (earlier == "checkpoint.bin") {
    return error(ErrorCode::kFile,
                 "{}: holds the checkpoint of an interrupted run; add `resume` to continue it, or `force` to start "
                 "from the beginning",
                 folder.string());
  }
  if (earlier) {
    return error(ErrorCode::kFile, "{}: holds earlier results ({}); choose another `out` or add `force`",
                 folder.string(), *earlier);
  }
  if (resume) return out;
  std::error_code problem;
  fs::path path;
  for (const fs::path& part : folder) {
    path /= part;
    if (!fs::exists(path, problem) && fs::create_directory(path, problem)) out.made_.push_back(path);
  }
  if (!fs::is_directory(folder, problem)) {
    return error(ErrorCode::kFile, "{}: the folder cannot be created{}{}", folder.string(), problem ? ": " : "",
                 problem ? problem.message() : "");
  }
  return out;
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  for (; !made_.empty(); made_.pop_back()) fs::remove(made_.back(), ignored);  // only if nothing is in it
}

Status write_results(const fs::path& folder, const io::Table& data, const report::Pictures& pictures,
                     report::RunRecord& record, const NetworkFactors& factors) {
  PPDNMF_TRY_STATUS(data.unchanged());
  const Matrix& X = factors.X;
  remove_stale_results(folder);
  PPDNMF_TRY_STATUS(report::write_factors(folder, X, factors.Y));
  PPDNMF_TRY_STATUS(report::write_intervals(folder, factors.intervals, data.column_names));
  if (record.search) PPDNMF_TRY_STATUS(report::write_candidates(folder, *record.search));
  for (std::size_t i = 0; i < factors.agents.size(); ++i) {
    const AgentFactors& agent = factors.agents[i];
    PPDNMF_TRY_STATUS(
        report::write_factors(folder / "agents" / std::to_string(i), agent.X, agent.Y, io::kModePublic, agent.V));
  }
  PPDNMF_TRY_STATUS(report::write_named_factors(folder, X, factors.Y, data.row_names, data.column_names,
                                                io::kModePublic, record.components));
  report::ReportOptions report;
  report.row_names = data.row_names;
  report::apply_pictures(pictures, X, record, report);
  PPDNMF_TRY(const std::vector<std::string> notes, report::write_report(folder, record, X, report));
  record.notes.insert(record.notes.end(), notes.begin(), notes.end());
  PPDNMF_TRY_STATUS(report::write_history_csv(folder / "history.csv", record));
  PPDNMF_TRY_STATUS(report::write_run_json(folder / "run.json", record));  // last: it says that the rest is there
  remove_checkpoint(folder);
  return {};
}

}  // namespace ppdnmf::run
