// Files that are there completely or not at all.
#ifndef PPDNMF_IO_ATOMIC_FILE_H_
#define PPDNMF_IO_ATOMIC_FILE_H_

#include <filesystem>
#include <string_view>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf::io {

inline constexpr unsigned kModePublic = 0666;  // less the process's umask, as for any new file
inline constexpr unsigned kModeSecret = 0600;

// Writes `content` under a temporary name in the same folder, makes it durable, and only then gives it its name; a file
// that had this name is replaced. After a crash the name shows the old content or the new one. Fails with kFile (no
// such folder, no permission, full disk, ...); then the old file is untouched and the temporary one is removed.
[[nodiscard]] Status write_file(const std::filesystem::path& path, ByteSpan content, unsigned mode = kModePublic);
[[nodiscard]] Status write_file(const std::filesystem::path& path, std::string_view content,
                                unsigned mode = kModePublic);

// Whether write_file would get as far as having to write: asked before hours of work whose result goes there. Fails
// with kFile.
[[nodiscard]] Status check_can_write(const std::filesystem::path& path);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_ATOMIC_FILE_H_
