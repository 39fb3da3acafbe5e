#include <ppdnmf/io/disk_file.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include <ppdnmf/io/file.h>

namespace ppdnmf::io {
namespace {

std::string changed(const std::string& how) { return how + "; begin again with a file that stays as it is"; }

}  // namespace

Result<std::shared_ptr<const DiskFile>> DiskFile::open(const std::filesystem::path& path) {
  PPDNMF_TRY(InputFile input, InputFile::open(path, UINT64_MAX));
  return adopt(path.string(), std::move(input).release());
}

Result<std::shared_ptr<const DiskFile>> DiskFile::adopt(std::string name, Descriptor opened) {
  const std::shared_ptr<DiskFile> file(new DiskFile(std::move(name), std::move(opened)));
  struct stat about {};
  if (::fstat(file->file_.get(), &about) != 0)
    return error(ErrorCode::kFile, "{}: cannot be opened: {}", file->name_, errno_text());
  file->size_ = static_cast<std::uint64_t>(about.st_size);
  file->changed_seconds_ = about.st_mtim.tv_sec;
  file->changed_nanoseconds_ = about.st_mtim.tv_nsec;
  return std::shared_ptr<const DiskFile>(file);
}

void DiskFile::read(std::uint64_t offset, void* to, std::size_t count) const {
  auto* const bytes = static_cast<std::uint8_t*>(to);
  for (std::size_t done = 0; done < count;) {
    const ssize_t now = ::pread(file_.get(), bytes + done, count - done, static_cast<off_t>(offset + done));
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) {
      spoil(now < 0 ? "cannot be read: " + errno_text() : changed("became shorter while it was used"));
      std::fill(bytes + done, bytes + count, std::uint8_t{0});
      return;
    }
    done += static_cast<std::size_t>(now);
  }
}

Result<Bytes> DiskFile::bytes(std::uint64_t offset, std::size_t count) const {
  if (offset > size_ || count > size_ - offset) return error(ErrorCode::kFile, "{}: is not complete", name_);
  try {
    Bytes out(count);
    read(offset, out.data(), count);
    PPDNMF_TRY_STATUS(unchanged());
    return out;
  } catch (const std::bad_alloc&) {
    return error(ErrorCode::kFile, "{}: there is not enough memory for {} bytes of it", name_, count);
  }
}

void DiskFile::spoil(const std::string& what) const {
  const std::lock_guard lock(mutex_);
  if (why_.empty()) why_ = what;
  spoilt_ = true;
}

Status DiskFile::unchanged() const {
  struct stat about {};
  if (!spoilt_) {
    if (::fstat(file_.get(), &about) != 0) {
      spoil("cannot be read: " + errno_text());
    } else if (static_cast<std::uint64_t>(about.st_size) != size_) {
      spoil(changed(static_cast<std::uint64_t>(about.st_size) < size_ ? "became shorter while it was used"
                                                                      : "became longer while it was used"));
    } else if (about.st_mtim.tv_sec != changed_seconds_ || about.st_mtim.tv_nsec != changed_nanoseconds_) {
      spoil(changed("was changed while it was used"));
    }
  }
  if (!spoilt_) return {};
  const std::lock_guard lock(mutex_);
  return error(ErrorCode::kFile, "{}: {}", name_, why_);
}

}  // namespace ppdnmf::io
