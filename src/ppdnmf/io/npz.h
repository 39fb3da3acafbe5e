// Sparse matrices as scipy.sparse.save_npz writes them: an archive of .npy arrays.
#ifndef PPDNMF_IO_NPZ_H_
#define PPDNMF_IO_NPZ_H_

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/io/limits.h>
#include <ppdnmf/io/table.h>

namespace ppdnmf::io {

// Compressed or not; the formats csc, csr and coo, with numbers of any type that .npy files may have. Indices may be in
// any order, and entries that are there twice are added. Fails with kFile on other archives and formats, places outside
// the matrix, arrays whose lengths do not fit together, and broken or incomplete files.
[[nodiscard]] Result<Table> parse_npz(ByteSpan bytes, const ReadLimits& limits = {});

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_NPZ_H_
