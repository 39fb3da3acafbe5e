// One door for every input format.
#ifndef PPDNMF_IO_READ_MATRIX_H_
#define PPDNMF_IO_READ_MATRIX_H_

#include <filesystem>

#include <ppdnmf/base/result.h>
#include <ppdnmf/io/limits.h>
#include <ppdnmf/io/table.h>

namespace ppdnmf::io {

// A folder is read as PGM images; a file by its extension, capitals or not: .npy, .csv, .tsv, .mtx, .mat, and for a
// variable of a MAT-file "file.mat:NAME". Fails with kFile, one sentence with the path in front. Values may still be
// negative or not finite: see check_nonnegative.
[[nodiscard]] Result<Table> read_matrix(const std::filesystem::path& path, const ReadLimits& limits = {});

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_READ_MATRIX_H_
