// A file as bytes: from the beginning to the end, or all at once.
#ifndef PPDNMF_IO_FILE_H_
#define PPDNMF_IO_FILE_H_

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
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
  // `count` bytes from a place on; what read() reads next does not change. Fails as read() does.
  [[nodiscard]] Status read_at(std::uint64_t place, std::uint8_t* to, std::size_t count) const;
  // The file itself, for those who read it in another way.
  [[nodiscard]] Descriptor release() && { return std::move(file_); }

 private:
  InputFile(std::string name, Descriptor file, std::uint64_t size)
      : name_(std::move(name)), file_(std::move(file)), size_(size) {}
  template <typename ReadSome>
  [[nodiscard]] Status read_all(std::size_t count, const ReadSome& read_some) const;

  std::string name_;
  Descriptor file_;
  std::uint64_t size_;
};

// A file's text in pieces: for readers that need no more than a word of it at a time. The file outlives it.
class FileText {
 public:
  static constexpr std::size_t kPiece = std::size_t{1} << 20;

  explicit FileText(InputFile& file)
      : file_(file), left_(file.size()), piece_(std::min<std::uint64_t>(left_, kPiece)) {}
  // As WordReader::More (io/text.h). Fails as InputFile::read does, and with kFile if nothing but `rest` fits.
  [[nodiscard]] Result<std::string_view> more(std::string_view rest);

 private:
  InputFile& file_;
  std::uint64_t left_;
  Bytes piece_;
};

// The whole file. Fails as InputFile does, and if the memory is not there.
[[nodiscard]] Result<Bytes> read_file(const std::filesystem::path& path, std::uint64_t max_bytes);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_FILE_H_
