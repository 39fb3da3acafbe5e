// Little-endian bytes in and out, for saved states and payloads. Immutable rules: integers are little-endian, a length
// is a u64 in front of what it counts, doubles are their IEEE bits.
#ifndef PPDNMF_BASE_BYTES_H_
#define PPDNMF_BASE_BYTES_H_

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ppdnmf/base/int128.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf {

using Bytes = std::vector<std::uint8_t>;
using ByteSpan = std::span<const std::uint8_t>;

static_assert(std::endian::native == std::endian::little, "integers are copied as they stand in memory");

// Overwrites memory in a way that the compiler may not remove.
inline void overwrite(void* data, std::size_t size) {
  if (size > 0) std::memset(data, 0, size);
  __asm__ __volatile__("" : : "r"(data) : "memory");  // somebody could look
}

// What it writes may be secret: no copy is left behind where its buffer was before it grew. Who takes the bytes wipes
// them.
class ByteWriter {
 public:
  // Room for `expected` bytes is taken at once, so that long states are not moved while they grow; more may follow.
  explicit ByteWriter(std::size_t expected = 0) { bytes_.reserve(expected); }
  // Writes into memory that was used before: a long state need not ask the system for its pages each time.
  explicit ByteWriter(Bytes room) : bytes_(std::move(room)) { bytes_.clear(); }
  ByteWriter(const ByteWriter&) = delete;
  ByteWriter& operator=(const ByteWriter&) = delete;
  ByteWriter(ByteWriter&&) = delete;
  ByteWriter& operator=(ByteWriter&&) = delete;
  ~ByteWriter() { overwrite(bytes_.data(), bytes_.size()); }

  template <typename T>
  requires std::integral<T> || std::floating_point<T> || std::same_as<T, Int128>
  void put(T value) { raw(&value, sizeof value); }
  void put_bytes(ByteSpan bytes) {
    put<std::uint64_t>(bytes.size());
    raw(bytes.data(), bytes.size());
  }
  void put_string(std::string_view text) {
    put<std::uint64_t>(text.size());
    raw(text.data(), text.size());
  }
  // `count` values of T without a length in front.
  template <typename T>
  void put_array(const T* values, std::size_t count) {
    raw(values, count * sizeof(T));
  }
  [[nodiscard]] Bytes take() { return std::move(bytes_); }

 private:
  void raw(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::uint8_t*>(data);
    if (size > bytes_.capacity() - bytes_.size()) grow(bytes_.size() + size);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  void grow(std::size_t least) {
    Bytes larger;
    larger.reserve(std::max(least, 2 * bytes_.capacity()));
    larger.assign(bytes_.begin(), bytes_.end());
    overwrite(bytes_.data(), bytes_.size());
    bytes_.swap(larger);
  }
  Bytes bytes_;
};

// Reads what ByteWriter wrote. Never reads past the end: the first short read makes every later one fail, so a caller
// may read a whole record and ask `status()` once. Lengths are checked against what is left before anything is
// allocated.
class ByteReader {
 public:
  explicit ByteReader(ByteSpan bytes) : bytes_(bytes) {}

  template <typename T>
  requires std::integral<T> || std::floating_point<T> || std::same_as<T, Int128> T get() {
    T value{};
    get_array(&value, 1);
    return value;
  }
  Bytes get_bytes() {
    const ByteSpan found = view_bytes();
    return {found.begin(), found.end()};
  }
  // The same without a copy: valid as long as what is read.
  ByteSpan view_bytes() {
    const auto size = get<std::uint64_t>();
    if (size > left()) {
      failed_ = true;
      return {};
    }
    const ByteSpan found = bytes_.subspan(at_, size);
    at_ += size;
    return found;
  }
  std::string get_string() {
    const Bytes bytes = get_bytes();
    return {bytes.begin(), bytes.end()};
  }
  template <typename T>
  void get_array(T* values, std::size_t count) {
    if (failed_ || count > left() / sizeof(T)) {
      failed_ = true;
      return;
    }
    if (count > 0) std::memcpy(values, bytes_.data() + at_, count * sizeof(T));
    at_ += count * sizeof(T);
  }
  [[nodiscard]] std::size_t left() const { return failed_ ? 0 : bytes_.size() - at_; }
  // Whether a read went past the end.
  [[nodiscard]] bool failed() const { return failed_; }

  // Fails with kInvalidData if a read went past the end, or if bytes are left over.
  [[nodiscard]] Status status() const {
    if (failed_) return error(ErrorCode::kInvalidData, "it ends too early");
    if (left() != 0) return error(ErrorCode::kInvalidData, "it has {} bytes too many", left());
    return {};
  }

 private:
  ByteSpan bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace ppdnmf

#endif  // PPDNMF_BASE_BYTES_H_
