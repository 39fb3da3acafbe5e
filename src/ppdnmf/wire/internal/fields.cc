#include <ppdnmf/wire/internal/fields.h>

#include <fmt/core.h>

#include <algorithm>
#include <limits>

namespace ppdnmf::wire {

void FieldWriter::varint(std::uint64_t value) {
  for (; value >= 0x80U; value >>= 7U) out_.push_back(static_cast<std::uint8_t>(value | 0x80U));
  out_.push_back(static_cast<std::uint8_t>(value));
}

void FieldReader::fail(std::string_view why) {
  if (failed_) return;
  failed_ = true;
  why_ = fmt::format("{}, at byte {} of {}", why, at_, bytes_.size());
}

void FieldReader::end() {
  if (!failed_ && at_ != bytes_.size()) fail("a field is unknown, repeated or not in its place");
}

std::uint64_t FieldReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && at_ < bytes_.size(); shift += 7) {
    const std::uint64_t byte = bytes_[at_++];
    const std::uint64_t bits = byte & 0x7fU;
    // The tenth byte has one bit to give, and the last one of several is not zero: it would not be needed.
    if ((shift == 63 && bits > 1) || (byte == 0 && shift > 0)) break;
    value |= bits << shift;
    if ((byte & 0x80U) == 0) return value;
  }
  fail("a number is cut off, too large or in more bytes than it needs");
  return 0;
}

bool FieldReader::starts(std::uint32_t field, Kind kind) {
  // Our field numbers are below 16: tags are single bytes.
  if (failed_ || at_ == bytes_.size() || bytes_[at_] != tag(field, kind)) return false;
  ++at_;
  return true;
}

std::uint64_t FieldReader::number_up_to(std::uint32_t field, std::uint64_t most) {
  if (!starts(field, Kind::kNumber)) return 0;
  const std::uint64_t value = varint();
  if (failed_) return 0;
  if (value == 0) fail(fmt::format("field {} is a zero that is left out otherwise", field));
  if (value > most) fail(fmt::format("field {} is {} and may be {} at most", field, value, most));
  return failed_ ? 0 : value;
}

void FieldReader::number(std::uint32_t field, std::uint64_t& value) {
  value = number_up_to(field, std::numeric_limits<std::uint64_t>::max());
}
void FieldReader::number(std::uint32_t field, std::uint32_t& value) {
  value = static_cast<std::uint32_t>(number_up_to(field, std::numeric_limits<std::uint32_t>::max()));
}
void FieldReader::number(std::uint32_t field, bool& value) { value = number_up_to(field, 1) != 0; }
void FieldReader::integer(std::uint32_t field, std::int64_t& value) {
  value = unzigzag(number_up_to(field, std::numeric_limits<std::uint64_t>::max()));
}

ByteSpan FieldReader::content(std::uint32_t field) {
  if (!starts(field, Kind::kBytes)) return {};
  const std::uint64_t size = varint();
  if (failed_) return {};
  if (size == 0 || size > bytes_.size() - at_) {
    fail(fmt::format("field {} is to have {} bytes, and {} are left", field, size, bytes_.size() - at_));
    return {};
  }
  const ByteSpan out = bytes_.subspan(at_, size);
  at_ += size;
  return out;
}

void FieldReader::fixed(std::uint32_t field, std::span<std::uint8_t> out) {
  const ByteSpan found = content(field);
  if (found.size() != out.size())
    return fail(fmt::format("field {} has {} bytes instead of {}", field, found.size(), out.size()));
  std::ranges::copy(found, out.begin());
}

void FieldReader::bytes(std::uint32_t field, Bytes& out) {
  const ByteSpan found = content(field);
  out.assign(found.begin(), found.end());
}

std::uint32_t FieldReader::message() {
  const std::uint64_t head = varint();
  const std::uint64_t size = varint();
  if (failed_) return 0;
  if ((head & 7U) != static_cast<std::uint64_t>(Kind::kBytes) || size != bytes_.size() - at_ || head >> 3U > 15) {
    fail("this is not exactly one message of a known kind");
    return 0;
  }
  return static_cast<std::uint32_t>(head >> 3U);
}

}  // namespace ppdnmf::wire
