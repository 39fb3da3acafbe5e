#include <ppdnmf/host/common_memory.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <utility>

namespace ppdnmf::host {
namespace {

tl::unexpected<Error> none(const std::string& name) {
  return error(ErrorCode::kFile, "{}: this memory cannot be shared between processes", name);
}

void* map(int file, std::size_t bytes) {
  return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
}

}  // namespace

CommonMemory::CommonMemory(std::string name, bool own, void* data, std::size_t bytes)
    : name_(std::move(name)), named_by_us_(own), data_(data), bytes_(bytes) {}

CommonMemory::CommonMemory(CommonMemory&& other) noexcept
    : name_(std::move(other.name_)),
      named_by_us_(std::exchange(other.named_by_us_, false)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(other.bytes_) {}

CommonMemory::~CommonMemory() {
  forget_name();
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

void CommonMemory::forget_name() {
  if (std::exchange(named_by_us_, false)) ::shm_unlink(name_.c_str());
}

Result<CommonMemory> CommonMemory::create(std::size_t bytes) {
  static std::atomic<unsigned> number = 0;
  const std::string name = fmt::format("/ppdnmf-{}-{}", ::getpid(), number++);
  PPDNMF_CHECK(bytes > 0);
  constexpr int kOwner = 0600;
  const int file = ::shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kOwner);
  if (file < 0) return none(name);
  // Memory that is promised only ends a process when it is written to.
  void* const data = ::posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0 ? map(file, bytes) : MAP_FAILED;
  ::close(file);
  if (data == MAP_FAILED) {
    ::shm_unlink(name.c_str());
    return none(name);
  }
  return CommonMemory(name, true, data, bytes);
}

Result<CommonMemory> CommonMemory::open(const std::string& name, std::size_t bytes) {
  const int file = ::shm_open(name.c_str(), O_RDWR | O_CLOEXEC, 0);
  if (file < 0) return none(name);
  struct stat about {};
  const bool whole = ::fstat(file, &about) == 0 && about.st_size == static_cast<off_t>(bytes);
  void* const data = whole ? map(file, bytes) : MAP_FAILED;
  ::close(file);
  if (data == MAP_FAILED) return none(name);
  return CommonMemory(name, false, data, bytes);
}

}  // namespace ppdnmf::host
