// NumPy's .npy files, format versions 1 to 3.
#ifndef PPDNMF_IO_NPY_H_
#define PPDNMF_IO_NPY_H_

#include <filesystem>
#include <memory>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/limits.h>
#include <ppdnmf/io/table.h>

namespace ppdnmf::io {

// Booleans, integers of 1 to 8 bytes and floats of 2, 4 or 8 bytes, both byte orders, C and Fortran order. An array of
// one dimension is one column. Integers above 2^53 become the nearest double. Fails with kFile on anything else:
// objects, records, text and complex numbers, other dimensions, a size that does not match the bytes.
[[nodiscard]] Result<Table> parse_npy(ByteSpan bytes, const ReadLimits& limits = {});

// The same of a file, which is never in memory as a whole: only its numbers are, where the caller wants them. Fails as
// InputFile and parse_npy do, the path in front.
class NpyFile {
 public:
  // Reads the header, and holds the size of the file against it.
  [[nodiscard]] static Result<NpyFile> open(const std::filesystem::path& path, const ReadLimits& limits = {});
  NpyFile(const NpyFile&) = delete;
  NpyFile& operator=(const NpyFile&) = delete;
  NpyFile(NpyFile&&) noexcept;
  NpyFile& operator=(NpyFile&&) noexcept;
  ~NpyFile();

  [[nodiscard]] Index rows() const;
  [[nodiscard]] Index columns() const;
  // Once: column after column to `to`, which has room for rows() * columns() numbers.
  [[nodiscard]] Status read(double* to);
  // Some of the columns, within rows() x columns() (checked), as often as somebody asks; nothing else is read.
  [[nodiscard]] Status read_columns(const data::Range& range, double* to) const;

 private:
  struct State;
  explicit NpyFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};
[[nodiscard]] bool is_npy(const std::filesystem::path& path);  // by its name; a folder is none
[[nodiscard]] Result<Table> read_npy(const std::filesystem::path& path, const ReadLimits& limits = {});

// Version 1, '<f8', Fortran order: the same bytes for the same matrix on every machine.
[[nodiscard]] Bytes encode_npy(const Matrix& values);

// Fails with kFile as write_file does.
[[nodiscard]] Status write_npy(const std::filesystem::path& path, const Matrix& values, unsigned mode = kModePublic);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_NPY_H_
