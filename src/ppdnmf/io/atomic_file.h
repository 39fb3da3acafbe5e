// Files that are there completely or not at all.
#ifndef PPDNMF_IO_ATOMIC_FILE_H_
#define PPDNMF_IO_ATOMIC_FILE_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/io/descriptor.h>

namespace ppdnmf::io {

inline constexpr unsigned kModePublic = 0666;  // less the process's umask, as for any new file
inline constexpr unsigned kModeSecret = 0600;

// Writes `content` under a temporary name in the same folder, makes it durable, and only then gives it its name; a file
// that had this name is replaced. After a crash the name shows the old content or the new one. Fails with kFile (no
// such folder, no permission, full disk, ...); then the old file is untouched and the temporary one is removed.
[[nodiscard]] Status write_file(const std::filesystem::path& path, ByteSpan content, unsigned mode = kModePublic);
[[nodiscard]] Status write_file(const std::filesystem::path& path, std::string_view content,
                                unsigned mode = kModePublic);

// The same for what is not in memory as a whole: written a piece at a time, and renamed at the end. What is not
// committed leaves nothing behind.
class AtomicFile {
 public:
  // All fail with kFile as write_file does.
  [[nodiscard]] static Result<AtomicFile> create(const std::filesystem::path& path, unsigned mode = kModePublic);
  AtomicFile(AtomicFile&& other) noexcept
      : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})), file_(std::move(other.file_)) {}
  AtomicFile& operator=(AtomicFile&&) = delete;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  // Behind what was written so far.
  [[nodiscard]] Status write(ByteSpan content);
  // Over bytes that were written.
  [[nodiscard]] Status write_at(std::uint64_t offset, ByteSpan content);
  [[nodiscard]] Status commit() &&;

 private:
  AtomicFile(std::filesystem::path path, std::string temporary, Descriptor file)
      : path_(std::move(path)), temporary_(std::move(temporary)), file_(std::move(file)) {}

  std::filesystem::path path_;
  std::string temporary_;  // empty: nothing to remove
  Descriptor file_;
};

// Whether write_file would get as far as having to write: asked before hours of work whose result goes there. Fails
// with kFile.
[[nodiscard]] Status check_can_write(const std::filesystem::path& path);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_ATOMIC_FILE_H_
