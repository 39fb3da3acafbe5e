// The lines and cells of a CSV text.
#ifndef PPDNMF_IO_CSV_RECORDS_H_
#define PPDNMF_IO_CSV_RECORDS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/base/result.h>

namespace ppdnmf::io {

struct CsvCell {
  std::string_view text;  // without the outer quotes; quotes inside are still doubled
  bool quoted = false;

  [[nodiscard]] std::string name() const;  // quotes inside once
};

struct CsvRecord {
  std::size_t line = 0;  // where it starts, from 1
  std::vector<CsvCell> cells;

  [[nodiscard]] bool blank() const { return cells.size() == 1 && cells[0].text.empty() && !cells[0].quoted; }
};

class CsvRecordReader {
 public:
  // `line`: the number of the text's first one.
  CsvRecordReader(std::string_view text, char separator, std::size_t line = 1)
      : text_(text), separator_(separator), line_(line) {}

  // False at the end. Fails with kFile on a quote that does not close, or with text behind it.
  [[nodiscard]] Result<bool> next(CsvRecord& record);
  // Passes over lines that start with '#'.
  void skip_comments();

 private:
  Result<CsvCell> cell();
  std::string_view text_;
  char separator_;
  std::size_t line_;
};

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_CSV_RECORDS_H_
