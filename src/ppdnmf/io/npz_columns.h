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

// What entries within a column may be: from top to bottom and none twice, as whoever works with them needs them; or in
// any order, and there twice, which is put in order whenever they are lent, as io::tidy does it.
enum class NpzEntries : std::uint8_t { kInOrder, kAny };

struct NpzColumns {
  data::SharedColumns columns;  // null: the file is of a kind that has to be read as a whole
  std::uint64_t entries = 0;
};

// Nothing but where the columns begin is kept in memory, eight bytes a column; entries are read whenever they are lent.
// Indices are trusted only where they are read: a block with one outside, or not as `order` wants them, is lent
// without entries, and the file is spoilt (DiskFile). Fails with kFile, the name in front, if the archive is broken, if
// its arrays do not fit together, or if it claims many more rows than it has entries.
[[nodiscard]] Result<NpzColumns> open_npz_columns(const std::shared_ptr<const DiskFile>& file,
                                                  NpzEntries order = NpzEntries::kInOrder);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_NPZ_COLUMNS_H_
