#include <ppdnmf/io/csv.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/csv_records.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::io {
namespace {

bool is_number(const CsvCell& cell) { return parse_number(cell.text).has_value(); }

bool has_unquoted(const CsvRecord& record) {
  return std::any_of(record.cells.begin(), record.cells.end(), [](const CsvCell& cell) { return !cell.quoted; });
}

struct Layout {
  bool column_names = false;
  bool row_names = false;
  bool declared = false;  // that there are row names is said by line 1, not concluded from the first line of data
};

bool is_row_name(const CsvRecord& record) {
  const CsvCell& cell = record.cells[0];
  return !is_number(cell) || (cell.quoted && has_unquoted(record));
}

Result<Layout> find_layout(const CsvRecord& first, const CsvRecord* second) {
  const bool quotes_name = second != nullptr && has_unquoted(*second);
  const auto is_name = [&](const CsvCell& cell) { return !is_number(cell) || (quotes_name && cell.quoted); };
  const auto rest = first.cells.begin() + 1;
  const auto names = std::count_if(rest, first.cells.end(), is_name);
  const bool first_is_name = is_name(first.cells[0]);
  if (second != nullptr && second->cells.size() == first.cells.size() + 1 && (names > 0 || first_is_name)) {
    return Layout{true, true, true};
  }
  if (first.cells.size() == 1) return Layout{first_is_name, false, false};
  if (first.cells[0].text.empty()) return Layout{true, true, true};
  if (names == 0) return Layout{false, is_row_name(first), false};
  const bool row_names = second != nullptr && is_row_name(*second);
  if (names == first.cells.end() - rest && (row_names || first_is_name)) return Layout{true, row_names, false};
  const auto culprit = std::find_if(rest, first.cells.end(), is_name);
  return error(ErrorCode::kFile,
               "line {}, column {}: {} stands between numbers; if the line holds names, put all in quotes", first.line,
               culprit - first.cells.begin() + 1, in_quotes(culprit->text));
}

// Collects the rows; each is held against the first one's width.
class TableBuilder {
 public:
  TableBuilder(Layout layout, const ReadLimits& limits) : layout_(layout), limits_(limits) {}

  void set_column_names(const CsvRecord& record, bool corner) {
    for (std::size_t i = corner ? 1 : 0; i < record.cells.size(); ++i) names_.push_back(record.cells[i].name());
    width_ = names_.size() + (layout_.row_names ? 1 : 0);
  }

  Status add(const CsvRecord& record) {
    if (width_ == 0) width_ = record.cells.size();
    if (record.blank() && width_ > 1) return error(ErrorCode::kFile, "line {}: is empty", record.line);
    if (record.cells.size() != width_) {
      return error(ErrorCode::kFile, "line {}: has {} cells where {} are expected", record.line, record.cells.size(),
                   width_);
    }
    if (layout_.row_names) {
      if (!layout_.declared && !is_row_name(record)) {
        return error(ErrorCode::kFile,
                     "line {}, column 1: {} is a number where other lines have a name; put names in quotes",
                     record.line, in_quotes(record.cells[0].text));
      }
      row_names_.push_back(record.cells[0].name());
    }
    for (std::size_t i = layout_.row_names ? 1 : 0; i < width_; ++i) {
      const CsvCell& cell = record.cells[i];
      auto value = parse_number(cell.text);
      if (!value && cell.text.empty() && limits_.empty_is_nan) value = std::numeric_limits<double>::quiet_NaN();
      if (!value && cell.text.empty()) {
        return error(ErrorCode::kFile, "line {}, column {}: the cell is empty", record.line, i + 1);
      }
      if (!value) {
        return error(ErrorCode::kFile, "line {}, column {}: {} is not a number", record.line, i + 1,
                     in_quotes(cell.text));
      }
      values_.push_back(*value);
    }
    if (values_.size() > limits_.max_entries) {
      return error(ErrorCode::kFile, "it holds more than {} numbers; no more can be read", limits_.max_entries);
    }
    return {};
  }

  Result<Table> finish() {
    const std::size_t columns = width_ - (layout_.row_names ? 1 : 0);
    if (values_.empty()) return error(ErrorCode::kFile, "it holds names but no numbers");
    Table table;
    PPDNMF_TRY(table.values, make_matrix(values_.size() / columns, columns, limits_));
    const auto rows = table.values.rows();
    table.values = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
        values_.data(), rows, static_cast<Index>(columns));
    table.row_names = std::move(row_names_);
    table.column_names = std::move(names_);
    return table;
  }

 private:
  Layout layout_;
  ReadLimits limits_;
  std::size_t width_ = 0;
  std::vector<double> values_;  // row by row
  std::vector<std::string> names_, row_names_;
};

Result<std::string_view> utf8_text(ByteSpan bytes) {
  std::string_view text = as_text(bytes);
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return error(ErrorCode::kFile, "it is UTF-16 text; save it as UTF-8");
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  // Empty lines at the end. A tab there may be an empty cell, so only line ends go.
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

}  // namespace

Result<Table> parse_csv(ByteSpan bytes, char separator, const ReadLimits& limits) {
  PPDNMF_TRY(const std::string_view text, utf8_text(bytes));
  CsvRecordReader reader(text, separator);
  reader.skip_comments();
  CsvRecord first;
  CsvRecord second;
  PPDNMF_TRY(const bool any, reader.next(first));
  if (!any || first.blank())
    return error(ErrorCode::kFile, "line {}: is empty where the table should start", first.line);
  if (separator == ',' && first.cells.size() == 1 && !first.cells[0].quoted &&
      first.cells[0].text.find(';') != std::string_view::npos) {
    return parse_csv(bytes, ';', limits);
  }
  PPDNMF_TRY(bool more, reader.next(second));
  PPDNMF_TRY(const Layout layout, find_layout(first, more ? &second : nullptr));
  TableBuilder builder(layout, limits);
  if (layout.column_names) {
    builder.set_column_names(first, layout.row_names && !(more && second.cells.size() == first.cells.size() + 1));
  } else {
    PPDNMF_TRY_STATUS(builder.add(first));
  }
  for (; more;) {
    PPDNMF_TRY_STATUS(builder.add(second));
    PPDNMF_TRY(more, reader.next(second));
  }
  return builder.finish();
}

}  // namespace ppdnmf::io
