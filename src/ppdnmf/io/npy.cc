#include <ppdnmf/io/npy.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/npy_header.h>
#include <ppdnmf/io/scalars.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::io {

namespace {

// The numbers, from `read(to, count)`, which gives the next bytes, column after column to `to`. Only some lines of the
// file at a time are held beside them.
template <typename Read>
Status read_numbers(const NpyLayout& layout, const Read& read, double* to) {
  constexpr std::uint64_t kAtATime = 1 << 18;
  const std::uint64_t line = layout.by_columns ? layout.rows : layout.columns;
  const std::uint64_t lines = layout.by_columns ? layout.columns : layout.rows;
  const std::uint64_t step = std::min(lines, std::max<std::uint64_t>(1, kAtATime / line));
  Bytes bytes(step * line * scalar_bytes(layout.type.scalar));
  std::vector<double> numbers(layout.by_columns ? 0 : step * line);
  Eigen::Map<Matrix> values(to, static_cast<Index>(layout.rows), static_cast<Index>(layout.columns));
  for (std::uint64_t first = 0; first < lines; first += step) {
    const std::uint64_t some = std::min(step, lines - first);
    const auto count = static_cast<std::size_t>(some * line);
    PPDNMF_TRY_STATUS(read(bytes.data(), count * scalar_bytes(layout.type.scalar)));
    double* const out = layout.by_columns ? to + first * line : numbers.data();
    for_each_scalar(layout.type.scalar, bytes.data(), count, layout.type.swap,
                    [&](std::size_t i, double x) { out[i] = x; });
    if (layout.by_columns) continue;
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    values.middleRows(static_cast<Index>(first), static_cast<Index>(some)) =
        Eigen::Map<const Rows>(numbers.data(), static_cast<Index>(some), static_cast<Index>(line));
  }
  return {};
}

}  // namespace

Result<Table> parse_npy(ByteSpan bytes, const ReadLimits& limits) {
  PPDNMF_TRY(const NpyLayout layout, parse_npy_layout(bytes, bytes.size(), limits));
  Table table;
  PPDNMF_TRY(table.values, make_matrix(layout.rows, layout.columns, limits));
  ByteSpan left = bytes.subspan(layout.data_offset);
  const auto read = [&](std::uint8_t* to, std::size_t count) -> Status {
    std::copy_n(left.data(), count, to);
    left = left.subspan(count);
    return {};
  };
  PPDNMF_TRY_STATUS(read_numbers(layout, read, table.values.data()));
  return table;
}

struct NpyFile::State {
  InputFile file;
  Bytes head;  // the beginning of the file: header and first numbers
  NpyLayout layout;
};

NpyFile::NpyFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
NpyFile::NpyFile(NpyFile&&) noexcept = default;
NpyFile& NpyFile::operator=(NpyFile&&) noexcept = default;
NpyFile::~NpyFile() = default;

Result<NpyFile> NpyFile::open(const std::filesystem::path& path, const ReadLimits& limits) {
  constexpr std::uint64_t kMaxHeader = 1 << 20;
  PPDNMF_TRY(InputFile file, InputFile::open(path, limits.max_file_bytes));
  Bytes head(std::min(file.size(), kMaxHeader));
  PPDNMF_TRY_STATUS(file.read(head.data(), head.size()));
  auto layout = parse_npy_layout(head, file.size(), limits);
  if (!layout) return at(path.string(), std::move(layout).error());
  return NpyFile(std::make_unique<State>(State{std::move(file), std::move(head), *layout}));
}

Index NpyFile::rows() const { return static_cast<Index>(state_->layout.rows); }
Index NpyFile::columns() const { return static_cast<Index>(state_->layout.columns); }

Status NpyFile::read(double* to) {
  ByteSpan begun = ByteSpan(state_->head).subspan(state_->layout.data_offset);
  const auto next = [&](std::uint8_t* bytes, std::size_t count) -> Status {
    const std::size_t there = std::min(count, begun.size());
    std::copy_n(begun.data(), there, bytes);
    begun = begun.subspan(there);
    return state_->file.read(bytes + there, count - there);
  };
  return read_numbers(state_->layout, next, to);
}

Status NpyFile::read_columns(const data::Range& range, double* to) const {
  const NpyLayout& all = state_->layout;
  PPDNMF_CHECK(range.first >= 0 && range.count >= 1 && range.first + range.count <= columns());
  NpyLayout some = all;
  some.columns = static_cast<std::uint64_t>(range.count);
  const auto first = static_cast<std::uint64_t>(range.first);
  const std::uint64_t width = scalar_bytes(all.type.scalar);
  // Of a file with row after row, a piece of each.
  const std::uint64_t piece = some.columns * width;
  std::uint64_t place = all.data_offset + first * (all.by_columns ? all.rows : 1) * width;
  const auto next = [&](std::uint8_t* bytes, std::size_t count) -> Status {
    const std::uint64_t step = all.by_columns ? count : piece;
    for (std::size_t done = 0; done < count; done += step) {
      PPDNMF_TRY_STATUS(state_->file.read_at(place, bytes + done, step));
      place += all.by_columns ? step : all.columns * width;
    }
    return {};
  };
  return read_numbers(some, next, to);
}

bool is_npy(const std::filesystem::path& path) {
  std::error_code ignored;
  return lower(path.extension().string()) == ".npy" && !std::filesystem::is_directory(path, ignored);
}

Result<Table> read_npy(const std::filesystem::path& path, const ReadLimits& limits) {
  PPDNMF_TRY(NpyFile file, NpyFile::open(path, limits));
  auto values =
      make_matrix(static_cast<std::uint64_t>(file.rows()), static_cast<std::uint64_t>(file.columns()), limits);
  if (!values) return at(path.string(), std::move(values).error());
  Table table;
  table.values = *std::move(values);
  PPDNMF_TRY_STATUS(file.read(table.values.data()));
  return table;
}

Bytes encode_npy(const Matrix& values) {
  return encode_npy_array("<f8", fmt::format("({}, {})", values.rows(), values.cols()),
                          reinterpret_cast<const std::uint8_t*>(values.data()),
                          static_cast<std::size_t>(values.size()) * sizeof(double), true);
}

Status write_npy(const std::filesystem::path& path, const Matrix& values, unsigned mode) {
  PPDNMF_TRY(AtomicFile file, AtomicFile::create(path, mode));
  PPDNMF_TRY_STATUS(file.write(encode_npy_header("<f8", fmt::format("({}, {})", values.rows(), values.cols()), true)));
  PPDNMF_TRY_STATUS(file.write({reinterpret_cast<const std::uint8_t*>(values.data()),
                                static_cast<std::size_t>(values.size()) * sizeof(double)}));
  return std::move(file).commit();
}

}  // namespace ppdnmf::io
