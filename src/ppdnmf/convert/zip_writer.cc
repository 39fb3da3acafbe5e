#include <ppdnmf/convert/zip_writer.h>

#include <fmt/format.h>
#include <zlib.h>

#include <utility>

#include <ppdnmf/io/npy_header.h>
#include <ppdnmf/io/zip_format.h>

namespace ppdnmf::convert {
namespace {

constexpr std::uint16_t kVersion = 45;
constexpr std::uint16_t kFirstDay = 0x21;  // of 1980
// A header of any length of list takes the same room.
constexpr std::size_t kHeaderRoom = 118;

std::uint32_t check_of(ByteSpan bytes, std::uint32_t before = 0) {
  if (bytes.empty()) return before;  // zlib takes a null pointer for the wish to begin anew
  return static_cast<std::uint32_t>(::crc32_z(before, bytes.data(), bytes.size()));
}

Bytes list_header(std::string_view type, std::uint64_t count) {
  return io::encode_npy_header(type, fmt::format("({},)", count), false, kHeaderRoom);
}

void put16(ByteWriter& out, std::uint16_t number) { out.put(number); }
void put32(ByteWriter& out, std::uint32_t number) { out.put(number); }
void put64(ByteWriter& out, std::uint64_t number) { out.put(number); }

// What a member's own header and its entry in the directory have in common.
void put_common(ByteWriter& out, std::uint32_t check, std::size_t name, std::uint16_t extra) {
  put16(out, kVersion);
  put16(out, 0);  // flags
  put16(out, 0);  // stored
  put16(out, 0);  // midnight
  put16(out, kFirstDay);
  put32(out, check);
  put32(out, io::zip::kElsewhere);
  put32(out, io::zip::kElsewhere);
  put16(out, static_cast<std::uint16_t>(name));
  put16(out, extra);
}

void put_wide(ByteWriter& out, std::uint64_t bytes, std::uint16_t length) {
  put16(out, 1);
  put16(out, length);
  put64(out, bytes);
  put64(out, bytes);
}

}  // namespace

Bytes ZipWriter::local_header(const Member& member) {
  constexpr std::uint16_t kWide = 16;
  ByteWriter out;
  put32(out, io::zip::kLocal);
  put_common(out, member.check, member.name.size(), kWide + 4);
  out.put_array(member.name.data(), member.name.size());
  put_wide(out, member.bytes, kWide);
  return out.take();
}

Status ZipWriter::begin(std::string_view name) {
  Member member;
  member.name = std::string(name) + ".npy";
  member.offset = size_;
  members_.push_back(member);
  return write(local_header(member));
}

Status ZipWriter::write(ByteSpan content) {
  size_ += content.size();
  return file_.write(content);
}

Status ZipWriter::begin_list(std::string_view name, std::string_view type) {
  type_ = type;
  PPDNMF_TRY_STATUS(begin(name));
  return write(list_header(type_, 0));
}

Status ZipWriter::add(ByteSpan numbers) {
  Member& member = members_.back();
  member.check = check_of(numbers, member.check);
  member.bytes += numbers.size();
  return write(numbers);
}

Status ZipWriter::end_list(std::uint64_t count) {
  Member& member = members_.back();
  const Bytes header = list_header(type_, count);
  member.check = static_cast<std::uint32_t>(
      ::crc32_combine64(check_of(header), member.check, static_cast<z_off64_t>(member.bytes)));
  member.bytes += header.size();
  const Bytes local = local_header(member);
  PPDNMF_TRY_STATUS(file_.write_at(member.offset, local));
  return file_.write_at(member.offset + local.size(), header);
}

Status ZipWriter::whole(std::string_view name, ByteSpan array) {
  PPDNMF_TRY_STATUS(begin(name));
  Member& member = members_.back();
  member.check = check_of(array);
  member.bytes = array.size();
  PPDNMF_TRY_STATUS(write(array));
  return file_.write_at(member.offset, local_header(member));
}

Status ZipWriter::finish() && {
  constexpr std::uint16_t kWide = 24;
  ByteWriter out;
  const std::uint64_t directory = size_;
  for (const Member& member : members_) {
    put32(out, io::zip::kEntry);
    put16(out, kVersion);
    put_common(out, member.check, member.name.size(), kWide + 4);
    put16(out, 0);  // comment
    put16(out, 0);  // disk
    put16(out, 0);  // attributes
    put32(out, 0);
    put32(out, io::zip::kElsewhere);
    out.put_array(member.name.data(), member.name.size());
    put_wide(out, member.bytes, kWide);
    put64(out, member.offset);
  }
  const Bytes entries = out.take();
  PPDNMF_TRY_STATUS(write(entries));
  return end(directory, entries.size());
}

Status ZipWriter::end(std::uint64_t directory, std::uint64_t bytes) {
  constexpr std::uint64_t kEnd64Bytes = 44;  // behind this field
  ByteWriter out;
  put32(out, io::zip::kEnd64);
  put64(out, kEnd64Bytes);
  put16(out, kVersion);
  put16(out, kVersion);
  put64(out, 0);  // disks
  put64(out, members_.size());
  put64(out, members_.size());
  put64(out, bytes);
  put64(out, directory);
  put32(out, io::zip::kLocator64);
  put32(out, 0);
  put64(out, directory + bytes);
  put32(out, 1);
  put32(out, io::zip::kEnd);
  put32(out, 0);  // disks
  put16(out, static_cast<std::uint16_t>(members_.size()));
  put16(out, static_cast<std::uint16_t>(members_.size()));
  put32(out, io::zip::kElsewhere);
  put32(out, io::zip::kElsewhere);
  put16(out, 0);
  PPDNMF_TRY_STATUS(write(out.take()));
  return std::move(file_).commit();
}

}  // namespace ppdnmf::convert
