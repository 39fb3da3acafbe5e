// Columns of X that somebody knows, from a file.
#ifndef PPDNMF_IO_KNOWN_COLUMNS_H_
#define PPDNMF_IO_KNOWN_COLUMNS_H_

#include <memory>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/io/row_order.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/nmf/loss_options.h>

namespace ppdnmf::io {

// The columns of a file as known ones: rows in the order of `row_names` where both have names, else as they stand;
// columns without names are called "known 1", "known 2", ... Fails as read_matrix, check_nonnegative and row_order do,
// and with kInvalidData if there are another number of rows or two columns of one name.
[[nodiscard]] Result<std::shared_ptr<const nmf::KnownColumns>> read_known_columns(
    const std::string& file, const std::vector<std::string>& row_names, Index rows, const RowOwner& owner);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_KNOWN_COLUMNS_H_
