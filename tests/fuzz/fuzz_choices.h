// A fuzzer's bytes as a sequence of choices.
#ifndef PPDNMF_TESTS_FUZZ_FUZZ_CHOICES_H_
#define PPDNMF_TESTS_FUZZ_FUZZ_CHOICES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <ppdnmf/base/bytes.h>

namespace ppdnmf {

// Bytes to choose from; zeros when they are used up.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  std::uint8_t byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  std::int64_t number() {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8U | byte();
    return static_cast<std::int64_t>(value);
  }
  Bytes bytes(std::size_t size) {
    Bytes out(size);
    for (auto& b : out) b = byte();
    return out;
  }
  // The same, but no more than are left.
  Bytes bytes_left(std::size_t max) { return bytes(std::min(max, left_)); }
  [[nodiscard]] bool empty() const { return left_ == 0; }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

}  // namespace ppdnmf

#endif  // PPDNMF_TESTS_FUZZ_FUZZ_CHOICES_H_
