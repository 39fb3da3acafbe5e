// What data must be before they can be factorised.
#ifndef PPDNMF_IO_VALIDATE_H_
#define PPDNMF_IO_VALIDATE_H_

#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/io/table.h>

namespace ppdnmf::io {

struct CheckedTable {
  Table table;                     // every entry finite and >= 0, or missing
  std::vector<std::string> notes;  // sentences: what was clipped, rows and columns that are all zero
};

// `name` is the file's, for the messages. Fails with kInvalidData if an entry is NaN or infinite, or negative and not
// `clip`; the message says how many there are, where the first one is (row and column from 1, column by column, with
// their names) and that --clip-negative sets negative ones to zero. Nothing clips what is not finite. Fails with it,
// too, if the entries are so large or so small that their squares are not numbers any more (nmf/matrix.h).
// With `missing` NaN stands for an entry that is not there, and stays.
[[nodiscard]] Result<CheckedTable> check_nonnegative(Table table, std::string_view name, bool clip,
                                                     bool missing = false);

// The same of nonzero entries; zeros that come out of it are dropped.
struct TableNames;
[[nodiscard]] Result<std::vector<std::string>> check_nonnegative(data::Nonzeros& Z, const TableNames& names,
                                                                 std::string_view name, bool clip,
                                                                 bool missing = false);

// The same of columns that lie in a larger matrix, in place; gives the notes. Row and column names, if there are any,
// are lent.
struct TableNames {
  const std::vector<std::string>& rows;
  const std::vector<std::string>& columns;
};
[[nodiscard]] Result<std::vector<std::string>> check_nonnegative(Eigen::Ref<Matrix> values, const TableNames& names,
                                                                 std::string_view name, bool clip,
                                                                 bool missing = false);

// The same of columns that are only lent, in one walk; also fails as Columns::unchanged does.
struct CheckedColumns {
  data::SharedColumns columns;  // what had to be set to zero is lent as zero
  std::vector<std::string> notes;
  bool gaps = false;  // whether an entry is missing
};
[[nodiscard]] Result<CheckedColumns> check_nonnegative(data::SharedColumns columns, const TableNames& names,
                                                       std::string_view name, bool clip, bool missing = false);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_VALIDATE_H_
