#include <ppdnmf/io/zip.h>

#include <zlib.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include <ppdnmf/io/inflate.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/io/zip_format.h>

namespace ppdnmf::io {
namespace {

constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kLocatorBytes = 20;
constexpr std::size_t kLocalBytes = 30;
constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;

tl::unexpected<Error> broken() {
  return error(ErrorCode::kFile, "it is not a complete archive: it is cut short or broken");
}

struct Directory {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  std::uint64_t offset = 0;
};

// The end of an archive says where its directory is. A comment may stand behind it.
Result<Directory> find_directory(std::uint64_t size, const ReadAt& read) {
  constexpr std::size_t kMaxComment = 0xffff;
  if (size < kEndBytes) return broken();
  const std::uint64_t tail_bytes = std::min<std::uint64_t>(size, kMaxComment + kEndBytes + kLocatorBytes);
  PPDNMF_TRY(const Bytes tail_storage, read(size - tail_bytes, static_cast<std::size_t>(tail_bytes)));
  const ByteSpan tail = tail_storage;
  const std::size_t last = tail.size() - kEndBytes;
  for (std::size_t back = 0; back <= std::min(last, kMaxComment); ++back) {
    const std::size_t at = last - back;
    ByteReader in(tail.subspan(at));
    if (in.get<std::uint32_t>() != zip::kEnd) continue;
    for (int i = 0; i < 3; ++i) (void)in.get<std::uint16_t>();  // disks, and entries on this one
    Directory directory;
    directory.count = in.get<std::uint16_t>();
    directory.bytes = in.get<std::uint32_t>();
    directory.offset = in.get<std::uint32_t>();
    const bool large =
        directory.count == 0xffff || directory.bytes == zip::kElsewhere || directory.offset == zip::kElsewhere;
    if (!large || at < kLocatorBytes) return directory;
    ByteReader locator(tail.subspan(at - kLocatorBytes));
    if (locator.get<std::uint32_t>() != zip::kLocator64) return directory;
    (void)locator.get<std::uint32_t>();
    const auto place = locator.get<std::uint64_t>();
    if (place > size) return broken();
    constexpr std::uint64_t kEnd64Bytes = 56;
    PPDNMF_TRY(const Bytes end_bytes, read(place, static_cast<std::size_t>(std::min(kEnd64Bytes, size - place))));
    ByteReader end(end_bytes);
    if (end.get<std::uint32_t>() != zip::kEnd64) return broken();
    (void)end.get<std::uint64_t>();  // its own size
    (void)end.get<std::uint32_t>();  // versions
    (void)end.get<std::uint64_t>();  // disks
    (void)end.get<std::uint64_t>();  // entries on this one
    directory.count = end.get<std::uint64_t>();
    directory.bytes = end.get<std::uint64_t>();
    directory.offset = end.get<std::uint64_t>();
    if (!end.status()) return broken();
    return directory;
  }
  return error(ErrorCode::kFile, "it is not an .npz archive");
}

struct Sizes {
  std::uint64_t unpacked = 0, packed = 0, offset = 0;
};

// Sizes that do not fit into 32 bits stand in a field behind the name, those that are needed and in this order.
Status widen(ByteSpan extra, Sizes& sizes) {
  constexpr std::uint16_t kWide = 1;
  while (extra.size() >= 4) {
    ByteReader in(extra);
    const auto tag = in.get<std::uint16_t>();
    const auto length = in.get<std::uint16_t>();
    if (length > in.left()) return broken();
    if (tag == kWide) {
      ByteReader wide(extra.subspan(4, length));
      for (std::uint64_t* size : {&sizes.unpacked, &sizes.packed, &sizes.offset}) {
        if (*size == zip::kElsewhere) *size = wide.get<std::uint64_t>();
      }
      if (!wide.status()) return broken();
      return {};
    }
    extra = extra.subspan(4 + length);
  }
  return {};
}

// Where the member's bytes begin: behind a header of its own, whose lengths may differ from the directory's.
Result<std::uint64_t> begin_of(std::uint64_t size, const ReadAt& read, const Sizes& sizes) {
  if (sizes.offset > size || size - sizes.offset < kLocalBytes) return broken();
  PPDNMF_TRY(const Bytes header, read(sizes.offset, kLocalBytes));
  ByteReader in(header);
  if (in.get<std::uint32_t>() != zip::kLocal) return broken();
  constexpr std::size_t kBeforeLengths = 26;
  ByteReader lengths(ByteSpan(header).subspan(kBeforeLengths));
  const std::size_t name = lengths.get<std::uint16_t>();
  const std::size_t extra = lengths.get<std::uint16_t>();
  const std::uint64_t begin = sizes.offset + kLocalBytes + name + extra;
  if (begin > size || sizes.packed > size - begin) return broken();
  return begin;
}

// Takes an entry of the directory off its front.
Result<ZipPlace> next_place(std::uint64_t size, const ReadAt& read, ByteSpan& directory) {
  constexpr std::size_t kEntryBytes = 46;
  if (directory.size() < kEntryBytes) return broken();
  ByteReader in(directory);
  if (in.get<std::uint32_t>() != zip::kEntry) return broken();
  (void)in.get<std::uint32_t>();  // versions
  const auto flags = in.get<std::uint16_t>();
  const auto method = in.get<std::uint16_t>();
  (void)in.get<std::uint32_t>();  // time
  ZipPlace member;
  member.check = in.get<std::uint32_t>();
  Sizes sizes;
  sizes.packed = in.get<std::uint32_t>();
  sizes.unpacked = in.get<std::uint32_t>();
  const std::size_t name = in.get<std::uint16_t>();
  const std::size_t extra = in.get<std::uint16_t>();
  const std::size_t comment = in.get<std::uint16_t>();
  (void)in.get<std::uint64_t>();  // disk and attributes
  sizes.offset = in.get<std::uint32_t>();
  if (directory.size() - kEntryBytes < name + extra + comment) return broken();
  member.name = as_text(directory.subspan(kEntryBytes, name));
  PPDNMF_TRY_STATUS(widen(directory.subspan(kEntryBytes + name, extra), sizes));
  directory = directory.subspan(kEntryBytes + name + extra + comment);
  if ((flags & 1U) != 0) return error(ErrorCode::kFile, "its member {} is encrypted", in_quotes(member.name));
  if (method != kStored && method != kDeflated) {
    return error(ErrorCode::kFile, "its member {} is compressed in a way that cannot be read", in_quotes(member.name));
  }
  member.deflated = method == kDeflated;
  member.size = sizes.unpacked;
  member.packed = sizes.packed;
  PPDNMF_TRY(member.offset, begin_of(size, read, sizes));
  return member;
}

std::uint32_t check_of(ByteSpan bytes) { return static_cast<std::uint32_t>(::crc32_z(0, bytes.data(), bytes.size())); }

}  // namespace

Result<std::vector<ZipPlace>> list_zip(std::uint64_t size, const ReadAt& read) {
  PPDNMF_TRY(const Directory directory, find_directory(size, read));
  if (directory.offset > size || directory.bytes > size - directory.offset) return broken();
  PPDNMF_TRY(const Bytes entries, read(directory.offset, static_cast<std::size_t>(directory.bytes)));
  ByteSpan left = entries;
  std::vector<ZipPlace> places;
  for (std::uint64_t i = 0; i < directory.count; ++i) {
    PPDNMF_TRY(ZipPlace place, next_place(size, read, left));
    places.push_back(std::move(place));
  }
  return places;
}

Result<std::vector<ZipMember>> list_zip(ByteSpan archive) {
  const auto read = [&](std::uint64_t offset, std::size_t count) -> Result<Bytes> {
    const ByteSpan part = archive.subspan(offset, count);
    return Bytes(part.begin(), part.end());
  };
  PPDNMF_TRY(const std::vector<ZipPlace> places, list_zip(archive.size(), read));
  std::vector<ZipMember> members;
  members.reserve(places.size());
  for (const ZipPlace& place : places) {
    members.push_back(
        {place.name, place.deflated, archive.subspan(place.offset, place.packed), place.size, place.check});
  }
  return members;
}

Result<ByteSpan> open_zip_member(const ZipMember& member, std::uint64_t max_bytes, Bytes& storage) {
  if (member.size > max_bytes) {
    return error(ErrorCode::kFile, "its member {} is larger than {} bytes", in_quotes(member.name), max_bytes);
  }
  ByteSpan content = member.packed;
  if (member.deflated) {
    PPDNMF_TRY(storage, inflate_raw(member.packed, member.size));
    content = storage;
  }
  if (content.size() != member.size || check_of(content) != member.check)
    return error(ErrorCode::kFile, "its member {} is broken: its checksum is another one", in_quotes(member.name));
  return content;
}

}  // namespace ppdnmf::io
