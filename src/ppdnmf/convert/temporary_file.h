// A file that nobody else sees and that is gone when it is closed, however that comes.
#ifndef PPDNMF_CONVERT_TEMPORARY_FILE_H_
#define PPDNMF_CONVERT_TEMPORARY_FILE_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/io/descriptor.h>
#include <ppdnmf/io/disk_file.h>

namespace ppdnmf::convert {

class TemporaryFile {
 public:
  // In `folder`, where the result will need as much room. All fail with kFile.
  [[nodiscard]] static Result<TemporaryFile> create(const std::filesystem::path& folder);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  // Behind what was written so far.
  [[nodiscard]] Status write(ByteSpan content);
  // All that was written, from now on only to be read.
  [[nodiscard]] Result<std::shared_ptr<const io::DiskFile>> finish() &&;

 private:
  TemporaryFile(std::string name, io::Descriptor file) : name_(std::move(name)), file_(std::move(file)) {}
  [[nodiscard]] Status flush();

  std::string name_;  // for sentences
  io::Descriptor file_;
  std::uint64_t size_ = 0;
  Bytes waiting_;
};

}  // namespace ppdnmf::convert

#endif  // PPDNMF_CONVERT_TEMPORARY_FILE_H_
