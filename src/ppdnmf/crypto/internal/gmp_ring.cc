#include <ppdnmf/crypto/internal/gmp_ring.h>

#include <algorithm>
#include <array>
#include <cstring>

#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/internal/masked_select.h>

namespace ppdnmf::crypto::internal {
namespace {

// From this many limbs on, three half-size products are cheaper than one (measured).
constexpr mp_size_t kKaratsuba = 24;

}  // namespace

struct GmpRing::Scratch {
  std::array<mp_limb_t, 2 * kMaxHalf> low;        // x0 y0
  std::array<mp_limb_t, 2 * kMaxHalf + 1> high;   // x0 y1 + x1 y0 - m
  std::array<mp_limb_t, 2 * kMaxHalf + 1> other;  // one more product, or the padded correction
  std::array<mp_limb_t, kMaxHalf> quotient;       // m
  std::array<mp_limb_t, kMaxHalf> low_out;
  std::array<mp_limb_t, kMaxHalf> high_out;
  std::array<mp_limb_t, 8 * kMaxHalf> gmp;
  std::array<mp_limb_t, 2 * kMaxHalf> middle;  // of a Karatsuba product
  std::array<mp_limb_t, 2 * kMaxHalf> difference;

  // out = |a - b|; returns 1 if a < b.
  mp_limb_t absolute_difference(mp_limb_t* out, const mp_limb_t* a, const mp_limb_t* b, mp_size_t size) {
    mp_limb_t* opposite = middle.data();
    const mp_limb_t borrow = mpn_sub_n(out, a, b, size);
    mpn_sub_n(opposite, b, a, size);
    const mp_limb_t mask = 0 - borrow;
    for (mp_size_t i = 0; i < size; ++i) out[i] = (out[i] & ~mask) | (opposite[i] & mask);
    return borrow;
  }

  // out = a b, 2 size limbs. GMP's own Karatsuba branches on the operands and its sec_mul does none.
  void multiply(mp_limb_t* out, const mp_limb_t* a, const mp_limb_t* b, mp_size_t size) {
    if (size < kKaratsuba || size % 2 != 0) {
      mpn_sec_mul(out, a, size, b, size, gmp.data());
      return;
    }
    // a0 b1 + a1 b0 = a0 b0 + a1 b1 - (a0 - a1) (b0 - b1)
    const mp_size_t half = size / 2;
    mp_limb_t* da = difference.data();
    mp_limb_t* db = da + half;
    const mp_limb_t opposite_signs =
        absolute_difference(da, a, a + half, half) ^ absolute_difference(db, b, b + half, half);
    mpn_sec_mul(out, a, half, b, half, gmp.data());
    mpn_sec_mul(out + size, a + half, half, b + half, half, gmp.data());
    mp_limb_t* product = difference.data() + size;
    mpn_sec_mul(product, da, half, db, half, gmp.data());
    mp_limb_t* sum = middle.data();
    mp_limb_t carry = mpn_add_n(sum, out, out + size, size);
    carry += mpn_cnd_add_n(opposite_signs, sum, sum, product, size);
    carry -= mpn_cnd_sub_n(1 ^ opposite_signs, sum, sum, product, size);
    sum[size] = carry;
    std::memset(sum + size + 1, 0, static_cast<std::size_t>(half - 1) * sizeof(mp_limb_t));
    mpn_add_n(out + half, out + half, sum, size + half);
  }
};

GmpRing::GmpRing(const Integer& n) : SquareRing(n), n_words_(half_words()), c_words_(half_words()) {
  n.to_words(n_words_.span());
  const Integer r = power_of_two(64 * half_words());
  const Integer c = mod(Integer(0) - r, n) + Integer(1);
  c.to_words(c_words_.span());
  // Newton: each step doubles the number of right bits, starting from the 3 that x = n has for an odd n.
  std::uint64_t inverse_of_n = n_words_.data()[0];
  for (int i = 0; i < 6; ++i) inverse_of_n *= 2 - n_words_.data()[0] * inverse_of_n;
  minus_inverse_ = 0 - inverse_of_n;
  const auto size = static_cast<mp_size_t>(half_words());
  PPDNMF_CHECK(static_cast<std::size_t>(mpn_sec_mul_itch(size, size)) <= 8 * kMaxHalf &&
               static_cast<std::size_t>(mpn_sec_sqr_itch(size)) <= 8 * kMaxHalf);
}

// value (with `top` above it) -= n if that is not negative, without a branch. Returns 1 if it did.
mp_limb_t GmpRing::subtract_n_if_not_less(std::uint64_t* value, mp_limb_t& top) const {
  const auto size = static_cast<mp_size_t>(half_words());
  std::array<mp_limb_t, kMaxHalf> difference;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before read
  const mp_limb_t borrow = mpn_sub_n(difference.data(), limbs(value), limbs(n_words_.data()), size);
  // top is small: it is nonzero exactly if top - 1 does not wrap.
  const mp_limb_t take = (1 - borrow) | (1 ^ ((top - 1) >> 63));
  top -= mpn_cnd_sub_n(take, limbs(value), limbs(value), limbs(n_words_.data()), size);
  return take;
}

// out = (low + m n) / R mod n, leaving m in the scratch. Returns how often n was taken off: the high half gets it back.
mp_limb_t GmpRing::reduce_low(Scratch& scratch, std::uint64_t* out) const {
  const auto size = static_cast<mp_size_t>(half_words());
  mp_limb_t* t = scratch.low.data();
  for (mp_size_t i = 0; i < size; ++i) {
    scratch.quotient[static_cast<std::size_t>(i)] = t[i] * minus_inverse_;
    // Position i becomes 0; its place keeps the row's carry, which belongs `size` positions higher.
    t[i] = mpn_addmul_1(t + i, limbs(n_words_.data()), size, scratch.quotient[static_cast<std::size_t>(i)]);
  }
  mp_limb_t top = mpn_add_n(limbs(out), t + size, t, size);
  return subtract_n_if_not_less(out, top);
}

// out = (high - m + m' n) / R + taken mod n. high < 2 n^2 and -m became something below R + n, so three subtractions
// suffice.
void GmpRing::reduce_high(Scratch& scratch, mp_limb_t taken, std::uint64_t* out) const {
  const auto size = static_cast<mp_size_t>(half_words());
  mp_limb_t* t = scratch.high.data();
  mp_limb_t* correction = scratch.other.data();
  mpn_com(correction, scratch.quotient.data(), size);
  correction[size] = taken + mpn_add_n(correction, correction, limbs(c_words_.data()), size);
  std::memset(correction + size + 1, 0, static_cast<std::size_t>(size) * sizeof(mp_limb_t));
  mpn_add_n(t, t, correction, 2 * size + 1);
  for (mp_size_t i = 0; i < size; ++i) {
    t[i] = mpn_addmul_1(t + i, limbs(n_words_.data()), size, t[i] * minus_inverse_);
  }
  mp_limb_t top = t[2 * size] + mpn_add_n(limbs(out), t + size, t, size);
  for (int i = 0; i < 3; ++i) subtract_n_if_not_less(out, top);
}

template <typename Products>
void GmpRing::each_lane(std::uint64_t* out, const Products& products) const {
  const auto size = static_cast<mp_size_t>(half_words());
  Scratch scratch;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before read
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::size_t at = lane * 2 * half_words();
    products(scratch, at, size);
    const mp_limb_t taken = reduce_low(scratch, out + at);
    reduce_high(scratch, taken, out + at + half_words());
  }
}

void GmpRing::multiply(std::uint64_t* out, const std::uint64_t* x, const std::uint64_t* y) const {
  each_lane(out, [&](Scratch& scratch, std::size_t at, mp_size_t size) {
    const mp_limb_t* x0 = limbs(x + at);
    const mp_limb_t* x1 = x0 + size;
    const mp_limb_t* y0 = limbs(y + at);
    const mp_limb_t* y1 = y0 + size;
    scratch.multiply(scratch.low.data(), x0, y0, size);
    scratch.multiply(scratch.high.data(), x0, y1, size);
    scratch.multiply(scratch.other.data(), x1, y0, size);
    scratch.high[2 * half_words()] =
        mpn_add_n(scratch.high.data(), scratch.high.data(), scratch.other.data(), 2 * size);
  });
}

void GmpRing::square(std::uint64_t* out, const std::uint64_t* x) const {
  each_lane(out, [&](Scratch& scratch, std::size_t at, mp_size_t size) {
    const mp_limb_t* x0 = limbs(x + at);
    const mp_limb_t* x1 = x0 + size;
    mpn_sec_sqr(scratch.low.data(), x0, size, scratch.gmp.data());
    scratch.multiply(scratch.high.data(), x0, x1, size);
    scratch.high[2 * half_words()] = mpn_add_n(scratch.high.data(), scratch.high.data(), scratch.high.data(), 2 * size);
  });
}

void GmpRing::load(std::uint64_t* group, std::size_t lane, const std::uint64_t* low, const std::uint64_t* high) const {
  std::uint64_t* to = group + lane * 2 * half_words();
  std::memcpy(to, low, half_words() * sizeof(std::uint64_t));
  std::memcpy(to + half_words(), high, half_words() * sizeof(std::uint64_t));
}

void GmpRing::store(const std::uint64_t* group, std::size_t lane, std::uint64_t* low, std::uint64_t* high) const {
  const std::uint64_t* from = group + lane * 2 * half_words();
  std::memcpy(low, from, half_words() * sizeof(std::uint64_t));
  std::memcpy(high, from + half_words(), half_words() * sizeof(std::uint64_t));
}

// Tables are stored in blocks of kBlock words of every entry, so that a block fits the first cache in one piece.
void GmpRing::put_entries(std::uint64_t* table, std::size_t entries, std::size_t first,
                          const std::uint64_t* group) const {
  PPDNMF_CHECK(first + kLanes <= entries);
  const std::size_t each = 2 * half_words();
  for (std::size_t w = 0; w < each; w += kBlock) {
    const std::size_t width = std::min(kBlock, each - w);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      std::copy_n(group + lane * each + w, width, table + w * entries + (first + lane) * width);
    }
  }
}

void GmpRing::select_shared(std::uint64_t* out, const std::uint64_t* table, std::size_t entries,
                            std::span<const LaneIndex> index) const {
  static_assert(sizeof(LaneIndex) == kLanes * sizeof(std::uint64_t), "indices of several groups follow each other");
  const std::size_t each = 2 * half_words();
  for (std::size_t w = 0; w < each; w += kBlock) {
    masked_select(out + w, each, table + w * entries, std::min(kBlock, each - w), entries,
                  {index.data()->lane.data(), index.size() * kLanes});
  }
}

void GmpRing::select_group(std::uint64_t* out, const std::uint64_t* groups, std::size_t entries,
                           std::uint64_t index) const {
  masked_select(out, words(), groups, words(), entries, {&index, 1});
}

}  // namespace ppdnmf::crypto::internal
