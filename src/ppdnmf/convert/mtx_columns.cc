#include <ppdnmf/convert/mtx_columns.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/convert/text_lines.h>
#include <ppdnmf/io/mtx.h>
#include <ppdnmf/io/sparse.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::convert {
namespace {

constexpr double kTextPart = 0.6;  // of the work is reading the text, where columns are put in order afterwards
constexpr std::uint64_t kTellEvery = std::uint64_t{1} << 20U;

// The words of a text, some lines at a time.
class MtxReader {
 public:
  explicit MtxReader(TextLines text) : text_(std::move(text)) {}

  [[nodiscard]] Result<io::MtxBanner> banner() {
    PPDNMF_TRY(const std::string_view lines, text_.next());
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    take(lines.substr(std::min(end + 1, lines.size())), 2);
    auto banner = io::parse_mtx_banner(lines.substr(0, end));
    if (!banner) return at(text_.name(), std::move(banner).error());
    return banner;
  }
  // Empty at the end.
  [[nodiscard]] Result<std::string_view> word() {
    while (true) {
      if (const std::string_view next = words_.next(); !next.empty()) return next;
      const std::size_t lines_before = first_line_ + line_ends_;
      PPDNMF_TRY(const std::string_view lines, text_.next());
      if (lines.empty()) return std::string_view();
      take(lines, lines_before);
    }
  }
  [[nodiscard]] Result<std::uint64_t> count(const char* what, std::uint64_t least, std::uint64_t most) {
    PPDNMF_TRY(const std::string_view next, word());
    if (next.empty()) return fail("it ends where {} should be: it is not complete", what);
    const auto number = io::parse_count(next);
    if (!number || *number < least || *number > most) {
      return fail("line {}: {} is {}, which is not a whole number from {} to {}", words_.line(), what,
                  io::in_quotes(next), least, most);
    }
    return *number;
  }
  [[nodiscard]] Result<double> number() {
    PPDNMF_TRY(const std::string_view next, word());
    if (next.empty()) return fail("it ends before its last entry: it is not complete");
    const auto value = io::parse_number(next);
    if (!value) return fail("line {}: {} is not a number", words_.line(), io::in_quotes(next));
    return *value;
  }
  [[nodiscard]] Status at_end() {
    PPDNMF_TRY(const std::string_view next, word());
    if (next.empty()) return {};
    return fail("line {}: {} follows after the last entry", words_.line(), io::in_quotes(next));
  }
  // Every entry takes two bytes at least: its number or place, and a blank.
  [[nodiscard]] Status check_entries(std::uint64_t entries) const {
    if (entries <= text_.size() / 2) return {};
    return fail("it claims {} entries, but has {} bytes: it is not complete", entries, text_.size());
  }
  template <typename... Args>
  [[nodiscard]] tl::unexpected<Error> fail(fmt::format_string<Args...> format, Args&&... args) const {
    return at(text_.name(), {ErrorCode::kFile, fmt::format(format, std::forward<Args>(args)...)});
  }
  [[nodiscard]] const std::string& name() const { return text_.name(); }
  [[nodiscard]] double part() const { return text_.part(); }

 private:
  void take(std::string_view lines, std::size_t line) {
    words_ = io::WordReader(lines, line);
    words_.skip_comments('%');
    first_line_ = line;
    line_ends_ = static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
  }

  TextLines text_;
  io::WordReader words_{std::string_view()};
  std::size_t first_line_ = 1;
  std::size_t line_ends_ = 0;
};

Status tell(const Progress& progress, std::uint64_t done, double part) {
  return progress && done % kTellEvery == 0 ? progress(part) : Status();
}

Status copy_coordinates(MtxReader& text, const io::MtxBanner& banner, Index rows, Index columns, const OpenSink& open,
                        const std::filesystem::path& folder, const Progress& progress) {
  constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 48U;
  PPDNMF_TRY(const std::uint64_t entries, text.count("the number of entries", 0, kMostEntries));
  PPDNMF_TRY_STATUS(text.check_entries(entries));
  io::ReadLimits limits;
  limits.max_entries = kMostEntries;
  limits.keep_sparse = true;
  if (auto sane =
          io::check_sparse_size(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns), entries, limits);
      !sane) {
    return at(text.name(), std::move(sane).error());
  }
  PPDNMF_TRY(ColumnSorter sorter, ColumnSorter::create(folder, rows, columns, entries));
  for (std::uint64_t i = 0; i < entries; ++i) {
    PPDNMF_TRY(const std::uint64_t row, text.count("the row number", 1, static_cast<std::uint64_t>(rows)));
    PPDNMF_TRY(const std::uint64_t column, text.count("the column number", 1, static_cast<std::uint64_t>(columns)));
    double value = 1;
    if (!banner.pattern) {
      PPDNMF_TRY(value, text.number());
    }
    const auto l = static_cast<int>(row) - 1;
    const auto m = static_cast<int>(column) - 1;
    PPDNMF_TRY_STATUS(sorter.add(l, m, value));
    if (banner.symmetric && l != m) PPDNMF_TRY_STATUS(sorter.add(m, l, value));
    PPDNMF_TRY_STATUS(tell(progress, i, kTextPart * text.part()));
  }
  PPDNMF_TRY_STATUS(text.at_end());
  PPDNMF_TRY(const std::unique_ptr<ColumnSink> sink, open(rows, columns));
  PPDNMF_TRY_STATUS(std::move(sorter).finish(
      *sink, [&](double part) { return progress ? progress(kTextPart + (1 - kTextPart) * part) : Status(); }));
  return sink->finish();
}

Status copy_array(MtxReader& text, Index rows, Index columns, const OpenSink& open, const Progress& progress) {
  PPDNMF_TRY_STATUS(text.check_entries(static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns)));
  PPDNMF_TRY(const std::unique_ptr<ColumnSink> sink, open(rows, columns));
  std::vector<double> column(static_cast<std::size_t>(rows));
  data::Block block;
  block.rows = rows;
  block.count = 1;
  block.values = column.data();
  for (Index m = 0; m < columns; ++m) {
    for (double& value : column) {
      PPDNMF_TRY(value, text.number());
    }
    PPDNMF_TRY_STATUS(sink->add(block));
    if (progress) PPDNMF_TRY_STATUS(progress(text.part()));
  }
  PPDNMF_TRY_STATUS(text.at_end());
  return sink->finish();
}

// A column of a symmetric array has numbers of all columns before it.
Status copy_whole(const std::string& path, const OpenSink& open) {
  PPDNMF_TRY(const io::Table table, io::read_mtx(path));
  PPDNMF_TRY(const std::unique_ptr<ColumnSink> sink, open(table.rows(), table.columns()));
  data::Block block;
  block.rows = table.rows();
  block.count = table.columns();
  block.values = table.values.data();
  PPDNMF_TRY_STATUS(sink->add(block));
  return sink->finish();
}

Status copy(MtxReader& text, const OpenSink& open, const std::filesystem::path& folder, const Progress& progress) {
  constexpr std::uint64_t kMost = std::numeric_limits<int>::max();
  PPDNMF_TRY(const io::MtxBanner banner, text.banner());
  PPDNMF_TRY(const std::uint64_t rows, text.count("the number of rows", 1, kMost));
  PPDNMF_TRY(const std::uint64_t columns, text.count("the number of columns", 1, kMost));
  if (banner.symmetric && rows != columns)
    return text.fail("a symmetric matrix cannot have {} rows and {} columns", rows, columns);
  if (banner.coordinate) {
    return copy_coordinates(text, banner, static_cast<Index>(rows), static_cast<Index>(columns), open, folder,
                            progress);
  }
  if (banner.symmetric) return copy_whole(text.name(), open);
  return copy_array(text, static_cast<Index>(rows), static_cast<Index>(columns), open, progress);
}

}  // namespace

Status copy_mtx(const std::filesystem::path& path, const OpenSink& open, const std::filesystem::path& folder,
                const Progress& progress) {
  PPDNMF_TRY(TextLines lines, TextLines::open(path));
  MtxReader text(std::move(lines));
  return copy(text, open, folder, progress);
}

}  // namespace ppdnmf::convert
