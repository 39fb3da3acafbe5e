#define PPDNMF_KEEP_LOOPS
#include <ppdnmf/crypto/internal/scalar_lanes.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace ppdnmf::crypto::internal {
namespace {

constexpr std::uint64_t kDigitMask = (std::uint64_t{1} << kLaneDigitBits) - 1;
__extension__ using Wide = unsigned __int128;

struct Scalar {
  using T = std::array<std::uint64_t, 8>;

  template <typename F>
  static T lanes(F f) {
    T out;  // NOLINT(cppcoreguidelines-pro-type-member-init): every lane is written
    for (std::size_t l = 0; l < 8; ++l) out[l] = f(l);
    return out;
  }
  static std::uint64_t mask_if_equal(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t difference = a ^ b;
    return ((difference | (0 - difference)) >> 63) - 1;
  }

  static T zero() { return {}; }
  static T load(const std::uint64_t* from) {
    return lanes([&](std::size_t l) { return from[l]; });
  }
  static void store(std::uint64_t* to, const T& value) {
    for (std::size_t l = 0; l < 8; ++l) to[l] = value[l];
  }
  static T broadcast(const std::uint64_t* word) {
    return lanes([&](std::size_t) { return *word; });
  }
  static T add(const T& a, const T& b) {
    return lanes([&](std::size_t l) { return a[l] + b[l]; });
  }
  static Wide product(std::uint64_t a, std::uint64_t b) { return Wide{a & kDigitMask} * (b & kDigitMask); }
  static T multiply_low(const T& sum, const T& a, const T& b) {
    return lanes(
        [&](std::size_t l) { return sum[l] + (static_cast<std::uint64_t>(product(a[l], b[l])) & kDigitMask); });
  }
  static T multiply_high(const T& sum, const T& a, const T& b) {
    return lanes(
        [&](std::size_t l) { return sum[l] + static_cast<std::uint64_t>(product(a[l], b[l]) >> kLaneDigitBits); });
  }
  static T low_digit(const T& a) {
    return lanes([&](std::size_t l) { return a[l] & kDigitMask; });
  }
  static T high_part(const T& a) {
    return lanes([&](std::size_t l) { return a[l] >> kLaneDigitBits; });
  }
  static T complement(const T& digit) {
    return lanes([&](std::size_t l) { return digit[l] ^ kDigitMask; });
  }
  static T carry_of_cancelled(const T& a) {
    return lanes([&](std::size_t l) { return (a[l] + kDigitMask) >> kLaneDigitBits; });
  }
  using Choice = T;
  static Choice choose(const T& index) { return index; }
  static T choose_of_sixteen(const Choice& choice, const T& first, const T& second) {
    T found{};
    for (std::size_t e = 0; e < 16; ++e) {
      const std::uint64_t word = e < 8 ? first[e] : second[e - 8];
      for (std::size_t l = 0; l < 8; ++l) found[l] |= word & mask_if_equal(e, choice[l] % 16);
    }
    return found;
  }
  static T choose_by_bit(const Choice& choice, std::size_t bit, const T& if_zero, const T& if_one) {
    return lanes([&](std::size_t l) {
      const std::uint64_t mask = 0 - ((choice[l] >> (4 + bit)) & 1);
      return (if_one[l] & mask) | (if_zero[l] & ~mask);
    });
  }
  static T keep_if_equal(const T& found, const T& candidate, std::uint64_t number, std::uint64_t wanted) {
    const std::uint64_t mask = mask_if_equal(number, wanted);
    return lanes([&](std::size_t l) { return (candidate[l] & mask) | (found[l] & ~mask); });
  }
};

constexpr ModularLanes kFunctions = LaneArithmetic<Scalar>::functions();

}  // namespace

const ModularLanes& scalar_functions() { return kFunctions; }

}  // namespace ppdnmf::crypto::internal
