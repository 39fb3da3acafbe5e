// A Matrix Market file of any length, column after column.
#ifndef PPDNMF_CONVERT_MTX_COLUMNS_H_
#define PPDNMF_CONVERT_MTX_COLUMNS_H_

#include <filesystem>
#include <functional>
#include <memory>

#include <ppdnmf/base/result.h>
#include <ppdnmf/convert/column_sink.h>
#include <ppdnmf/convert/column_sorter.h>

namespace ppdnmf::convert {

using OpenSink = std::function<Result<std::unique_ptr<ColumnSink>>(Index rows, Index columns)>;

// One pass over the text. Entries of a coordinate file may come in any order: they wait in temporary files in `folder`
// (ColumnSorter). An array is written as it is read; a symmetric one is read
// into memory first. Fails as io::parse_mtx does, the path
// in front, and as ColumnSorter and the sink do.
[[nodiscard]] Status copy_mtx(const std::filesystem::path& path, const OpenSink& open,
                              const std::filesystem::path& folder, const Progress& progress);

}  // namespace ppdnmf::convert

#endif  // PPDNMF_CONVERT_MTX_COLUMNS_H_
