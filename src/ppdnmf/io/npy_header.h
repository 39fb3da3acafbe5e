// The header of an .npy file: a Python dictionary of three entries.
#ifndef PPDNMF_IO_NPY_HEADER_H_
#define PPDNMF_IO_NPY_HEADER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/io/limits.h>
#include <ppdnmf/io/scalars.h>

namespace ppdnmf::io {

struct NpyHeader {
  std::string type;  // e.g. "<f8"
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::size_t data_offset = 0;  // within the file
};

// A number type of .npy files.
struct NpyType {
  ScalarType scalar = ScalarType::kDouble;
  bool swap = false;  // the file's bytes are in the other order
};
// "<f8": byte order, kind, bytes per number. Fails with kFile if it is no real number type that can be read.
[[nodiscard]] Result<NpyType> parse_npy_type(const std::string& text);

// A matrix in a file.
struct NpyLayout {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  NpyType type;
  bool by_columns = false;      // else row after row
  std::size_t data_offset = 0;  // within the file
};
// `head` is the beginning of a file of `size` bytes, with all of its header if that is of a sane length. Fails with
// kFile if it has not one or two dimensions, if it is above the limits, or if the bytes behind it are more or fewer.
[[nodiscard]] Result<NpyLayout> parse_npy_layout(ByteSpan head, std::uint64_t size, const ReadLimits& limits);

// The beginning of an .npy file up to its numbers; shape: as Python writes it. `room`: so many bytes at least.
[[nodiscard]] Bytes encode_npy_header(std::string_view type, std::string_view shape, bool fortran_order,
                                      std::size_t room = 0);
// A whole .npy file; shape: as Python writes it.
[[nodiscard]] Bytes encode_npy_array(std::string_view type, std::string_view shape, const std::uint8_t* data,
                                     std::size_t bytes, bool fortran_order = false);

// Fails with kFile unless `bytes` starts with a complete, well-formed header.
[[nodiscard]] Result<NpyHeader> parse_npy_header(ByteSpan bytes);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_NPY_HEADER_H_
