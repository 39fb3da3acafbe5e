// A sparse matrix that stays in its .npz file: scipy's format csc, not compressed, as 'ppdnmf convert' writes it and
// scipy.sparse.save_npz(..., compressed=False).
#ifndef PPDNMF_IO_NPZ_COLUMNS_H_
#define PPDNMF_IO_NPZ_COLUMNS_H_

#include <cstdint>
#include <memory>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/io/disk_file.h>

namespace ppdnmf::io {

struct NpzColumns {
  data::SharedColumns columns;  // null: the file is of a kind that has to be read as a whole
  std::uint64_t entries = 0;
};

// Nothing but where the columns begin is kept in memory, eight bytes a column; entries are read whenever they are lent.
// Indices are trusted only where they are read: a block with one outside, or not from top to bottom, is lent without
// entries, and the file is spoilt (DiskFile). Fails with kFile, the name in front, if the archive is broken or its
// arrays do not fit together.
[[nodiscard]] Result<NpzColumns> open_npz_columns(const std::shared_ptr<const DiskFile>& file);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_NPZ_COLUMNS_H_
