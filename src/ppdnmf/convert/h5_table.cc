#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include <ppdnmf/convert/h5_matrix.h>
#include <ppdnmf/io/sparse.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::convert {
namespace {

// What may be opened, to say how large it is.
constexpr std::uint64_t kOpenEntries = std::uint64_t{1} << 48U;

}  // namespace

bool is_h5(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::string extension = io::lower(path.extension().string());
  return (extension == ".h5ad" || extension == ".h5") && !std::filesystem::is_directory(path, ignored);
}

Result<io::Table> read_h5(const H5Matrix& matrix, const io::ReadLimits& limits) {
  const H5Shape& shape = matrix.shape();
  io::Table table;
  if (shape.order == H5Order::kDense) {
    PPDNMF_TRY(table.values, io::make_matrix(static_cast<std::uint64_t>(shape.rows),
                                             static_cast<std::uint64_t>(shape.columns), limits));
    PPDNMF_TRY_STATUS(matrix.read_columns(0, shape.columns, table.values.data()));
  } else {
    std::vector<int> place;
    std::vector<double> value;
    PPDNMF_TRY_STATUS(matrix.read_entries(0, shape.entries, place, value));
    data::Nonzeros Z;
    if (shape.order == H5Order::kByColumns) {
      Z = {shape.rows, {shape.starts.begin(), shape.starts.end()}, std::move(place), std::move(value)};
    } else {
      std::vector<int> row(shape.entries);
      for (std::size_t l = 0; l + 1 < shape.starts.size(); ++l)
        std::fill(row.begin() + static_cast<std::ptrdiff_t>(shape.starts[l]),
                  row.begin() + static_cast<std::ptrdiff_t>(shape.starts[l + 1]), static_cast<int>(l));
      Z = io::compress(shape.rows, shape.columns, {std::move(row), std::move(place), std::move(value)});
    }
    io::tidy(Z);
    PPDNMF_TRY(table, io::sparse_table(std::move(Z), limits));
  }
  table.row_names = matrix.row_names();
  table.column_names = matrix.column_names();
  return table;
}

Result<io::Table> read_h5(const std::filesystem::path& path, const io::ReadLimits& limits) {
  io::ReadLimits open = limits;
  open.max_entries = kOpenEntries;
  open.keep_sparse = true;
  PPDNMF_TRY(const H5Matrix matrix, H5Matrix::open(path, open));
  const H5Shape& shape = matrix.shape();
  const bool dense = shape.order == H5Order::kDense;
  const std::uint64_t entries =
      dense ? static_cast<std::uint64_t>(shape.rows) * static_cast<std::uint64_t>(shape.columns) : shape.entries;
  if (entries > limits.max_entries) {
    return error(
        ErrorCode::kFile,
        "{}: has {} entries; at most {} can be read: 'ppdnmf convert' makes an {} file of it, which need not be "
        "read as a whole",
        path.string(), entries, limits.max_entries, dense ? ".npy" : ".npz");
  }
  try {
    return read_h5(matrix, limits);
  } catch (const std::bad_alloc&) {
    return error(ErrorCode::kFile, "{}: there is not enough memory to read it", path.string());
  }
}

}  // namespace ppdnmf::convert
