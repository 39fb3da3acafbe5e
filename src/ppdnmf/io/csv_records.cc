#include <ppdnmf/io/csv_records.h>

#include <algorithm>

#include <ppdnmf/io/text.h>

namespace ppdnmf::io {

std::string CsvCell::name() const {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (quoted && text[i] == '"') ++i;  // the second of two
  }
  return out;
}

void CsvRecordReader::skip_comments() {
  while (text_.starts_with('#')) {
    text_.remove_prefix(std::min(text_.find('\n'), text_.size() - 1) + 1);
    ++line_;
  }
}

Result<bool> CsvRecordReader::next(CsvRecord& record) {
  record.cells.clear();
  record.line = line_;
  if (text_.empty()) return false;
  while (true) {
    PPDNMF_TRY(const CsvCell found, cell());
    record.cells.push_back(found);
    if (text_.empty()) return true;
    const char end = text_.front();
    text_.remove_prefix(1);
    if (end == '\n') {
      ++line_;
      return true;
    }
  }
}

// Leaves the text at a separator, a line end or the end.
Result<CsvCell> CsvRecordReader::cell() {
  const char ends[] = {separator_, '\n'};
  const std::string_view end_set(ends, 2);
  const std::size_t start = text_.find_first_not_of(' ');
  if (start == std::string_view::npos || text_[start] != '"') {
    const std::string_view raw = text_.substr(0, text_.find_first_of(end_set));
    text_.remove_prefix(raw.size());
    return CsvCell{trim(raw), false};
  }
  const std::size_t first_line = line_;
  std::size_t i = start + 1;
  while (true) {
    i = text_.find('"', i);
    if (i == std::string_view::npos) {
      return error(ErrorCode::kFile, "line {}: a quote is opened and never closed", first_line);
    }
    if (i + 1 >= text_.size() || text_[i + 1] != '"') break;
    i += 2;
  }
  const CsvCell found{text_.substr(start + 1, i - start - 1), true};
  line_ += static_cast<std::size_t>(std::count(found.text.begin(), found.text.end(), '\n'));
  text_.remove_prefix(i + 1);
  const std::string_view behind = text_.substr(0, text_.find_first_of(end_set));
  if (!trim(behind).empty()) {
    return error(ErrorCode::kFile, "line {}: {} follows behind a closing quote", line_, in_quotes(trim(behind)));
  }
  text_.remove_prefix(behind.size());
  return found;
}

}  // namespace ppdnmf::io
