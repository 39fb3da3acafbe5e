// Data that stay in their files: larger than memory, or not worth copying into it.
#ifndef PPDNMF_IO_ON_DISK_H_
#define PPDNMF_IO_ON_DISK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/io/join.h>
#include <ppdnmf/io/limits.h>
#include <ppdnmf/io/table.h>

namespace ppdnmf::io {

// Which files stay on disk: none, those beyond the limits of what is read into memory, or all that are given.
enum class OnDisk : std::uint8_t { kNever, kLarge, kAlways };

// The columns of a file that stays on disk: an .npy file, or an .npz file that open_npz_columns takes. Null where it is
// read into memory instead: `which` says so, or it is of another format and not kAlways. Fails with kFile, the name in
// front, if it is broken, or if it should stay on disk and cannot.
[[nodiscard]] Result<data::SharedColumns> open_on_disk(const std::string& file, OnDisk which,
                                                       const ReadLimits& limits = {});

// Several files as one table, as ColumnJoiner does it; nothing if all can be read into memory. If one stays on disk all
// do. Fails as open_on_disk, Columns::unchanged and check_nonnegative do, and with kInvalidData if files have different
// numbers of rows, or dense and sparse ones come together.
[[nodiscard]] Result<std::optional<JoinedTable>> join_on_disk(const std::vector<std::string>& files, OnDisk which,
                                                              bool clip_negative, bool missing);

// Of dense columns: of their numbers, one after the other. Of others: of their entries with their places.
[[nodiscard]] Digest columns_digest(const data::Columns& columns);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_ON_DISK_H_
