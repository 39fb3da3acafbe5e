// The header of an .npy file: a Python dictionary of three entries.
#ifndef PPDNMF_IO_NPY_HEADER_H_
#define PPDNMF_IO_NPY_HEADER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf::io {

struct NpyHeader {
  std::string type;  // e.g. "<f8"
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::size_t data_offset = 0;  // within the file
};

// Fails with kFile unless `bytes` starts with a complete, well-formed header.
[[nodiscard]] Result<NpyHeader> parse_npy_header(ByteSpan bytes);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_NPY_HEADER_H_
