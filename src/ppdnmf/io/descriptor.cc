#include <ppdnmf/io/descriptor.h>

namespace ppdnmf::io {

bool write_all(int file, ByteSpan content) {
  while (!content.empty()) {
    const ssize_t count = ::write(file, content.data(), content.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    content = content.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

bool sync_folder(int folder) { return ::fsync(folder) == 0 || errno == EINVAL; }

}  // namespace ppdnmf::io
