// Matrix Market files (.mtx).
#ifndef PPDNMF_IO_MTX_H_
#define PPDNMF_IO_MTX_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/limits.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::io {

// What the first line of a Matrix Market file says. Fails with kFile where it is one that cannot be read.
struct MtxBanner {
  bool coordinate = false;
  bool pattern = false;
  bool symmetric = false;
};
[[nodiscard]] Result<MtxBanner> parse_mtx_banner(std::string_view line);

// array or coordinate; real, double, integer or pattern (ones); general or symmetric. Entries of a coordinate file that
// are named twice are added. Fails with kFile, naming the line, on anything else: complex numbers, a place outside the
// matrix, too few or too many entries.
[[nodiscard]] Result<Table> parse_mtx(ByteSpan bytes, const ReadLimits& limits = {});

// The same of a text of `size` bytes that begins with `text`; what follows comes in pieces.
[[nodiscard]] Result<Table> parse_mtx(std::string_view text, std::uint64_t size, WordReader::More more,
                                      const ReadLimits& limits);
// The same of a file, a piece of it at a time: beside the entries memory is bounded. Fails with the path in front.
[[nodiscard]] Result<Table> read_mtx(const std::filesystem::path& path, const ReadLimits& limits = {});

// A coordinate file of the columns' nonzero entries, column by column, with digits that read back as the same numbers.
[[nodiscard]] std::string format_mtx(const data::Columns& columns);
[[nodiscard]] Status write_mtx(const std::filesystem::path& path, const data::Columns& columns,
                               unsigned mode = kModePublic);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_MTX_H_
