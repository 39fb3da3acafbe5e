// A file as bytes: from the beginning to the end, or all at once.
#ifndef PPDNMF_IO_FILE_H_
#define PPDNMF_IO_FILE_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/io/descriptor.h>

namespace ppdnmf::io {

class InputFile {
 public:
  // Fails with kFile, the path in front, if there is no such file, it is a folder or no regular file, it may not be
  // read, or it is empty or longer than `max_bytes`.
  [[nodiscard]] static Result<InputFile> open(const std::filesystem::path& path, std::uint64_t max_bytes);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  // The next `count` bytes. Fails with kFile, the path in front, if they cannot be read or are not there.
  [[nodiscard]] Status read(std::uint8_t* to, std::size_t count);
  // The file itself, for those who read it in another way.
  [[nodiscard]] Descriptor release() && { return std::move(file_); }

 private:
  InputFile(std::string name, Descriptor file, std::uint64_t size)
      : name_(std::move(name)), file_(std::move(file)), size_(size) {}

  std::string name_;
  Descriptor file_;
  std::uint64_t size_;
};

// The whole file. Fails as InputFile does, and if the memory is not there.
[[nodiscard]] Result<Bytes> read_file(const std::filesystem::path& path, std::uint64_t max_bytes);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_FILE_H_
