// A file that stays on disk while one works with what is in it.
//
// It is read a piece at a time (not mapped: decision 0055). Whoever reads cannot fail in the middle of a computation;
// where bytes cannot be had zeros come instead, and unchanged() says from then on that nothing may be made of them.
#ifndef PPDNMF_IO_DISK_FILE_H_
#define PPDNMF_IO_DISK_FILE_H_

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/io/descriptor.h>

namespace ppdnmf::io {

// May be shared between threads.
class DiskFile {
 public:
  // Fails as InputFile::open does, but no size is too large.
  [[nodiscard]] static Result<std::shared_ptr<const DiskFile>> open(const std::filesystem::path& path);

  // One that is open already.
  [[nodiscard]] static Result<std::shared_ptr<const DiskFile>> adopt(std::string name, Descriptor file);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  // `count` bytes from `offset` on, or zeros.
  void read(std::uint64_t offset, void* to, std::size_t count) const;
  // The same for those who can fail: with kFile, the name in front.
  [[nodiscard]] Result<Bytes> bytes(std::uint64_t offset, std::size_t count) const;
  // From now on unchanged() fails with "NAME: what".
  void spoil(const std::string& what) const;
  // Fails with kFile if something was spoilt, or if the file's length or the time of its last change are others than
  // when it was opened. A new file under the same name is no change: this one is still the old one.
  [[nodiscard]] Status unchanged() const;

 private:
  DiskFile(std::string name, Descriptor file) : name_(std::move(name)), file_(std::move(file)) {}

  std::string name_;
  Descriptor file_;
  std::uint64_t size_ = 0;
  std::int64_t changed_seconds_ = 0;
  std::int64_t changed_nanoseconds_ = 0;
  mutable std::atomic<bool> spoilt_{false};
  mutable std::mutex mutex_;
  mutable std::string why_;
};

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_DISK_FILE_H_
