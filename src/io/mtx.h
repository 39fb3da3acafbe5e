// Matrix Market files (.mtx).
#ifndef PPDNMF_IO_MTX_H_
#define PPDNMF_IO_MTX_H_

#include "base/bytes.h"
#include "io/limits.h"
#include "io/table.h"

namespace ppdnmf {

// array or coordinate; real, double, integer or pattern (ones); general or symmetric. Entries of a coordinate file that
// are named twice are added. Fails with kFile, naming the line, on anything else: complex numbers, a place outside the
// matrix, too few or too many entries.
[[nodiscard]] Result<Table> parse_mtx(ByteSpan bytes, const ReadLimits& limits = {});

}  // namespace ppdnmf

#endif  // PPDNMF_IO_MTX_H_
