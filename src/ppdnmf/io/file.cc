#include <ppdnmf/io/file.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>

#include <ppdnmf/io/descriptor.h>

namespace ppdnmf::io {

// read_some(done) reads some of the bytes behind the first `done`, as read(2) does.
template <typename ReadSome>
Status InputFile::read_all(std::size_t count, const ReadSome& read_some) const {
  for (std::size_t done = 0; done < count;) {
    const ssize_t now = read_some(done);
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) return error(ErrorCode::kFile, "{}: cannot be read: {}", name_, errno_text());
    if (now == 0) return error(ErrorCode::kFile, "{}: became shorter while it was read", name_);
    done += static_cast<std::size_t>(now);
  }
  return {};
}

Result<InputFile> InputFile::open(const std::filesystem::path& path, std::uint64_t max_bytes) {
  std::string name = path.string();
  // Without O_NONBLOCK a named pipe would wait for its writer before it can be refused.
  Descriptor file(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
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
  return InputFile(std::move(name), std::move(file), size);
}

Status InputFile::read(std::uint8_t* to, std::size_t count) {
  return read_all(count, [&](std::size_t done) { return ::read(file_.get(), to + done, count - done); });
}

Status InputFile::read_at(std::uint64_t place, std::uint8_t* to, std::size_t count) const {
  return read_all(count, [&](std::size_t done) {
    return ::pread(file_.get(), to + done, count - done, static_cast<off_t>(place + done));
  });
}

Result<std::string_view> FileText::more(std::string_view rest) {
  if (rest.size() == piece_.size() && left_ > 0)
    return error(ErrorCode::kFile, "it has a word of more than {} letters: it is not such a file", rest.size() - 1);
  if (!rest.empty()) std::memmove(piece_.data(), rest.data(), rest.size());
  const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(left_, piece_.size() - rest.size()));
  PPDNMF_TRY_STATUS(file_.read(piece_.data() + rest.size(), now));
  left_ -= now;
  return std::string_view(reinterpret_cast<const char*>(piece_.data()), rest.size() + now);
}

Result<Bytes> read_file(const std::filesystem::path& path, std::uint64_t max_bytes) {
  PPDNMF_TRY(InputFile file, InputFile::open(path, max_bytes));
  try {
    Bytes bytes(file.size());
    PPDNMF_TRY_STATUS(file.read(bytes.data(), bytes.size()));
    return bytes;
  } catch (const std::bad_alloc&) {
    return error(ErrorCode::kFile, "{}: there is not enough memory for its {} bytes", path.string(), file.size());
  }
}

}  // namespace ppdnmf::io
