// Names of rows from a file of their own.
#ifndef PPDNMF_IO_ROW_NAMES_H_
#define PPDNMF_IO_ROW_NAMES_H_

#include <filesystem>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>

namespace ppdnmf::io {

// One name on each line, in the order of the rows. Fails as read_file does, and with kInvalidData, naming the line: an
// empty one, or a name that was there before.
[[nodiscard]] Result<std::vector<std::string>> read_row_names(const std::filesystem::path& path);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_ROW_NAMES_H_
