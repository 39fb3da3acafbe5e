#include <ppdnmf/io/row_names.h>

#include <algorithm>
#include <set>
#include <string_view>

#include <ppdnmf/io/file.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::io {
Result<std::vector<std::string>> read_row_names(const std::filesystem::path& path) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30U;
  PPDNMF_TRY(const Bytes bytes, read_file(path, kMaxBytes));
  std::string_view text = as_text(bytes);
  std::vector<std::string> names;
  std::set<std::string_view> seen;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    const std::string_view name = trim(text.substr(0, size));
    text.remove_prefix(std::min(size + 1, text.size()));
    if (name.empty()) {
      return error(ErrorCode::kInvalidData, "{}: line {} is empty: each line should hold the name of one row",
                   path.string(), names.size() + 1);
    }
    if (!seen.insert(name).second) {
      return error(ErrorCode::kInvalidData, "{}: line {}: the name {} is already taken: rows need different names",
                   path.string(), names.size() + 1, in_quotes(name));
    }
    names.emplace_back(name);
  }
  return names;
}

}  // namespace ppdnmf::io
