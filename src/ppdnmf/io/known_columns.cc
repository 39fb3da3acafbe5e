#include <ppdnmf/io/known_columns.h>

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>

#include <ppdnmf/io/read_matrix.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/io/validate.h>

namespace ppdnmf::io {

Result<std::shared_ptr<const nmf::KnownColumns>> read_known_columns(const std::string& file,
                                                                    const std::vector<std::string>& row_names,
                                                                    Index rows, const RowOwner& owner) {
  PPDNMF_TRY(Table read, read_matrix(file));
  PPDNMF_TRY(CheckedTable checked, check_nonnegative(std::move(read), file, false));
  Table& table = checked.table;
  auto known = std::make_shared<nmf::KnownColumns>();
  if (!row_names.empty() && !table.row_names.empty()) {
    PPDNMF_TRY(const std::vector<Index> order, row_order(row_names, table.row_names, file, owner));
    known->values = table.values(order, Eigen::all);
  } else if (table.values.rows() != rows) {
    return error(ErrorCode::kInvalidData, "{}: has {} rows, but {} {}: known components need the same rows", file,
                 table.values.rows(), owner.has, rows);
  } else {
    known->values = std::move(table.values);
  }
  known->names = std::move(table.column_names);
  for (Index k = 1; static_cast<Index>(known->names.size()) < known->values.cols(); ++k)
    known->names.push_back(fmt::format("known {}", k));
  std::set<std::string_view> seen;
  for (const std::string& name : known->names) {
    if (!seen.insert(name).second) {
      return error(ErrorCode::kInvalidData, "{}: two columns are called {}: components need different names", file,
                   in_quotes(name));
    }
  }
  return known;
}

}  // namespace ppdnmf::io
