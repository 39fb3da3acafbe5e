// The files with factors that every kind of run leaves in its folder.
#ifndef PPDNMF_REPORT_RESULT_FILES_H_
#define PPDNMF_REPORT_RESULT_FILES_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/nmf/exposures.h>

namespace ppdnmf::report {

// The name of the first file or folder in `folder` that a run of any kind would leave there; nothing: there is none.
[[nodiscard]] std::optional<std::string> earlier_result(const std::filesystem::path& folder);

// X.npy and Y.npy, which says of the data what X leaves open and may be for its owner alone; V.npy with the same mode,
// if V is not empty. The folder is made if it is missing. Fails with kFile.
[[nodiscard]] Status write_factors(const std::filesystem::path& folder, const Matrix& X, const Matrix& Y,
                                   unsigned mode_of_Y = io::kModePublic, const Matrix& V = {});

// The names of all components: those that are known, then "component 3", ... by their numbers.
[[nodiscard]] std::vector<std::string> component_names(Index rank, const std::vector<std::string>& known = {});

// X.csv if the rows have names, Y.csv if the columns have; `components`: their names, or empty for numbers. Fails with
// kFile.
[[nodiscard]] Status write_named_factors(const std::filesystem::path& folder, const Matrix& X, const Matrix& Y,
                                         const std::vector<std::string>& row_names,
                                         const std::vector<std::string>& column_names,
                                         unsigned mode_of_Y = io::kModePublic,
                                         const std::vector<std::string>& components = {});

// Y_low and Y_high, as .npy, and as .csv if the columns have names; nothing without intervals. Fails with kFile.
[[nodiscard]] Status write_intervals(const std::filesystem::path& folder, const nmf::Intervals& intervals,
                                     const std::vector<std::string>& column_names, unsigned mode = io::kModePublic);

}  // namespace ppdnmf::report

#endif  // PPDNMF_REPORT_RESULT_FILES_H_
