// A table of text of any length as numbers in a temporary file.
#ifndef PPDNMF_CONVERT_CSV_COLUMNS_H_
#define PPDNMF_CONVERT_CSV_COLUMNS_H_

#include <filesystem>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/convert/column_sorter.h>
#include <ppdnmf/data/columns.h>

namespace ppdnmf::convert {

struct NamedColumns {
  data::SharedColumns columns;
  std::vector<std::string> row_names, column_names;
};

// One pass over the text; the numbers stand in the temporary file, in `folder`, row after row. Only names are kept in
// memory. Fails as io::parse_csv does, the path in front, and if there is no room.
[[nodiscard]] Result<NamedColumns> read_text_table(const std::filesystem::path& path, char separator, bool empty_is_nan,
                                                   const std::filesystem::path& folder, const Progress& progress);

}  // namespace ppdnmf::convert

#endif  // PPDNMF_CONVERT_CSV_COLUMNS_H_
