// A file that says whose each column is.
//
// One line for each column: the person's name, in the order of the columns; or the column's name, a comma and the
// person's, in any order. Names may stand in double quotes, and lines that start with '#' at the beginning are passed
// over.
#ifndef PPDNMF_IO_PERSONS_H_
#define PPDNMF_IO_PERSONS_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::io {

// The person of each of `columns` columns; column_names: empty, or one for each. Fails with kInvalidData, naming the
// line: an empty name, another number of fields, a column that is unknown, missing or there twice, another number of
// lines.
[[nodiscard]] Result<std::vector<std::string>> parse_persons(std::string_view text,
                                                             const std::vector<std::string>& column_names,
                                                             Index columns);
// The same from a file, its path in front of every sentence. Fails as read_file does, too.
[[nodiscard]] Result<std::vector<std::string>> read_persons(const std::filesystem::path& path,
                                                            const std::vector<std::string>& column_names,
                                                            Index columns);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_PERSONS_H_
