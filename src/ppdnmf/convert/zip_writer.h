// An archive of arrays as scipy.sparse.save_npz(..., compressed=False) writes it, member after member.
#ifndef PPDNMF_CONVERT_ZIP_WRITER_H_
#define PPDNMF_CONVERT_ZIP_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/io/atomic_file.h>

namespace ppdnmf::convert {

// Sizes are always those of large archives (ZIP64), and the date is always the same one: the same arrays give the same
// bytes. All fail as AtomicFile does.
class ZipWriter {
 public:
  explicit ZipWriter(io::AtomicFile file) : file_(std::move(file)) {}

  // A list of numbers whose length is known at its end; between both its numbers.
  [[nodiscard]] Status begin_list(std::string_view name, std::string_view type);
  [[nodiscard]] Status add(ByteSpan numbers);
  [[nodiscard]] Status end_list(std::uint64_t count);
  // Another array, header and all.
  [[nodiscard]] Status whole(std::string_view name, ByteSpan array);
  [[nodiscard]] Status finish() &&;

 private:
  struct Member {
    std::string name;
    std::uint64_t offset = 0;  // of its header
    std::uint64_t bytes = 0;
    std::uint32_t check = 0;
  };
  [[nodiscard]] Status begin(std::string_view name);
  [[nodiscard]] Status end(std::uint64_t directory, std::uint64_t bytes);
  [[nodiscard]] Status write(ByteSpan content);
  [[nodiscard]] static Bytes local_header(const Member& member);

  io::AtomicFile file_;
  std::uint64_t size_ = 0;
  std::vector<Member> members_;
  std::string type_;
};

}  // namespace ppdnmf::convert

#endif  // PPDNMF_CONVERT_ZIP_WRITER_H_
