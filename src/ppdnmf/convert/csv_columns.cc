#include <ppdnmf/convert/csv_columns.h>

#include <utility>

#include <ppdnmf/convert/text_lines.h>
#include <ppdnmf/io/csv_rows.h>
#include <ppdnmf/io/npy_columns.h>

namespace ppdnmf::convert {
namespace {

// Without the empty lines at the end, which belong to the table only if something comes behind them.
std::string_view without_empty_lines(std::string_view lines) {
  const std::size_t last = lines.find_last_not_of("\r\n");
  if (last == std::string_view::npos) return {};
  const std::size_t end = lines.find('\n', last);
  return end == std::string_view::npos ? lines : lines.substr(0, end + 1);
}

Status take_all(TextLines& text, io::CsvRows& rows, const Progress& progress) {
  std::string held;  // empty lines
  constexpr std::size_t kTwoLines = std::size_t{1} << 22U;
  PPDNMF_TRY(std::string_view lines, text.next(kTwoLines));
  PPDNMF_TRY(std::string first, io::utf8_text(lines).map([](std::string_view some) { return std::string(some); }));
  for (bool begun = false; !lines.empty();) {
    // Two lines decide what is a name; a first line that is very long may be alone.
    if (!begun && first.find('\n') + 1 == first.size()) {
      PPDNMF_TRY(lines, text.next(first.size()));
      first += lines;
      lines = first;
    }
    const std::string_view whole = without_empty_lines(begun ? lines : std::string_view(first));
    if (!whole.empty()) {
      PPDNMF_TRY_STATUS(rows.take(held));
      PPDNMF_TRY_STATUS(rows.take(whole));
      held.clear();
    }
    held += (begun ? lines : std::string_view(first)).substr(whole.size());
    begun = true;
    if (progress) PPDNMF_TRY_STATUS(progress(text.part()));
    PPDNMF_TRY(lines, text.next());
  }
  return {};
}

}  // namespace

Result<NamedColumns> read_text_table(const std::filesystem::path& path, char separator, bool empty_is_nan,
                                     const std::filesystem::path& folder, const Progress& progress) {
  PPDNMF_TRY(TextLines text, TextLines::open(path, separator == ',' ? std::string_view(",;") : std::string_view("\t")));
  PPDNMF_TRY(TemporaryFile numbers, TemporaryFile::create(folder));
  io::CsvRows rows(separator, empty_is_nan, [&](std::span<const double> row) {
    return numbers.write({reinterpret_cast<const std::uint8_t*>(row.data()), row.size_bytes()});
  });
  if (auto taken = take_all(text, rows, progress); !taken) {
    const bool named = taken.error().code != ErrorCode::kFile || taken.error().message.starts_with(text.name());
    if (named) return tl::unexpected(std::move(taken).error());
    return at(path.string(), std::move(taken).error());
  }
  if (numbers.size() == 0) return error(ErrorCode::kFile, "{}: it holds no numbers", path.string());
  io::NpyLayout layout;
  layout.rows = rows.rows();
  layout.columns = rows.columns();
  layout.type.scalar = io::ScalarType::kDouble;
  layout.by_columns = layout.columns == 1;
  PPDNMF_TRY(const std::shared_ptr<const io::DiskFile> file, std::move(numbers).finish());
  return NamedColumns{io::npy_columns(file, layout), std::move(rows.row_names()), std::move(rows.column_names())};
}

}  // namespace ppdnmf::convert
