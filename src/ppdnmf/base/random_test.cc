#include <ppdnmf/base/random.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <type_traits>
#include <vector>

namespace ppdnmf {
namespace {

static_assert(!std::is_copy_constructible_v<Seed> && !std::is_copy_assignable_v<Seed>);

// RFC 8439, appendix A.1, test vector 1: key 0, nonce 0, counter 0.
TEST(Stream, IsChaCha20OfRfc8439) {
  Stream stream(Seed::from_number(0), 0);
  std::array<std::uint8_t, 16> out{};
  stream.fill(out);
  const std::array<std::uint8_t, 16> expected = {0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90,
                                                 0x40, 0x5d, 0x6a, 0xe5, 0x53, 0x86, 0xbd, 0x28};
  EXPECT_EQ(out, expected);
}

// RFC 8439, section 2.4.2 in part: the nonce's place. Key 00..1f, nonce 00:00:00:00 00:00:00:4a 00:00:00:00, block 1.
TEST(Stream, PutsPurposePeerAndRoundIntoTheNonce) {
  std::array<std::uint8_t, 32> key{};
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(i);
  Stream stream(Seed::from_bytes(key), 0, 0, std::uint64_t{0x4a} << 24);
  std::array<std::uint8_t, 68> out{};
  stream.fill(out);
  const std::array<std::uint8_t, 4> expected = {0x22, 0x4f, 0x51, 0xf3};
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), out.begin() + 64));
}

TEST(Stream, SameNameSameBytesWhateverTheChunks) {
  const Seed seed = Seed::from_number(7);
  std::vector<std::uint8_t> whole(5000);
  Stream(seed, 1, 2, 3).fill(whole);
  std::vector<std::uint8_t> pieces(5000);
  Stream stream(seed, 1, 2, 3);
  for (std::size_t at = 0, size = 1; at < pieces.size(); at += size, size = size * 2 + 1) {
    stream.fill(std::span(pieces).subspan(at, std::min(size, pieces.size() - at)));
  }
  EXPECT_EQ(whole, pieces);
}

TEST(Stream, EveryPartOfTheNameCounts) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t number = 0; number < 3; ++number) {
    const Seed seed = Seed::from_number(number);
    for (std::uint8_t purpose = 0; purpose < 3; ++purpose) {
      for (std::uint32_t peer = 0; peer < 3; ++peer) {
        for (std::uint64_t round = 0; round < 3; ++round) seen.insert(Stream(seed, purpose, peer, round).next());
      }
    }
  }
  EXPECT_EQ(seen.size(), 81U);
}

TEST(Stream, BelowIsUniform) {
  Stream stream(Seed::from_number(1), 0);
  std::array<int, 6> counts{};
  for (int i = 0; i < 60000; ++i) ++counts.at(stream.below(6));
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);
}

TEST(Stream, MomentsOfTheDistributions) {
  Stream stream(Seed::from_number(2), 0);
  double uniform = 0;
  double exponential = 0;
  double normal = 0;
  double square = 0;
  constexpr int kDraws = 200000;
  for (int i = 0; i < kDraws; ++i) {
    uniform += stream.uniform();
    exponential += stream.exponential();
    const double x = stream.normal();
    normal += x;
    square += x * x;
  }
  EXPECT_NEAR(uniform / kDraws, 0.5, 0.005);
  EXPECT_NEAR(exponential / kDraws, 1, 0.01);
  EXPECT_NEAR(normal / kDraws, 0, 0.01);
  EXPECT_NEAR(square / kDraws, 1, 0.02);
}

TEST(Seed, ChildrenDifferFromEachOtherAndTheParent) {
  const Seed seed = Seed::from_number(5);
  std::set<std::uint64_t> seen = {Stream(seed, 0).next()};
  for (std::uint64_t i = 0; i < 4; ++i) seen.insert(Stream(seed.derive(9, i), 0).next());
  EXPECT_EQ(seen.size(), 5U);
}

}  // namespace
}  // namespace ppdnmf
