// Matrices in HDF5 files: AnnData's X (.h5ad), and 10x Genomics' matrix (.h5).
//
// HDF5 is the library's: h5_file.cc alone includes it. Files are opened for reading alone; nothing is followed into
// other files, and no filter is loaded that the library does not have. Its own messages are off. The library is not
// made for more than one thread: all of this stays on one at a time.
#ifndef PPDNMF_CONVERT_H5_MATRIX_H_
#define PPDNMF_CONVERT_H5_MATRIX_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/io/limits.h>
#include <ppdnmf/io/table.h>

namespace ppdnmf::convert {

// How the numbers lie. Cells are columns and genes rows, so that what AnnData calls csr is by columns.
enum class H5Order : std::uint8_t { kDense, kByColumns, kByRows };

struct H5Shape {
  H5Order order = H5Order::kDense;
  Index rows = 0;
  Index columns = 0;
  std::uint64_t entries = 0;          // that are kept, of a sparse matrix
  std::vector<std::uint64_t> starts;  // of every column (or row, kByRows), and the end; rising
};

class H5Matrix {
 public:
  // Fails with kFile, the path in front: no HDF5 file, neither X nor matrix in it, of another type, sizes that do not
  // fit together or are above the limits (check_size, check_sparse_size), names that cannot be read.
  [[nodiscard]] static Result<H5Matrix> open(const std::filesystem::path& path, const io::ReadLimits& limits);
  // The same of a file in memory; without a path in front.
  [[nodiscard]] static Result<H5Matrix> open(ByteSpan image, const io::ReadLimits& limits);
  H5Matrix(H5Matrix&&) noexcept;
  H5Matrix& operator=(H5Matrix&&) = delete;
  H5Matrix(const H5Matrix&) = delete;
  H5Matrix& operator=(const H5Matrix&) = delete;
  ~H5Matrix();

  [[nodiscard]] const H5Shape& shape() const;
  [[nodiscard]] const std::vector<std::string>& row_names() const;  // of genes: AnnData's var index, 10x's feature ids
  [[nodiscard]] const std::vector<std::string>& column_names() const;  // of cells: AnnData's obs index, 10x's barcodes

  // Entries first to first + count - 1 of a sparse matrix: each one's row (or column, kByRows), which is within, and
  // value. Fails with kFile if they cannot be read, or one is outside.
  [[nodiscard]] Status read_entries(std::uint64_t first, std::size_t count, std::vector<int>& place,
                                    std::vector<double>& value) const;
  // Columns of a dense one, to `to`.
  [[nodiscard]] Status read_columns(Index first, Index count, double* to) const;

 private:
  struct State;
  explicit H5Matrix(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

[[nodiscard]] bool is_h5(const std::filesystem::path& path);  // by its name; a folder is none

// The whole matrix in memory, with its names. Entries may be in any order, and those that are there twice are added.
[[nodiscard]] Result<io::Table> read_h5(const H5Matrix& matrix, const io::ReadLimits& limits);
[[nodiscard]] Result<io::Table> read_h5(const std::filesystem::path& path, const io::ReadLimits& limits);

}  // namespace ppdnmf::convert

#endif  // PPDNMF_CONVERT_H5_MATRIX_H_
