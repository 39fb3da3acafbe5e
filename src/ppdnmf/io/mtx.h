// Matrix Market files (.mtx).
#ifndef PPDNMF_IO_MTX_H_
#define PPDNMF_IO_MTX_H_

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/io/limits.h>
#include <ppdnmf/io/table.h>

namespace ppdnmf::io {

// array or coordinate; real, double, integer or pattern (ones); general or symmetric. Entries of a coordinate file that
// are named twice are added. Fails with kFile, naming the line, on anything else: complex numbers, a place outside the
// matrix, too few or too many entries.
[[nodiscard]] Result<Table> parse_mtx(ByteSpan bytes, const ReadLimits& limits = {});

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_MTX_H_
