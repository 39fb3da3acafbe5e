#include <ppdnmf/convert/temporary_file.h>

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

namespace ppdnmf::convert {

Result<TemporaryFile> TemporaryFile::create(const std::filesystem::path& folder) {
  const std::filesystem::path place = folder.empty() ? "." : folder;
  std::string name = (place / ".ppdnmf-convert-XXXXXX").string();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return error(ErrorCode::kFile, "{}: cannot be written: {}", place.string(), io::errno_text());
  (void)::unlink(name.c_str());
  return TemporaryFile(fmt::format("a temporary file in {}", place.string()), io::Descriptor(file));
}

Status TemporaryFile::write(ByteSpan content) {
  constexpr std::size_t kWorthWriting = 1 << 16;
  waiting_.insert(waiting_.end(), content.begin(), content.end());
  size_ += content.size();
  return waiting_.size() < kWorthWriting ? Status() : flush();
}

Status TemporaryFile::flush() {
  if (!io::write_all(file_.get(), waiting_))
    return error(ErrorCode::kFile, "{} cannot be written: {}", name_, io::errno_text());
  waiting_.clear();
  return {};
}

Result<std::shared_ptr<const io::DiskFile>> TemporaryFile::finish() && {
  PPDNMF_TRY_STATUS(flush());
  return io::DiskFile::adopt(name_, std::move(file_));
}

}  // namespace ppdnmf::convert
