#include <ppdnmf/crypto/mask.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include <ppdnmf/crypto/internal/key_data.h>
#include <ppdnmf/crypto/test_keys.h>

namespace ppdnmf::crypto {
namespace {

using internal::Integer;

const PublicKey& mask_key() { return testing_keys::key(512, KeyProfile::kStandard, Kernel::kGmp).public_key(); }

Bytes bytes_from_hex(std::string_view hex) {
  Bytes out;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    out.push_back(static_cast<std::uint8_t>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return out;
}

struct Party {
  IdentityKey identity;
  IdentityKey ephemeral;
};

std::vector<Party> parties(std::size_t count) {
  std::vector<Party> out;
  for (std::size_t j = 0; j < count; ++j) {
    Stream stream(Seed::from_number(5), 1, 0, j);
    IdentityKey identity = IdentityKey::generate(stream);
    out.push_back({std::move(identity), IdentityKey::generate(stream)});
  }
  return out;
}

const Bytes kMaskedRun{1, 2, 3};

PairKey pair(const std::vector<Party>& all, std::size_t j, std::size_t k, const Bytes& run = kMaskedRun) {
  return PairKey::agree({all[j].identity, all[j].ephemeral},
                        {all[k].identity.public_bytes(), all[k].ephemeral.public_bytes()}, run, j < k)
      .value();
}

Integer first_mask(const PairKey& pair_key, const MaskName& name) {
  Plaintexts addend(mask_key(), 1);
  pair_key.apply(addend, name);
  return Integer::from_words(addend.residue(0));
}

// RFC 7748, section 5.2: the scalar 9 times the base point, the first step of its iterated test.
TEST(Mask, IdentitiesAreX25519) {
  const Bytes secret = bytes_from_hex("0900000000000000000000000000000000000000000000000000000000000000");
  const Bytes expected = bytes_from_hex("422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079");
  const IdentityKey identity = IdentityKey::from_secret_bytes(std::span<const std::uint8_t, 32>(secret));
  EXPECT_TRUE(std::ranges::equal(identity.public_bytes(), expected));
}

TEST(Mask, MasksOfEveryNeighbourhoodCancel) {
  const auto keys = parties(16);
  const Integer& n = mask_key().data().n;
  Stream stream(Seed::from_number(6), 1);
  std::size_t inputs = 0;
  for (std::size_t degree = 2; degree <= 16; ++degree) {
    constexpr std::size_t kCount = 70;  // 15 neighbourhoods * 70 plaintexts > 1000
    const MaskName name{.asker = 3, .outer = 4, .iteration = static_cast<std::uint32_t>(degree)};
    std::vector<Integer> sums(kCount);
    std::vector<Integer> masked_sums(kCount);
    for (std::size_t j = 0; j < degree; ++j) {
      Plaintexts addend(mask_key(), kCount);
      for (std::size_t t = 0; t < kCount; ++t) {
        const Integer value = Integer::random_below(n, stream);
        value.to_words(addend.residue(t));
        sums[t] = mod(sums[t] + value, n);
      }
      for (std::size_t k = 0; k < degree; ++k) {
        if (k != j) pair(keys, j, k).apply(addend, name);
      }
      for (std::size_t t = 0; t < kCount; ++t) {
        masked_sums[t] = mod(masked_sums[t] + Integer::from_words(addend.residue(t)), n);
      }
    }
    for (std::size_t t = 0; t < kCount; ++t, ++inputs) ASSERT_EQ(sums[t], masked_sums[t]) << degree;
  }
  EXPECT_GE(inputs, 1000U);
}

// Chi-squared over 64 equal intervals of [0, n): beyond `limit` with probability 1e-9 if uniform (63 degrees of
// freedom, normal approximation of Wilson and Hilferty).
void expect_uniform(const std::vector<Integer>& residues) {
  constexpr std::size_t kBins = 64;
  std::array<double, kBins> counts{};
  for (const Integer& residue : residues) {
    const Integer bin = residue * Integer(kBins) / mask_key().data().n;
    counts[mpz_get_ui(bin.raw())] += 1;
  }
  const double expected = static_cast<double>(residues.size()) / kBins;
  double chi = 0;
  for (const double count : counts) chi += (count - expected) * (count - expected) / expected;
  constexpr double kFreedom = kBins - 1;
  const double z = (std::cbrt(chi / kFreedom) - (1 - 2 / (9 * kFreedom))) / std::sqrt(2 / (9 * kFreedom));
  EXPECT_LT(std::abs(z), 6) << chi;
  // And the low bits, which intervals do not see.
  double ones = 0;
  for (const Integer& residue : residues) ones += residue.odd() ? 1 : 0;
  const double half = static_cast<double>(residues.size()) / 2;
  EXPECT_LT(std::abs(ones - half) / std::sqrt(half / 2), 6);
}

TEST(Mask, OneMaskedReplyIsUniformWhateverItHides) {
  const auto keys = parties(3);
  const Integer& n = mask_key().data().n;
  constexpr std::size_t kCount = 20'000;
  for (const Integer& hidden : {Integer(0), Integer(1), n - Integer(1), n / Integer(2)}) {
    for (const std::size_t other : {1U, 2U}) {
      Plaintexts addend(mask_key(), kCount);
      for (std::size_t t = 0; t < kCount; ++t) hidden.to_words(addend.residue(t));
      pair(keys, 0, other).apply(addend, {.asker = 1, .outer = 2, .iteration = 3});
      std::vector<Integer> residues;
      for (std::size_t t = 0; t < kCount; ++t) residues.push_back(Integer::from_words(addend.residue(t)));
      expect_uniform(residues);
      std::sort(residues.begin(), residues.end());
      EXPECT_EQ(std::adjacent_find(residues.begin(), residues.end()), residues.end()) << "a mask came twice";
    }
  }
}

TEST(Mask, EveryPartOfTheNameMatters) {
  const auto keys = parties(3);
  const MaskName name{.asker = 1, .outer = 2, .iteration = 3};
  const PairKey base = pair(keys, 0, 1);
  EXPECT_EQ(first_mask(base, name), first_mask(pair(keys, 0, 1), name));
  std::vector<Integer> masks{first_mask(base, name)};
  masks.push_back(first_mask(base, {.asker = 4, .outer = 2, .iteration = 3}));
  masks.push_back(first_mask(base, {.asker = 1, .outer = 4, .iteration = 3}));
  masks.push_back(first_mask(base, {.asker = 1, .outer = 2, .iteration = 4}));
  masks.push_back(first_mask(pair(keys, 0, 2), name));
  masks.push_back(first_mask(pair(keys, 0, 1, {9}), name));
  std::sort(masks.begin(), masks.end());
  EXPECT_EQ(std::adjacent_find(masks.begin(), masks.end()), masks.end());
}

// Whoever has both identity keys and saw both nonces, but came too late for the keys behind these, gets other masks:
// with keys of its own, and with the nonces' public bytes taken for a secret.
TEST(Mask, StolenIdentitiesDoNotOpenAnEarlierRun) {
  const auto keys = parties(2);
  const MaskName name{.asker = 1, .outer = 2, .iteration = 3};
  const Integer mask = first_mask(pair(keys, 0, 1), name);
  const PeerKeys peer{keys[1].identity.public_bytes(), keys[1].ephemeral.public_bytes()};
  Stream stream(Seed::from_number(6), 1);
  for (const IdentityKey& guess : {IdentityKey::generate(stream), IdentityKey::from_secret_bytes(peer.ephemeral),
                                   IdentityKey::from_secret_bytes(keys[0].ephemeral.public_bytes())}) {
    const auto late = PairKey::agree({keys[0].identity, guess}, peer, kMaskedRun, true);
    ASSERT_TRUE(late.has_value());
    EXPECT_NE(first_mask(*late, name), mask);
  }
  const auto in_time = PairKey::agree({keys[0].identity, keys[0].ephemeral}, peer, kMaskedRun, true);
  EXPECT_EQ(first_mask(*in_time, name), mask);
}

// Nor do the keys of the run alone say who is who.
TEST(Mask, AnotherIdentityHasOtherMasks) {
  const auto keys = parties(3);
  const MaskName name{.asker = 1, .outer = 2, .iteration = 3};
  const auto posing =
      PairKey::agree({keys[2].identity, keys[0].ephemeral},
                     {keys[1].identity.public_bytes(), keys[1].ephemeral.public_bytes()}, kMaskedRun, true);
  EXPECT_NE(first_mask(*posing, name), first_mask(pair(keys, 0, 1), name));
}

TEST(Mask, UselessKeysAreRefused) {
  const auto keys = parties(2);
  const IdentityBytes& identity = keys[1].identity.public_bytes();
  const IdentityBytes& nonce = keys[1].ephemeral.public_bytes();
  IdentityBytes one{};
  one[0] = 1;
  for (const PeerKeys& peer : {PeerKeys{keys[0].identity.public_bytes(), nonce},
                               PeerKeys{identity, keys[0].ephemeral.public_bytes()}, PeerKeys{IdentityBytes{}, nonce},
                               PeerKeys{one, nonce}, PeerKeys{identity, IdentityBytes{}}, PeerKeys{identity, one}}) {
    const auto agreed = PairKey::agree({keys[0].identity, keys[0].ephemeral}, peer, kMaskedRun, true);
    ASSERT_FALSE(agreed.has_value());
    EXPECT_EQ(agreed.error().code, ErrorCode::kPeer);
  }
}

}  // namespace
}  // namespace ppdnmf::crypto
