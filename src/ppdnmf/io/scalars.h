// Binary numbers of other programs' files as doubles.
#ifndef PPDNMF_IO_SCALARS_H_
#define PPDNMF_IO_SCALARS_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace ppdnmf::io {

enum class ScalarType {
  kBool,
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kHalf,
  kFloat,
  kDouble
};

[[nodiscard]] constexpr std::size_t scalar_bytes(ScalarType type) {
  switch (type) {
    case ScalarType::kBool:
    case ScalarType::kInt8:
    case ScalarType::kUint8:
      return 1;
    case ScalarType::kInt16:
    case ScalarType::kUint16:
    case ScalarType::kHalf:
      return 2;
    case ScalarType::kInt32:
    case ScalarType::kUint32:
    case ScalarType::kFloat:
      return 4;
    default:
      return 8;
  }
}

// The T at `bytes`, which hold sizeof(T) bytes, in the file's byte order.
template <typename T>
[[nodiscard]] T load(const std::uint8_t* bytes, bool swap) {
  std::array<std::uint8_t, sizeof(T)> raw{};
  std::memcpy(raw.data(), bytes, sizeof(T));
  if (swap) std::reverse(raw.begin(), raw.end());
  return std::bit_cast<T>(raw);
}

// IEEE 754 binary16.
[[nodiscard]] inline double half_to_double(std::uint16_t bits) {
  const int exponent = (bits >> 10U) & 0x1FU;
  const int fraction = bits & 0x3FFU;
  double magnitude = 0;
  if (exponent == 0x1F) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, -24);
  } else {
    magnitude = std::ldexp(fraction + 1024, exponent - 25);
  }
  return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

// Calls visit(i, value) for `count` numbers from `bytes`, which hold count * scalar_bytes(type) bytes.
template <typename Visit>
void for_each_scalar(ScalarType type, const std::uint8_t* bytes, std::size_t count, bool swap, const Visit& visit) {
  const auto run = [&]<typename T>(T /*tag*/) {
    for (std::size_t i = 0; i < count; ++i) visit(i, static_cast<double>(load<T>(bytes + i * sizeof(T), swap)));
  };
  switch (type) {
    case ScalarType::kBool:
      for (std::size_t i = 0; i < count; ++i) visit(i, bytes[i] != 0 ? 1.0 : 0.0);
      return;
    case ScalarType::kInt8:
      return run(std::int8_t{});
    case ScalarType::kUint8:
      return run(std::uint8_t{});
    case ScalarType::kInt16:
      return run(std::int16_t{});
    case ScalarType::kUint16:
      return run(std::uint16_t{});
    case ScalarType::kInt32:
      return run(std::int32_t{});
    case ScalarType::kUint32:
      return run(std::uint32_t{});
    case ScalarType::kInt64:
      return run(std::int64_t{});
    case ScalarType::kUint64:
      return run(std::uint64_t{});
    case ScalarType::kHalf:
      for (std::size_t i = 0; i < count; ++i) visit(i, half_to_double(load<std::uint16_t>(bytes + 2 * i, swap)));
      return;
    case ScalarType::kFloat:
      return run(float{});
    case ScalarType::kDouble:
      return run(double{});
  }
}

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_SCALARS_H_
