#include <ppdnmf/io/file.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <system_error>

#include <ppdnmf/io/descriptor.h>

namespace ppdnmf::io {

Result<Bytes> read_file(const std::filesystem::path& path, std::uint64_t max_bytes) {
  const std::string name = path.string();
  // Without O_NONBLOCK a named pipe would wait for its writer before it can be refused.
  const Descriptor file(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat about {};
  if (file.get() < 0 || ::fstat(file.get(), &about) != 0) {
    return error(ErrorCode::kFile, "{}: cannot be opened: {}", name, errno_text());
  }
  if (S_ISDIR(about.st_mode)) return error(ErrorCode::kFile, "{}: is a folder, not a file", name);
  if (!S_ISREG(about.st_mode)) return error(ErrorCode::kFile, "{}: is not a regular file", name);
  const auto size = static_cast<std::uint64_t>(about.st_size);
  if (size == 0) return error(ErrorCode::kFile, "{}: is empty", name);
  if (size > max_bytes) {
    return error(ErrorCode::kFile, "{}: has {} bytes; at most {} can be read", name, size, max_bytes);
  }
  try {
    Bytes bytes(size);
    std::size_t done = 0;
    while (done < size) {
      const ssize_t count = ::read(file.get(), bytes.data() + done, size - done);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return error(ErrorCode::kFile, "{}: cannot be read: {}", name, errno_text());
      if (count == 0) return error(ErrorCode::kFile, "{}: became shorter while it was read", name);
      done += static_cast<std::size_t>(count);
    }
    return bytes;
  } catch (const std::bad_alloc&) {
    return error(ErrorCode::kFile, "{}: there is not enough memory for its {} bytes", name, size);
  }
}

}  // namespace ppdnmf::io
