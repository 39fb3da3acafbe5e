// NumPy's .npy files, format versions 1 to 3.
#ifndef PPDNMF_IO_NPY_H_
#define PPDNMF_IO_NPY_H_

#include <filesystem>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/limits.h>
#include <ppdnmf/io/table.h>

namespace ppdnmf::io {

// Booleans, integers of 1 to 8 bytes and floats of 2, 4 or 8 bytes, both byte orders, C and Fortran order. An array of
// one dimension is one column. Integers above 2^53 become the nearest double. Fails with kFile on anything else:
// objects, records, text and complex numbers, other dimensions, a size that does not match the bytes.
[[nodiscard]] Result<Table> parse_npy(ByteSpan bytes, const ReadLimits& limits = {});

// The same of a file, which is never in memory as a whole: only its numbers are. Fails as InputFile and parse_npy do,
// the path in front.
[[nodiscard]] Result<Table> read_npy(const std::filesystem::path& path, const ReadLimits& limits = {});

// Version 1, '<f8', Fortran order: the same bytes for the same matrix on every machine.
[[nodiscard]] Bytes encode_npy(const Matrix& values);

// Fails with kFile as write_file does.
[[nodiscard]] Status write_npy(const std::filesystem::path& path, const Matrix& values, unsigned mode = kModePublic);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_NPY_H_
