#include <ppdnmf/io/persons.h>

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include <ppdnmf/io/csv_records.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::io {
namespace {

struct Line {
  std::size_t number = 0;
  std::string column;  // empty: the line has a person alone
  std::string person;
};

Result<std::vector<Line>> parse_lines(std::string_view text) {
  CsvRecordReader reader(text, ',');
  reader.skip_comments();
  std::vector<Line> lines;
  CsvRecord record;
  for (;;) {
    PPDNMF_TRY(const bool more, reader.next(record));
    if (!more) return lines;
    if (record.blank()) continue;
    const bool pair = record.cells.size() == 2;
    const bool same = lines.empty() || pair != lines.front().column.empty();
    Line line{record.line, pair ? record.cells[0].name() : "", record.cells.back().name()};
    if (record.cells.size() > 2 || !same || line.person.empty() || (pair && line.column.empty())) {
      return error(
          ErrorCode::kInvalidData,
          "line {}: should hold a person's name, or a column's name, a comma and a person's, as the first line "
          "does",
          record.line);
    }
    lines.push_back(std::move(line));
  }
}

Result<std::vector<std::string>> by_name(std::vector<Line> lines, const std::vector<std::string>& column_names) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < column_names.size(); ++i) {
    if (!places.emplace(column_names[i], i).second) {
      return error(ErrorCode::kInvalidData,
                   "two columns of the data are called {}: give one person on each line, in the order of the columns",
                   in_quotes(column_names[i]));
    }
  }
  std::vector<std::string> out(column_names.size());
  for (Line& line : lines) {
    const auto place = places.find(line.column);
    if (place == places.end()) {
      return error(ErrorCode::kInvalidData, "line {}: the data have no column {}", line.number, in_quotes(line.column));
    }
    std::string& person = out[place->second];
    if (!person.empty())
      return error(ErrorCode::kInvalidData, "line {}: the column {} is there twice", line.number,
                   in_quotes(line.column));
    person = std::move(line.person);
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].empty()) return error(ErrorCode::kInvalidData, "the column {} is missing", in_quotes(column_names[i]));
  }
  return out;
}

}  // namespace

Result<std::vector<std::string>> parse_persons(std::string_view text, const std::vector<std::string>& column_names,
                                               Index columns) {
  PPDNMF_TRY(std::vector<Line> lines, parse_lines(text));
  if (!lines.empty() && !lines.front().column.empty()) {
    if (column_names.empty()) {
      return error(
          ErrorCode::kInvalidData,
          "names columns, but the data have no column names: give one person on each line, in the order of the "
          "columns");
    }
    return by_name(std::move(lines), column_names);
  }
  if (static_cast<Index>(lines.size()) != columns) {
    return error(ErrorCode::kInvalidData, "has {} persons, but the data have {} columns: each column needs a line",
                 lines.size(), columns);
  }
  std::vector<std::string> out;
  out.reserve(lines.size());
  for (Line& line : lines) out.push_back(std::move(line.person));
  return out;
}

Result<std::vector<std::string>> read_persons(const std::filesystem::path& path,
                                              const std::vector<std::string>& column_names, Index columns) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 32U;
  PPDNMF_TRY(const Bytes bytes, read_file(path, kMaxBytes));
  auto persons = parse_persons(as_text(bytes), column_names, columns);
  if (!persons) return at(path.string(), std::move(persons).error());
  return persons;
}

}  // namespace ppdnmf::io
