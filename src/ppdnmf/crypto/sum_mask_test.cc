#include <ppdnmf/crypto/sum_mask.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace ppdnmf::crypto {
namespace {

struct SumParty {
  IdentityKey identity;
  IdentityKey ephemeral;
};

SumParty party(std::uint64_t seed) {
  Stream stream(Seed::from_number(seed), 'I');
  IdentityKey identity = IdentityKey::generate(stream);
  return {std::move(identity), IdentityKey::generate(stream)};
}

Result<SumPairKey> agree(const SumParty& own, const SumParty& peer, bool first, const Digest& run = {}) {
  return SumPairKey::agree({own.identity, own.ephemeral}, {peer.identity.public_bytes(), peer.ephemeral.public_bytes()},
                           run, first);
}

std::vector<UInt128> mask(const SumPairKey& key, std::size_t size, const Digest& chain = {}) {
  std::vector<UInt128> words(size);
  key.apply(words, chain);
  return words;
}

TEST(SumMask, WhatOneAddsTheOtherSubtracts) {
  const SumParty a = party(1);
  const SumParty b = party(2);
  const auto ab = agree(a, b, true);
  const auto ba = agree(b, a, false);
  ASSERT_TRUE(ab && ba);
  // Longer than the blocks in which masks are made, and not a multiple of them.
  for (const std::size_t size : {0U, 1U, 255U, 256U, 257U, 1000U}) {
    const std::vector<UInt128> one = mask(*ab, size);
    const std::vector<UInt128> other = mask(*ba, size);
    for (std::size_t t = 0; t < size; ++t) ASSERT_TRUE(one[t] + other[t] == 0 && one[t] != 0) << t;
  }
}

TEST(SumMask, LongSumsAreMaskedPartByPart) {
  const auto key = agree(party(1), party(2), true);
  ASSERT_TRUE(key);
  const std::size_t size = 2 * kMaskPart + 3;
  const std::vector<UInt128> whole = mask(*key, size);
  std::vector<UInt128> parts(size);
  for (const std::size_t number : {2U, 0U, 1U}) {  // in any order
    const std::size_t first = number * kMaskPart;
    key->apply_to_part(std::span(parts).subspan(first, std::min(kMaskPart, size - first)), number, {});
  }
  EXPECT_TRUE(parts == whole);
  std::vector<UInt128> sorted = whole;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_TRUE(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) << "two parts share their masks";
}

// A longer sum begins with the words of a shorter one under the same chain: no word is used twice in one sum.
TEST(SumMask, WordsAreAllDifferent) {
  const auto key = agree(party(1), party(2), true);
  std::vector<UInt128> words = mask(*key, 5000);
  std::sort(words.begin(), words.end());
  EXPECT_TRUE(std::adjacent_find(words.begin(), words.end()) == words.end());
}

TEST(SumMask, EveryIngredientChangesTheWords) {
  const SumParty a = party(1);
  const SumParty b = party(2);
  const SumParty other_nonce{party(2).identity, party(3).ephemeral};
  const SumParty other_identity{party(3).identity, party(2).ephemeral};
  Digest one{};
  one[0] = 1;
  const std::vector<UInt128> plain = mask(*agree(a, b, true), 1);
  EXPECT_FALSE(mask(*agree(a, other_nonce, true), 1) == plain);
  EXPECT_FALSE(mask(*agree(a, other_identity, true), 1) == plain);
  EXPECT_FALSE(mask(*agree(a, b, true, one), 1) == plain) << "the run";
  EXPECT_FALSE(mask(*agree(a, b, true), 1, one) == plain) << "the chain";
  EXPECT_TRUE(mask(*agree(a, b, true), 1) == plain);
}

// Made by another program: X25519, HKDF and ChaCha20 written out in Python from their RFCs.
TEST(SumMask, KnownAnswer) {
  const auto key = [](std::uint8_t byte) {
    std::array<std::uint8_t, 32> bytes{};
    bytes.fill(byte);
    return IdentityKey::from_secret_bytes(bytes);
  };
  const SumParty a{key(1), key(2)};
  const SumParty b{key(3), key(4)};
  Digest run{};
  Digest chain{};
  for (std::uint8_t t = 0; t < 32; ++t) {
    run[t] = t;
    chain[t] = static_cast<std::uint8_t>(32 + t);
  }
  const auto word = [](std::uint64_t low, std::uint64_t high) { return (UInt128{high} << 64) | low; };
  const std::vector<UInt128> expected = {
      word(0x1ad3d526ba7775aa, 0xf4b0ca1004fa6d66), word(0xdca0fd6425787073, 0xccc617bf86b7f211),
      word(0x7915624ae574658d, 0x58bdb5eade6683a0), word(0x262d9279df282ade, 0x36baa6b9a61c596b)};
  EXPECT_TRUE(mask(*agree(a, b, true, run), 4, chain) == expected);
}

TEST(SumMask, RefusesOwnKeysAndPointsOfSmallOrder) {
  const SumParty a = party(1);
  const SumParty b = party(2);
  const auto refuses = [&](const IdentityBytes& identity, const IdentityBytes& ephemeral, const std::string& words) {
    const auto key = SumPairKey::agree({a.identity, a.ephemeral}, {identity, ephemeral}, {}, true);
    ASSERT_FALSE(key);
    EXPECT_EQ(key.error().code, ErrorCode::kPeer);
    EXPECT_NE(key.error().message.find(words), std::string::npos) << key.error().message;
  };
  refuses(a.identity.public_bytes(), b.ephemeral.public_bytes(), "own identity");
  refuses(b.identity.public_bytes(), a.ephemeral.public_bytes(), "own nonce");
  refuses({}, b.ephemeral.public_bytes(), "its identity: it is not a usable X25519 key");
  refuses(b.identity.public_bytes(), {1}, "its nonce: it is not a usable X25519 key");
}

}  // namespace
}  // namespace ppdnmf::crypto
