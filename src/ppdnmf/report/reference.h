// A catalogue of components that others know, and what was found beside it.
#ifndef PPDNMF_REPORT_REFERENCE_H_
#define PPDNMF_REPORT_REFERENCE_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/report/report.h>
#include <ppdnmf/report/run_record.h>

namespace ppdnmf::report {

struct Reference {
  std::vector<std::string> names;  // of its columns; by number if the file has none
  Matrix columns;                  // rows in the order of X
};

// The table with its rows in the order of row_names (empty: X's rows have no names, and are `rows`). Where both sides
// have names, rows are found by them, in whatever order; channels of signatures (report/channels.h) also in another
// spelling. Else they are taken as they stand. `file` is for sentences. Fails with kInvalidData: other rows, no column,
// a negative entry or one that is not finite.
[[nodiscard]] Result<Reference> arrange_reference(io::Table table, std::string_view file,
                                                  const std::vector<std::string>& row_names, Index rows);

// One-to-one, so that the cosines add up to the largest sum that is possible: the same X and reference give the same
// matches. Where there are more components than columns of the reference, some are matched with none, and the other way
// round some of the reference are left out.
[[nodiscard]] std::vector<ComponentMatch> match_components(const Matrix& X, const Reference& reference);

// What somebody wants to see of X, in words.
struct PictureRequest {
  Show show = Show::kAuto;
  std::filesystem::path reference;  // empty: none
};
// The same, read and held against the rows before a run.
struct Pictures {
  Show show = Show::kAuto;
  std::optional<io::ImageShape> image;
  std::optional<Reference> reference;
};
// Fails as check_show, read_matrix and arrange_reference do. `rows`: of X.
[[nodiscard]] Result<Pictures> prepare_pictures(const PictureRequest& request, const RowsOfX& rows);

// Matches X, for the record and for the report's pictures.
void apply_pictures(const Pictures& pictures, const Matrix& X, RunRecord& record, ReportOptions& options);

}  // namespace ppdnmf::report

#endif  // PPDNMF_REPORT_REFERENCE_H_
