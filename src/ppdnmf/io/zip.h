// The members of a ZIP archive, as numpy's .npz files are. Nothing here trusts a size.
#ifndef PPDNMF_IO_ZIP_H_
#define PPDNMF_IO_ZIP_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf::io {

// Where a member stands in an archive.
struct ZipPlace {
  std::string name;
  bool deflated = false;
  std::uint64_t offset = 0;  // of its packed bytes
  std::uint64_t packed = 0;
  std::uint64_t size = 0;  // unpacked, as the archive claims
  std::uint32_t check = 0;
};
// As list_zip, of an archive of `size` bytes that is not in memory: read(offset, count) gives some of them, which are
// within.
using ReadAt = std::function<Result<Bytes>(std::uint64_t offset, std::size_t count)>;
[[nodiscard]] Result<std::vector<ZipPlace>> list_zip(std::uint64_t size, const ReadAt& read);

struct ZipMember {
  std::string name;
  bool deflated = false;
  ByteSpan packed;          // as it stands in the archive, which outlives it
  std::uint64_t size = 0;   // unpacked, as the archive claims
  std::uint32_t check = 0;  // CRC-32 of what it unpacks to
};

// What the archive's directory lists. Fails with kFile if it is not an archive, if it is cut short or broken, or if a
// member is encrypted or packed in another way than stored or deflated. Archives above 4 GiB can be read.
[[nodiscard]] Result<std::vector<ZipMember>> list_zip(ByteSpan archive);

// A member's content: as it stands in the archive, or inflated into `storage`. Fails with kFile if it is larger than
// `max_bytes` or than it claims, or if its checksum is another one.
[[nodiscard]] Result<ByteSpan> open_zip_member(const ZipMember& member, std::uint64_t max_bytes, Bytes& storage);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_ZIP_H_
