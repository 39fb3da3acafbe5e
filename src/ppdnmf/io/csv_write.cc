#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/csv.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::io {
namespace {

void append_name(std::string& out, std::string_view name, char separator) {
  const std::string_view special = "\"\r\n#;,\t";
  // A first byte beyond ASCII could be taken for a byte order mark.
  const bool plain = !name.empty() && static_cast<unsigned char>(name[0]) < 0x80 &&
                     name.find_first_of(special) == std::string_view::npos && name.find(separator) == name.npos &&
                     trim(name) == name && !parse_number(name);
  if (plain) {
    out += name;
    return;
  }
  out += '"';
  for (const char c : name) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

}  // namespace

std::string format_csv(const Table& table, char separator) {
  const Matrix& values = table.values;
  std::string out;
  if (!table.column_names.empty()) {
    for (std::size_t i = 0; i < table.column_names.size(); ++i) {
      // The corner stays empty: that is how a reader knows that row names follow, whatever they look like.
      if (i > 0 || !table.row_names.empty()) out += separator;
      append_name(out, table.column_names[i], separator);
    }
    out += '\n';
  }
  for (Index row = 0; row < values.rows(); ++row) {
    if (!table.row_names.empty()) append_name(out, table.row_names[static_cast<std::size_t>(row)], separator);
    for (Index column = 0; column < values.cols(); ++column) {
      if (column > 0 || !table.row_names.empty()) out += separator;
      fmt::format_to(std::back_inserter(out), "{}", values(row, column));
    }
    out += '\n';
  }
  return out;
}

Status write_csv(const std::filesystem::path& path, const Table& table, unsigned mode) {
  return write_file(path, format_csv(table, path.extension() == ".tsv" ? '\t' : ','), mode);
}

}  // namespace ppdnmf::io
