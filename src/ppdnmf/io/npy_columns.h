// A matrix that stays in its .npy file.
#ifndef PPDNMF_IO_NPY_COLUMNS_H_
#define PPDNMF_IO_NPY_COLUMNS_H_

#include <memory>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/io/disk_file.h>
#include <ppdnmf/io/npy_header.h>

namespace ppdnmf::io {

// Its layout, whatever its size. Fails as parse_npy_layout does, the name in front.
[[nodiscard]] Result<NpyLayout> npy_layout_of(const DiskFile& file);

// Its columns, read whenever they are lent: numbers of any type that parse_npy reads become doubles a block at a time.
// Where the file has row after row, every row of a block is a place of its own in the file.
[[nodiscard]] data::SharedColumns npy_columns(std::shared_ptr<const DiskFile> file, const NpyLayout& layout);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_NPY_COLUMNS_H_
