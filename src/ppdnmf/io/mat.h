// MATLAB's MAT-files, versions 5 to 7.2 (what save(..., '-v6') and '-v7' write).
#ifndef PPDNMF_IO_MAT_H_
#define PPDNMF_IO_MAT_H_

#include <string_view>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/io/limits.h>
#include <ppdnmf/io/table.h>

namespace ppdnmf::io {

// The variable called `name`, or, if `name` is empty, the only real two-dimensional numeric variable of more than one
// entry. Dense or sparse, of any number type, either byte order. Fails with kFile if there is no such variable or
// several (naming them), if it is complex, text, a cell or a struct, if it has more dimensions, if the file is of
// version 4 or 7.3 (saying how to save it otherwise), or if its structure is broken.
[[nodiscard]] Result<Table> parse_mat(ByteSpan bytes, std::string_view name = {}, const ReadLimits& limits = {});

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_MAT_H_
