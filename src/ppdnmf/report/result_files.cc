#include <ppdnmf/report/result_files.h>

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include <ppdnmf/io/csv.h>
#include <ppdnmf/io/npy.h>

namespace ppdnmf::report {
namespace {

namespace fs = std::filesystem;

constexpr const char* kResultNames[] = {
    "X.npy",           "Y.npy",          "V.npy",       "X.csv",      "Y.csv",       "Y_low.npy",
    "Y_high.npy",      "agents",         "history.csv", "run.json",   "report.html", "experiment.html",
    "experiment.json", "checkpoint.bin", "audit.json",  "audit.html", "candidates",  "demo.json"};

}  // namespace

std::vector<std::string> component_names(Index rank, const std::vector<std::string>& known) {
  std::vector<std::string> names = known;
  for (Index k = static_cast<Index>(known.size()) + 1; k <= rank; ++k) names.push_back(fmt::format("component {}", k));
  return names;
}

std::optional<std::string> earlier_result(const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : kResultNames) {
    if (fs::exists(folder / name, ignored)) return name;
  }
  return std::nullopt;
}

Status write_factors(const fs::path& folder, const Matrix& X, const Matrix& Y, unsigned mode_of_Y, const Matrix& V) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem)
    return error(ErrorCode::kFile, "{}: the folder cannot be created: {}", folder.string(), problem.message());
  PPDNMF_TRY_STATUS(io::write_npy(folder / "X.npy", X));
  PPDNMF_TRY_STATUS(io::write_npy(folder / "Y.npy", Y, mode_of_Y));
  return V.size() > 0 ? io::write_npy(folder / "V.npy", V, mode_of_Y) : Status();
}

Status write_named_factors(const fs::path& folder, const Matrix& X, const Matrix& Y,
                           const std::vector<std::string>& row_names, const std::vector<std::string>& column_names,
                           unsigned mode_of_Y, const std::vector<std::string>& components) {
  const std::vector<std::string> names = components.empty() ? component_names(X.cols()) : components;
  if (!row_names.empty()) PPDNMF_TRY_STATUS(io::write_csv(folder / "X.csv", {X, row_names, names, {}}));
  if (!column_names.empty())
    PPDNMF_TRY_STATUS(io::write_csv(folder / "Y.csv", {Y, names, column_names, {}}, mode_of_Y));
  return {};
}

Status write_intervals(const fs::path& folder, const nmf::Intervals& intervals,
                       const std::vector<std::string>& column_names, unsigned mode) {
  const std::pair<const char*, const Matrix*> ends[] = {{"Y_low", &intervals.low}, {"Y_high", &intervals.high}};
  for (const auto& [name, values] : ends) {
    if (values->size() == 0) continue;
    PPDNMF_TRY_STATUS(io::write_npy(folder / fmt::format("{}.npy", name), *values, mode));
    if (column_names.empty()) continue;
    PPDNMF_TRY_STATUS(io::write_csv(folder / fmt::format("{}.csv", name),
                                    {*values, component_names(values->rows()), column_names, {}}, mode));
  }
  return {};
}

}  // namespace ppdnmf::report
