#include <ppdnmf/io/csv.h>

#include <string_view>
#include <utility>
#include <vector>

#include <ppdnmf/io/csv_rows.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::io {

Result<Table> parse_csv(ByteSpan bytes, char separator, const ReadLimits& limits) {
  PPDNMF_TRY(std::string_view text, utf8_text(as_text(bytes)));
  // Empty lines at the end. A tab there may be an empty cell, so only line ends go.
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  std::vector<double> values;  // row by row
  CsvRows rows(separator, limits.empty_is_nan, [&](std::span<const double> row) -> Status {
    values.insert(values.end(), row.begin(), row.end());
    if (values.size() <= limits.max_entries) return {};
    return error(ErrorCode::kFile, "it holds more than {} numbers; no more can be read", limits.max_entries);
  });
  if (text.empty()) return error(ErrorCode::kFile, "line 1: is empty where the table should start");
  PPDNMF_TRY_STATUS(rows.take(text));
  if (values.empty()) return error(ErrorCode::kFile, "it holds names but no numbers");
  Table table;
  PPDNMF_TRY(table.values, make_matrix(rows.rows(), rows.columns(), limits));
  using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  table.values = Eigen::Map<const ByRows>(values.data(), table.values.rows(), table.values.cols());
  table.row_names = std::move(rows.row_names());
  table.column_names = std::move(rows.column_names());
  return table;
}

}  // namespace ppdnmf::io
