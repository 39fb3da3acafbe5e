#include <ppdnmf/crypto/packing.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include <ppdnmf/crypto/internal/key_data.h>
#include <ppdnmf/crypto/test_keys.h>

namespace ppdnmf::crypto {
namespace {

using internal::Integer;
using testing::HasSubstr;

const PublicKey& packing_key() { return testing_keys::key(512, KeyProfile::kStandard, Kernel::kGmp).public_key(); }

TEST(Packing, SlotsAreThoseOfTheDesign) {
  EXPECT_EQ(Packing::create(2048, 60)->slots(), 34U);
  EXPECT_EQ(Packing::create(3072, 60)->slots(), 51U);
  EXPECT_FALSE(Packing::create(2048, 1).has_value());
  EXPECT_FALSE(Packing::create(2048, 65).has_value());
}

// sum_k v_k 2^(w k) mod n, one slot after the other.
Integer one_by_one(std::span<const std::int64_t> slots, std::size_t width) {
  const Integer& n = packing_key().data().n;
  Integer value;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const bool negative = slots[k] < 0;
    const auto magnitude = negative ? 0 - static_cast<std::uint64_t>(slots[k]) : static_cast<std::uint64_t>(slots[k]);
    const Integer term = Integer(magnitude) * internal::power_of_two(width * k);
    value = mod(negative ? value - term : value + term, n);
  }
  return value;
}

TEST(Packing, PackedEqualsOneByOneUpToEveryBound) {
  Stream stream(Seed::from_number(1), 1);
  for (std::size_t width = 2; width <= 64; ++width) {
    const Packing packing = Packing::create(512, width).value();
    const auto bound = static_cast<std::int64_t>((std::uint64_t{1} << (width - 1)) - 1);  // the largest |v|
    for (int round = 0; round < 20; ++round) {  // 63 widths * 20 rounds > 1000 inputs
      std::vector<std::int64_t> entries(packing.slots() + stream.below(2 * packing.slots()));
      for (auto& v : entries) {
        switch (stream.below(5)) {
          case 0:
            v = bound;
            break;
          case 1:
            v = -bound;
            break;
          case 2:
            v = static_cast<std::int64_t>(stream.below(3)) - 1;
            break;
          default:
            v = static_cast<std::int64_t>(stream.next() >> (65 - width)) * (stream.below(2) == 0 ? 1 : -1);
        }
      }
      const Plaintexts packed = packing.pack(entries, packing_key()).value();
      ASSERT_EQ(packed.size(), packing.plaintexts_for(entries.size()));
      for (std::size_t t = 0; t < packed.size(); ++t) {
        const std::size_t first = t * packing.slots();
        const auto slots = std::span(entries).subspan(first, std::min(packing.slots(), entries.size() - first));
        ASSERT_EQ(Integer::from_words(packed.residue(t)), one_by_one(slots, width));
      }
      ASSERT_EQ(packing.unpack(packed, entries.size()).value(), entries);
    }
  }
}

TEST(Packing, JustOutsideIsAnErrorThatNamesTheEntry) {
  for (std::size_t width = 2; width <= 64; ++width) {
    const Packing packing = Packing::create(512, width).value();
    std::vector<std::int64_t> outside{std::numeric_limits<std::int64_t>::min()};
    if (width < 64) outside = {std::int64_t{1} << (width - 1), -(std::int64_t{1} << (width - 1))};
    for (const std::int64_t v : outside) {
      for (const std::size_t at : {std::size_t{0}, packing.slots() - 1, packing.slots() + 3}) {
        std::vector<std::int64_t> entries(3 * packing.slots() + 4, 0);
        entries[at] = v;
        const auto packed = packing.pack(entries, packing_key());
        ASSERT_FALSE(packed.has_value()) << width;
        EXPECT_EQ(packed.error().code, ErrorCode::kNumeric);
        EXPECT_THAT(packed.error().message, HasSubstr(fmt::format("entry {} ", at)));
      }
    }
  }
}

TEST(Packing, OverflowedSlotsAndStrangePlaintextsAreErrors) {
  const Packing packing = Packing::create(512, 60).value();
  const std::int64_t bound = (std::int64_t{1} << 59) - 1;
  const std::vector<std::int64_t> most(packing.slots(), bound);
  const std::vector<std::int64_t> least(packing.slots(), -bound);
  const std::vector<std::int64_t> one(packing.slots(), 1);
  const std::vector<std::int64_t> minus(packing.slots(), -1);
  // All slots at the bound, pushed over it by one: the top slot runs over.
  for (const auto& [start, step] : {std::pair{&most, &one}, std::pair{&least, &minus}}) {
    Plaintexts sum = packing.pack(*start, packing_key()).value();
    EXPECT_TRUE(packing.unpack(sum, packing.slots()).has_value());
    ASSERT_TRUE(sum.add(0, packing.pack(*step, packing_key()).value().residue(0)).has_value());
    const auto unpacked = packing.unpack(sum, packing.slots());
    ASSERT_FALSE(unpacked.has_value());
    EXPECT_EQ(unpacked.error().code, ErrorCode::kPeer);
  }
  Stream stream(Seed::from_number(2), 1);
  for (int i = 0; i < 100; ++i) {  // a mask that did not cancel
    Plaintexts masked(packing_key(), 1);
    Integer::random_below(packing_key().data().n, stream).to_words(masked.residue(0));
    EXPECT_FALSE(Packing::create(512, 48)->unpack(masked, 10).has_value());
  }
}

}  // namespace
}  // namespace ppdnmf::crypto
