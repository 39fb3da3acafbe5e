// Rows of a file brought into an order by their names.
#ifndef PPDNMF_IO_ROW_ORDER_H_
#define PPDNMF_IO_ROW_ORDER_H_

#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::io {

// For sentences: who has the rows that are wanted, and where one finds them.
struct RowOwner {
  std::string_view who;    // "the consortium" does not know a row,
  std::string_view where;  // rows must be "those of the consortium file's row_names",
  std::string_view has;    // and "the consortium agreed on" so many
};

// For each of the wanted rows its place among the found ones. Fails with kInvalidData: a name that is there twice, rows
// that are missing or that nobody wants, each with its name and how many more there are.
[[nodiscard]] Result<std::vector<Index>> row_order(const std::vector<std::string>& wanted,
                                                   const std::vector<std::string>& found, std::string_view file,
                                                   const RowOwner& owner);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_ROW_ORDER_H_
