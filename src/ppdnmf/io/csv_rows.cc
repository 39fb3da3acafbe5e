#include <ppdnmf/io/csv_rows.h>

#include <algorithm>
#include <limits>
#include <utility>

#include <ppdnmf/io/text.h>

namespace ppdnmf::io {
namespace {

bool is_number(const CsvCell& cell) { return parse_number(cell.text).has_value(); }

bool has_unquoted(const CsvRecord& record) {
  return std::any_of(record.cells.begin(), record.cells.end(), [](const CsvCell& cell) { return !cell.quoted; });
}

}  // namespace

bool CsvRows::is_row_name(const CsvRecord& record) {
  const CsvCell& cell = record.cells[0];
  return !is_number(cell) || (cell.quoted && has_unquoted(record));
}

Result<CsvRows::Layout> CsvRows::find_layout(const CsvRecord& first, const CsvRecord* second) {
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

Status CsvRows::take(std::string_view text) {
  if (text.empty()) return {};
  if (!begun_) return begin(text);
  CsvRecordReader reader(text, separator_, line_);
  CsvRecord record;
  PPDNMF_TRY(const bool more, reader.next(record));
  return go_on(reader, record, more);
}

Status CsvRows::begin(std::string_view text) {
  CsvRecordReader reader(text, separator_);
  reader.skip_comments();
  CsvRecord first;
  CsvRecord second;
  PPDNMF_TRY(const bool any, reader.next(first));
  if (!any || first.blank())
    return error(ErrorCode::kFile, "line {}: is empty where the table should start", first.line);
  if (separator_ == ',' && first.cells.size() == 1 && !first.cells[0].quoted &&
      first.cells[0].text.find(';') != std::string_view::npos) {
    separator_ = ';';
    return begin(text);
  }
  PPDNMF_TRY(const bool more, reader.next(second));
  PPDNMF_TRY(layout_, find_layout(first, more ? &second : nullptr));
  begun_ = true;
  if (layout_.column_names) {
    const bool corner = layout_.row_names && !(more && second.cells.size() == first.cells.size() + 1);
    for (std::size_t i = corner ? 1 : 0; i < first.cells.size(); ++i) names_.push_back(first.cells[i].name());
    width_ = names_.size() + (layout_.row_names ? 1 : 0);
  } else {
    PPDNMF_TRY_STATUS(add(first));
  }
  return go_on(reader, second, more);
}

Status CsvRows::go_on(CsvRecordReader& reader, CsvRecord& record, bool more) {
  for (; more;) {
    PPDNMF_TRY_STATUS(add(record));
    PPDNMF_TRY(more, reader.next(record));
  }
  line_ = record.line;
  return {};
}

Status CsvRows::add(const CsvRecord& record) {
  if (width_ == 0) width_ = record.cells.size();
  if (record.blank() && width_ > 1) return error(ErrorCode::kFile, "line {}: is empty", record.line);
  if (record.cells.size() != width_) {
    return error(ErrorCode::kFile, "line {}: has {} cells where {} are expected", record.line, record.cells.size(),
                 width_);
  }
  if (layout_.row_names) {
    if (!layout_.declared && !is_row_name(record)) {
      return error(ErrorCode::kFile,
                   "line {}, column 1: {} is a number where other lines have a name; put names in quotes", record.line,
                   in_quotes(record.cells[0].text));
    }
    row_names_.push_back(record.cells[0].name());
  }
  values_.clear();
  for (std::size_t i = layout_.row_names ? 1 : 0; i < width_; ++i) {
    const CsvCell& cell = record.cells[i];
    auto value = parse_number(cell.text);
    if (!value && cell.text.empty() && empty_is_nan_) value = std::numeric_limits<double>::quiet_NaN();
    if (!value && cell.text.empty()) {
      return error(ErrorCode::kFile, "line {}, column {}: the cell is empty", record.line, i + 1);
    }
    if (!value) {
      return error(ErrorCode::kFile, "line {}, column {}: {} is not a number", record.line, i + 1,
                   in_quotes(cell.text));
    }
    values_.push_back(*value);
  }
  ++rows_;
  return row_(values_);
}

Result<std::string_view> utf8_text(std::string_view text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return error(ErrorCode::kFile, "it is UTF-16 text; save it as UTF-8");
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

}  // namespace ppdnmf::io
