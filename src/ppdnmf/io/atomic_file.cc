#include <ppdnmf/io/atomic_file.h>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include <ppdnmf/io/descriptor.h>

namespace ppdnmf::io {
namespace {

struct Temporary {
  std::string name;
  Descriptor file;
};

// A new file in the folder of `path`. Processes differ in their id, threads in the count; a name may still be taken by
// what a process with the same id left behind when it was killed.
Temporary open_temporary(const std::filesystem::path& path, unsigned mode) {
  static std::atomic<unsigned> count{0};
  const std::string start = path.filename().string().substr(0, 200);
  while (true) {
    std::string name = (path.parent_path() / fmt::format(".{}.{}.{}.tmp", start, ::getpid(), count++)).string();
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file >= 0 || errno != EEXIST) return {std::move(name), Descriptor(file)};
  }
}

tl::unexpected<Error> cannot_write(const std::filesystem::path& path) {
  return error(ErrorCode::kFile, "{}: cannot be written: {}", path.string(), errno_text());
}

}  // namespace

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& path, unsigned mode) {
  Temporary temporary = open_temporary(path, mode);
  if (temporary.file.get() < 0) return cannot_write(path);
  return AtomicFile(path, std::move(temporary.name), std::move(temporary.file));
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) (void)::unlink(temporary_.c_str());
}

Status AtomicFile::write(ByteSpan content) {
  if (!write_all(file_.get(), content)) return cannot_write(path_);
  return {};
}

Status AtomicFile::write_at(std::uint64_t offset, ByteSpan content) {
  const off_t end = ::lseek(file_.get(), 0, SEEK_CUR);
  if (end < 0 || ::lseek(file_.get(), static_cast<off_t>(offset), SEEK_SET) < 0 || !write_all(file_.get(), content) ||
      ::lseek(file_.get(), end, SEEK_SET) < 0) {
    return cannot_write(path_);
  }
  return {};
}

Status AtomicFile::commit() && {
  if (::fsync(file_.get()) != 0 || !file_.close() || std::rename(temporary_.c_str(), path_.c_str()) != 0)
    return cannot_write(path_);
  temporary_.clear();
  const std::filesystem::path folder = path_.parent_path();
  const Descriptor opened(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.get() < 0 || !sync_folder(opened.get())) return cannot_write(path_);
  return {};
}

Status write_file(const std::filesystem::path& path, ByteSpan content, unsigned mode) {
  PPDNMF_TRY(AtomicFile file, AtomicFile::create(path, mode));
  PPDNMF_TRY_STATUS(file.write(content));
  return std::move(file).commit();
}

Status check_can_write(const std::filesystem::path& path) {
  const Temporary temporary = open_temporary(path, kModeSecret);
  if (temporary.file.get() < 0) return cannot_write(path);
  (void)::unlink(temporary.name.c_str());
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return error(ErrorCode::kFile, "{}: cannot be written: it is a folder", path.string());
  return {};
}

Status write_file(const std::filesystem::path& path, std::string_view content, unsigned mode) {
  return write_file(path, ByteSpan(reinterpret_cast<const std::uint8_t*>(content.data()), content.size()), mode);
}

}  // namespace ppdnmf::io
