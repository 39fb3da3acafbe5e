// Three passes over the fields of a message: how many bytes it takes, writing them, reading them. All have the same
// calls, so that one function per message (internal/messages.h) serves the three. The bytes are protobuf's, in the one
// canonical form: fields in the order of their numbers, defaults left out, the fewest bytes for every number.
//
// Not protobuf's own library: it would take payloads of tens of megabytes through a string of its own, and unknown and
// repeated fields would have to be looked for afterwards. The tests hold these passes against it.
#ifndef PPDNMF_WIRE_INTERNAL_FIELDS_H_
#define PPDNMF_WIRE_INTERNAL_FIELDS_H_

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <ppdnmf/base/bytes.h>

namespace ppdnmf::wire {

enum class Kind : std::uint8_t { kNumber = 0, kBytes = 2 };

constexpr std::uint64_t tag(std::uint32_t field, Kind kind) {
  return std::uint64_t{field} << 3U | static_cast<std::uint64_t>(kind);
}
constexpr std::size_t varint_size(std::uint64_t value) {
  return (static_cast<std::size_t>(std::bit_width(value | 1U)) + 6) / 7;
}
// Signed numbers alternate, so that small ones are short.
constexpr std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1U ^ (0 - (value & 1U)));
}

class FieldSizer {
 public:
  static constexpr bool kReads = false;
  void number(std::uint32_t field, std::uint64_t value) {
    if (value != 0) size_ += varint_size(tag(field, Kind::kNumber)) + varint_size(value);
  }
  void integer(std::uint32_t field, std::int64_t value) { number(field, zigzag(value)); }
  void fixed(std::uint32_t field, ByteSpan bytes) { message(field, bytes.size()); }
  void bytes(std::uint32_t field, ByteSpan bytes) {
    if (!bytes.empty()) message(field, bytes.size());
  }
  void message(std::uint32_t field, std::size_t size) {
    size_ += varint_size(tag(field, Kind::kBytes)) + varint_size(size) + size;
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
};

class FieldWriter {
 public:
  static constexpr bool kReads = false;
  explicit FieldWriter(Bytes& out) : out_(out) {}
  void number(std::uint32_t field, std::uint64_t value) {
    if (value == 0) return;
    varint(tag(field, Kind::kNumber));
    varint(value);
  }
  void integer(std::uint32_t field, std::int64_t value) { number(field, zigzag(value)); }
  void fixed(std::uint32_t field, ByteSpan bytes) {
    message(field, bytes.size());
    out_.insert(out_.end(), bytes.begin(), bytes.end());
  }
  void bytes(std::uint32_t field, ByteSpan bytes) {
    if (!bytes.empty()) fixed(field, bytes);
  }
  // The head of a message of `size` bytes, which follow.
  void message(std::uint32_t field, std::size_t size) {
    varint(tag(field, Kind::kBytes));
    varint(size);
  }

 private:
  void varint(std::uint64_t value);
  Bytes& out_;
};

// After the first failure every further call does nothing.
class FieldReader {
 public:
  static constexpr bool kReads = true;
  explicit FieldReader(ByteSpan bytes) : bytes_(bytes) {}
  void number(std::uint32_t field, std::uint64_t& value);
  void number(std::uint32_t field, std::uint32_t& value);
  void number(std::uint32_t field, bool& value);
  void integer(std::uint32_t field, std::int64_t& value);
  void fixed(std::uint32_t field, std::span<std::uint8_t> out);
  void bytes(std::uint32_t field, Bytes& out);
  // The last field: a message that takes all bytes that are left. Gives its number; what it holds is read next.
  std::uint32_t message();

  void fail(std::string_view why);
  void end();  // fails if bytes are left
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  std::uint64_t varint();
  std::uint64_t number_up_to(std::uint32_t field, std::uint64_t most);
  bool starts(std::uint32_t field, Kind kind);
  ByteSpan content(std::uint32_t field);

  ByteSpan bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
  std::string why_;
};

}  // namespace ppdnmf::wire

#endif  // PPDNMF_WIRE_INTERNAL_FIELDS_H_
