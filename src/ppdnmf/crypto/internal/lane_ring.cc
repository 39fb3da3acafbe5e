#include <ppdnmf/crypto/internal/lane_ring.h>

#include <algorithm>
#include <array>

#include <ppdnmf/base/result.h>

namespace ppdnmf::crypto::internal {
namespace {

constexpr std::uint64_t kDigitMask = (std::uint64_t{1} << kLaneDigitBits) - 1;
constexpr std::size_t kMaxWords = kMaxRootBits / 64 + 1;

// Bits [52 d, 52 d + 52) of a number; bits past its words are 0.
std::uint64_t digit_of(const std::uint64_t* words, std::size_t count, std::size_t d) {
  const std::size_t bit = d * kLaneDigitBits;
  const std::size_t word = bit / 64;
  const std::size_t shift = bit % 64;
  std::uint64_t digit = word < count ? words[word] >> shift : 0;
  if (shift > 64 - kLaneDigitBits && word + 1 < count) digit |= words[word + 1] << (64 - shift);
  return digit & kDigitMask;
}

SecretWords digits_of(const Integer& value, std::size_t digits) {
  SecretWords words((value.bits() + 63) / 64 + 1);
  value.to_words(words.span());
  SecretWords out(digits);
  for (std::size_t d = 0; d < digits; ++d) out.data()[d] = digit_of(words.data(), words.size(), d);
  return out;
}

// 16 n <= 2^(52 D) keeps the halves of a product below 2n; kRows divides D.
std::size_t digits_for(const Integer& n) {
  const std::size_t needed = (n.bits() + 4 + kLaneDigitBits - 1) / kLaneDigitBits;
  return (needed + kRows - 1) / kRows * kRows;
}

}  // namespace

LaneRing::LaneRing(const Integer& n, const ModularLanes& functions)
    : SquareRing(n), functions_(functions), n_words_(half_words() + 1) {
  // One row block works on 2 kRows positions at once, so fewer digits than that do not do.
  modulus_.digits = std::max<std::size_t>(digits_for(n), 2 * kRows);
  PPDNMF_CHECK(modulus_.digits <= kMaxLaneDigits);
  n_digits_ = digits_of(n, modulus_.digits);
  c_digits_ =
      digits_of(mod(Integer(0) - power_of_two(kLaneDigitBits * modulus_.digits), n) + Integer(1), modulus_.digits);
  n.to_words(n_words_.span());
  modulus_.n = n_digits_.data();
  modulus_.c = c_digits_.data();
  std::uint64_t inverse_of_n = n_words_.data()[0];
  for (int i = 0; i < 6; ++i) inverse_of_n *= 2 - n_words_.data()[0] * inverse_of_n;
  modulus_.minus_inverse = (0 - inverse_of_n) & kDigitMask;
}

void LaneRing::load(std::uint64_t* group, std::size_t lane, const std::uint64_t* low, const std::uint64_t* high) const {
  for (std::size_t d = 0; d < digits(); ++d) {
    group[kLanes * d + lane] = digit_of(low, half_words(), d);
    group[kLanes * (digits() + d) + lane] = digit_of(high, half_words(), d);
  }
}

void LaneRing::to_words(const std::uint64_t* digits, std::size_t lane, std::uint64_t* out) const {
  // Each digit lands in one or two words; values stay below 2n, so half_words() + 1 words hold them.
  for (std::size_t w = 0; w <= half_words(); ++w) {
    std::uint64_t word = 0;
    const std::size_t bit = 64 * w;
    for (std::size_t d = bit / kLaneDigitBits; d < modulus_.digits && d * kLaneDigitBits < bit + 64; ++d) {
      const std::uint64_t digit = digits[kLanes * d + lane];
      const std::size_t start = d * kLaneDigitBits;
      word |= start >= bit ? digit << (start - bit) : digit >> (bit - start);
    }
    out[w] = word;
  }
}

// Returns 1 if n was subtracted.
std::uint64_t LaneRing::subtract_n_if_not_less(std::uint64_t* value) const {
  const auto size = static_cast<mp_size_t>(half_words() + 1);
  std::array<mp_limb_t, kMaxWords> difference;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before read
  const mp_limb_t borrow = mpn_sub_n(difference.data(), limbs(value), limbs(n_words_.data()), size);
  mpn_cnd_sub_n(1 - borrow, limbs(value), limbs(value), limbs(n_words_.data()), size);
  return 1 - borrow;
}

void LaneRing::store(const std::uint64_t* group, std::size_t lane, std::uint64_t* low, std::uint64_t* high) const {
  std::array<std::uint64_t, kMaxWords> value;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before read
  std::array<std::uint64_t, kMaxWords> carry{};
  to_words(group, lane, value.data());
  carry[0] = subtract_n_if_not_less(value.data());
  std::copy_n(value.data(), half_words(), low);
  to_words(group + kLanes * digits(), lane, value.data());
  const auto size = static_cast<mp_size_t>(half_words() + 1);
  mpn_add_n(limbs(value.data()), limbs(value.data()), limbs(carry.data()), size);
  // high < 2n and the carry is at most 1, so 2n itself can occur.
  for (int i = 0; i < 2; ++i) static_cast<void>(subtract_n_if_not_less(value.data()));
  std::copy_n(value.data(), half_words(), high);
}

void LaneRing::put_entries(std::uint64_t* table, std::size_t entries, std::size_t first,
                           const std::uint64_t* group) const {
  PPDNMF_CHECK(first + kLanes <= entries && entries % 16 == 0);
  for (std::size_t row = 0; row < 2 * digits(); ++row) {
    std::copy_n(group + kLanes * row, kLanes, table + entries * row + first);
  }
}

}  // namespace ppdnmf::crypto::internal
