// A table of text row after row, without holding it: what parse_csv says of names and numbers is decided here.
#ifndef PPDNMF_IO_CSV_ROWS_H_
#define PPDNMF_IO_CSV_ROWS_H_

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/io/csv_records.h>

namespace ppdnmf::io {

class CsvRows {
 public:
  // Told every row's numbers, from top to bottom.
  using Row = std::function<Status(std::span<const double>)>;
  CsvRows(char separator, bool empty_is_nan, Row row)
      : separator_(separator), empty_is_nan_(empty_is_nan), row_(std::move(row)) {}

  // Some more of the text: whole lines, the first time two of them at least if there are two, and no byte order mark.
  // Fails as parse_csv does.
  [[nodiscard]] Status take(std::string_view text);

  [[nodiscard]] std::size_t columns() const { return width_ - (layout_.row_names ? 1 : 0); }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::vector<std::string>& row_names() { return row_names_; }
  [[nodiscard]] std::vector<std::string>& column_names() { return names_; }

 private:
  struct Layout {
    bool column_names = false;
    bool row_names = false;
    bool declared = false;  // that there are row names is said by line 1, not concluded from the first line of data
  };
  [[nodiscard]] static bool is_row_name(const CsvRecord& record);
  [[nodiscard]] static Result<Layout> find_layout(const CsvRecord& first, const CsvRecord* second);
  [[nodiscard]] Status begin(std::string_view text);
  [[nodiscard]] Status go_on(CsvRecordReader& reader, CsvRecord& record, bool more);
  [[nodiscard]] Status add(const CsvRecord& record);

  char separator_;
  bool empty_is_nan_;
  Row row_;
  bool begun_ = false;
  std::size_t line_ = 1;  // where the text comes that is still to be taken
  Layout layout_;
  std::size_t width_ = 0;
  std::size_t rows_ = 0;
  std::vector<double> values_;  // of a row
  std::vector<std::string> names_, row_names_;
};

// Text as tables are written in it: no byte order mark. Fails with kFile on UTF-16.
[[nodiscard]] Result<std::string_view> utf8_text(std::string_view text);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_CSV_ROWS_H_
