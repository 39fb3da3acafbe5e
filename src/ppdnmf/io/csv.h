// Comma and tab separated tables.
#ifndef PPDNMF_IO_CSV_H_
#define PPDNMF_IO_CSV_H_

#include <filesystem>
#include <string>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/limits.h>
#include <ppdnmf/io/table.h>

namespace ppdnmf::io {

// UTF-8 text, one row a line, cells between separators; for ',' a file whose first line has ';' and no ',' is read with
// ';'. Cells may stand in double quotes. Lines at the start that begin with '#', a byte order mark and empty lines at
// the end are passed over. Names are found, not declared:
//   - line 1 holds column names if its cells (the first may be anything) are not numbers, or if its first cell is
//   empty,
//     or if it has text and one cell less than line 2;
//   - the first cell of each line is a row name if that of the first line of data is not a number, or if the first cell
//   of
//     line 1 is empty or missing. A number in quotes counts as a name where other cells of the line have none.
// "nan" and "inf" are numbers; check_nonnegative refuses them with their place. Fails with kFile, naming line and
// column, on ragged lines, empty cells (unless the limits say that these are NaN), cells that are not numbers, and
// where names and numbers are mixed.
[[nodiscard]] Result<Table> parse_csv(ByteSpan bytes, char separator, const ReadLimits& limits = {});

// With names where the table has them; numbers in the fewest digits that read back to the same double. A name that
// could be mistaken (it has a separator, a quote or a line end, or it is a number) stands in quotes.
[[nodiscard]] std::string format_csv(const Table& table, char separator = ',');

// Fails with kFile as write_file does. A path that ends in .tsv is written with tabs.
[[nodiscard]] Status write_csv(const std::filesystem::path& path, const Table& table, unsigned mode = kModePublic);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_CSV_H_
