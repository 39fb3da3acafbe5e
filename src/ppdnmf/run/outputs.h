// What a run leaves in its folder.
#ifndef PPDNMF_RUN_OUTPUTS_H_
#define PPDNMF_RUN_OUTPUTS_H_

#include <filesystem>
#include <utility>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/report/reference.h>
#include <ppdnmf/report/run_record.h>
#include <ppdnmf/run/network_record.h>

namespace ppdnmf::run {

// The folder for the results. What it had to make and nobody filled is gone again when it goes: a run that fails leaves
// nothing behind.
class OutputFolder {
 public:
  // Before anything is computed: fails with kFile if the folder holds earlier results and neither `force` nor `resume`
  // is set, or if it cannot be made. With `resume` no folder is made.
  [[nodiscard]] static Result<OutputFolder> prepare(const std::filesystem::path& folder, bool force, bool resume);

  OutputFolder(OutputFolder&& other) noexcept : made_(std::exchange(other.made_, {})) {}
  OutputFolder& operator=(OutputFolder&&) = delete;
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

 private:
  OutputFolder() = default;
  std::vector<std::filesystem::path> made_;  // parents first
};

// X.npy, Y.npy, agents/<id>/{X,Y}.npy (and V.npy in runs with `site_effects`), X.csv and Y.csv when the data have
// names, Y_low and Y_high where there are intervals, history.csv, run.json, report.html; the run's checkpoint goes.
// Each file appears whole or not at all. A factorisation by one machine has no agents. `data`: whose columns were
// factorised; fails as their unchanged(). Matches with a reference, and what the report could not do, are added to the
// record.
[[nodiscard]] Status write_results(const std::filesystem::path& folder, const io::Table& data,
                                   const report::Pictures& pictures, report::RunRecord& record,
                                   const NetworkFactors& factors);

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_OUTPUTS_H_
