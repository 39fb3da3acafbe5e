// Keys: what generation gives, and what is refused from a peer.
#include <ppdnmf/crypto/key.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/crypto/ciphertext.h>
#include <ppdnmf/crypto/internal/key_data.h>
#include <ppdnmf/crypto/internal/prime.h>
#include <ppdnmf/crypto/test_keys.h>

namespace ppdnmf::crypto {
namespace {

using internal::Integer;
using testing::HasSubstr;

constexpr std::size_t kBits = 512;
const KeyOptions kStandard = testing_keys::options(kBits, KeyProfile::kStandard, Kernel::kGmp);
const KeyOptions kFast = testing_keys::options(kBits, KeyProfile::kFast, Kernel::kGmp);

Bytes encoded(const Integer& n, std::size_t bits = kBits) {
  Bytes out(4 + bits / 8);
  out[0] = 1;
  out[1] = 1;
  out[2] = static_cast<std::uint8_t>(bits);
  out[3] = static_cast<std::uint8_t>(bits >> 8);
  n.to_bytes(std::span(out).subspan(4));
  return out;
}

std::string refusal(ByteSpan bytes, const KeyOptions& options = kStandard) {
  const auto key = PublicKey::decode(bytes, options);
  if (key) return "accepted";
  EXPECT_EQ(key.error().code, ErrorCode::kPeer);
  return key.error().message;
}

Stream key_stream(std::uint64_t round = 0) { return {Seed::from_number(11), 1, 0, round}; }

TEST(Key, SameStreamGivesTheSameKey) {
  for (const KeyOptions& options : {kStandard, kFast}) {
    Stream a = key_stream();
    Stream b = key_stream();
    Stream c = key_stream(1);
    const Bytes first = PrivateKey::generate(options, a)->public_key().encode();
    EXPECT_EQ(first, PrivateKey::generate(options, b)->public_key().encode());
    EXPECT_NE(first, PrivateKey::generate(options, c)->public_key().encode());
  }
}

// The words of p, q, P and Q that are more than padding.
std::set<std::uint64_t> words_of_primes(const KeyOptions& options) {
  Stream from = key_stream();
  const PrivateKey key = PrivateKey::generate(options, from).value();
  const internal::KeyParts& parts = key.data()->parts;
  std::set<std::uint64_t> out;
  for (const Integer* part : {&parts.p, &parts.q, &parts.subgroup_p, &parts.subgroup_q}) {
    SecretWords words((part->bits() + 63) / 64);
    part->to_words(words.span());
    out.insert(words.span().begin(), words.span().end());
  }
  return out;
}

TEST(Key, KeysOfOtherSizesAndProfilesFromTheSameStreamShareNothing) {
  std::vector<std::set<std::uint64_t>> keys;
  for (const KeyProfile profile : {KeyProfile::kStandard, KeyProfile::kFast}) {
    for (const std::size_t bits : {512U, 768U, 1024U}) {
      keys.push_back(words_of_primes(testing_keys::options(bits, profile, Kernel::kGmp)));
      for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
        std::vector<std::uint64_t> common;
        std::ranges::set_intersection(keys[i], keys.back(), std::back_inserter(common));
        EXPECT_THAT(common, testing::IsEmpty()) << bits << " bits against key " << i;
      }
    }
  }
}

TEST(Key, StandardKeysHaveTheirForm) {
  for (std::uint64_t i = 0; i < 20; ++i) {
    Stream from = key_stream(i);
    const PrivateKey key = PrivateKey::generate(kStandard, from).value();
    const Integer& p = key.data()->parts.p;
    const Integer& q = key.data()->parts.q;
    EXPECT_EQ((p * q).bits(), kBits);
    EXPECT_EQ(mpz_fdiv_ui(p.raw(), 4), 3U);
    EXPECT_EQ(mpz_fdiv_ui(q.raw(), 4), 3U);
    EXPECT_EQ(gcd(p - Integer(1), q - Integer(1)), Integer(2));
    EXPECT_EQ(refusal(key.public_key().encode()), "accepted");
  }
}

TEST(Key, FastKeysHaveTheirForm) {
  for (std::uint64_t i = 0; i < 20; ++i) {
    Stream from = key_stream(i);
    const PrivateKey key = PrivateKey::generate(kFast, from).value();
    const internal::PrivateKeyData& data = *key.data();
    const Integer one(1);
    const Integer& h = key.public_key().data().h;
    const Integer n = data.parts.p * data.parts.q;
    for (const auto& [prime, subgroup] :
         {std::pair{&data.parts.p, &data.parts.subgroup_p}, std::pair{&data.parts.q, &data.parts.subgroup_q}}) {
      EXPECT_TRUE(internal::is_prime(*subgroup));
      EXPECT_EQ(subgroup->bits(), short_exponent_bits(kBits) / 2);
      EXPECT_EQ(mod(*prime - one, *subgroup), Integer(0));
      // h has order 2 P modulo p: neither 2 nor P will do.
      EXPECT_EQ(internal::secret_power(h, *subgroup + *subgroup, *prime), one);
      EXPECT_FALSE(internal::secret_power(h, *subgroup, *prime) == one);
      EXPECT_FALSE(mod(h * h, *prime) == one);
    }
    EXPECT_EQ(mpz_jacobi(h.raw(), n.raw()), 1);
    EXPECT_EQ(refusal(key.public_key().encode(), kFast), "accepted");
  }
}

TEST(Key, SecretBytesGoThroughAndBackAndBadOnesAreRefused) {
  for (const KeyOptions& options : {kStandard, kFast}) {
    Stream from = key_stream();
    const PrivateKey key = PrivateKey::generate(options, from).value();
    const SecretBytes secret = key.encode_secret();
    const auto again = PrivateKey::decode_secret(secret.span(), options);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->public_key().encode(), key.public_key().encode());
    EXPECT_FALSE(PrivateKey::decode_secret(secret.span().first(secret.size() - 1), options).has_value());
    for (std::size_t at = 0; at < secret.size(); at += 7) {
      Bytes bad(secret.span().begin(), secret.span().end());
      bad[at] ^= 4;
      EXPECT_FALSE(PrivateKey::decode_secret(bad, options).has_value()) << at;
    }
  }
}

TEST(Key, BadModuliAreRefusedByName) {
  Stream from = key_stream();
  const Integer one(1);
  const Integer p = internal::random_prime(kBits / 2, from);
  const Integer q = internal::random_prime(kBits / 2, from);
  EXPECT_EQ(refusal(encoded(p * q)), "accepted");
  EXPECT_THAT(refusal(encoded(p * q - one)), HasSubstr("even"));
  EXPECT_THAT(refusal(encoded(internal::random_prime(kBits, from))), HasSubstr("prime"));
  EXPECT_THAT(refusal(encoded(p * p)), HasSubstr("perfect power"));
  Integer third = internal::random_prime(128, from);
  EXPECT_THAT(refusal(encoded(third * third * third * third)), HasSubstr("perfect power"));
  for (const std::uint64_t small : {3U, 5U, 65521U}) {
    // A multiple of the small prime near p q; odd and of the same length.
    Integer bad = p * q - mod(p * q, Integer(2 * small)) + Integer(small);
    EXPECT_THAT(refusal(encoded(bad)), HasSubstr("factor below")) << small;
  }
  const Integer shorter = internal::random_prime(kBits / 2 - 8, from);
  EXPECT_THAT(refusal(encoded(p * shorter)), HasSubstr("504 bits, 512 were agreed"));
  EXPECT_THAT(refusal(encoded(Integer(0))), HasSubstr("0 bits"));
  const Integer longer = internal::random_prime(kBits / 2 + 256, from);
  EXPECT_THAT(refusal(encoded(p * longer, 768)), HasSubstr("bytes"));
}

TEST(Key, ModuliWithAFactorInTheRangeOfWeightsAreRefused) {
  constexpr std::size_t kReal = 2048;
  const KeyOptions options{.bits = kReal, .kernel = Kernel::kGmp};
  Stream from = key_stream();
  const Integer n = internal::random_prime(kReal / 2, from) * internal::random_prime(kReal / 2, from);
  EXPECT_EQ(refusal(encoded(n, kReal), options), "accepted");
  // The first below 2^16 and above, one in between, the last below 2^24.
  for (const std::uint64_t small : {65521U, 65537U, 1048583U, 16777213U}) {
    const Integer bad = n - mod(n, Integer(2 * small)) + Integer(small);
    EXPECT_THAT(refusal(encoded(bad, kReal), options), HasSubstr("factor below 16777216")) << small;
  }
}

TEST(Key, BadLengthsAndHeadersAreRefused) {
  const Bytes good = testing_keys::key(kBits, KeyProfile::kStandard, Kernel::kGmp).public_key().encode();
  EXPECT_THAT(refusal({}), HasSubstr("bytes"));
  EXPECT_THAT(refusal(ByteSpan(good).first(good.size() - 1)), HasSubstr("bytes"));
  Bytes bad = good;
  bad.push_back(0);
  EXPECT_THAT(refusal(bad), HasSubstr("bytes"));
  bad = good;
  bad[0] = 2;
  EXPECT_THAT(refusal(bad), HasSubstr("version"));
  bad = good;
  bad[1] = 2;
  EXPECT_THAT(refusal(bad), HasSubstr("profile"));
  bad = good;
  bad[3] = 3;
  EXPECT_THAT(refusal(bad), HasSubstr("768 bits, 512 were agreed"));
}

TEST(Key, BadGeneratorsAreRefused) {
  const PrivateKey& key = testing_keys::key(kBits, KeyProfile::kFast, Kernel::kGmp);
  const Bytes good = key.public_key().encode();
  const auto with = [&](const Integer& h) {
    Bytes bytes = good;
    h.to_bytes(std::span(bytes).subspan(4 + kBits / 8));
    return refusal(bytes, kFast);
  };
  const Integer& n = key.public_key().data().n;
  for (const Integer& h : {Integer(0), Integer(1), n, n + Integer(1), key.data()->parts.p}) {
    EXPECT_THAT(with(h), HasSubstr("not a unit"));
  }
  Integer odd_one(2);
  while (mpz_jacobi(odd_one.raw(), n.raw()) != -1) odd_one = odd_one + Integer(1);
  EXPECT_THAT(with(odd_one), HasSubstr("Jacobi"));
}

// The number below p q that is a modulo p and b modulo q.
Integer joined(const internal::KeyParts& parts, const Integer& a, const Integer& b) {
  return mod(b + parts.q * mod((a + parts.p - mod(b, parts.p)) * inverse(parts.q, parts.p), parts.p),
             parts.p * parts.q);
}

TEST(Key, GeneratorsOfSmallOrderAreRefused) {
  const PrivateKey& key = testing_keys::key(kBits, KeyProfile::kFast, Kernel::kGmp);
  const internal::KeyParts& parts = key.data()->parts;
  const Integer n = parts.p * parts.q;
  const Integer one(1);
  const auto with = [&](const Integer& h) {
    Bytes bytes = key.public_key().encode();
    h.to_bytes(std::span(bytes).subspan(4 + kBits / 8));
    return refusal(bytes, kFast);
  };
  EXPECT_EQ(with(parts.h), "accepted");
  EXPECT_EQ(with(mod(parts.h * parts.h, n)), "accepted");
  EXPECT_THAT(with(n - one), HasSubstr("small order"));
  // h that is 1 or -1 modulo one factor and good modulo the other, with Jacobi symbol 1.
  for (const Integer& bad : {joined(parts, one, mod(parts.h * parts.h, parts.q)), joined(parts, parts.p - one, parts.h),
                             joined(parts, mod(parts.h * parts.h, parts.p), one)}) {
    EXPECT_THAT(with(bad), HasSubstr("small order"));
  }
  // A square whose order modulo p is a small prime: the owner of a key with 4093 | p - 1 could take one.
  const Integer small(4093);
  Stream from = key_stream();
  Integer p;
  do {
    p = internal::random_prime_above(small, kBits / 2, from);
  } while ((p * parts.q).bits() != kBits);
  const internal::KeyParts chosen{.p = p, .q = parts.q, .subgroup_p = {}, .subgroup_q = {}, .h = {}};
  Integer element(2);
  while (internal::secret_power(element, (p - one) / small, p) == one) element = element + one;
  const Integer root = internal::secret_power(element, (p - one) / small, p);
  Bytes bytes = key.public_key().encode();
  (p * parts.q).to_bytes(std::span(bytes).subspan(4, kBits / 8));
  joined(chosen, root, mod(parts.h * parts.h, parts.q)).to_bytes(std::span(bytes).subspan(4 + kBits / 8));
  EXPECT_THAT(refusal(bytes, kFast), HasSubstr("small order"));
}

TEST(Key, PrivateKeysWithAGeneratorOfSmallOrderAreRefused) {
  const PrivateKey& key = testing_keys::key(kBits, KeyProfile::kFast, Kernel::kGmp);
  const internal::KeyParts& parts = key.data()->parts;
  const Integer n = parts.p * parts.q;
  const SecretBytes secret = key.encode_secret();
  for (const Integer& h : {Integer(1), n - Integer(1), joined(parts, Integer(1), parts.h)}) {
    Bytes bytes(secret.span().begin(), secret.span().end());
    h.to_bytes(std::span(bytes).last(kBits / 8));
    const auto decoded = PrivateKey::decode_secret(bytes, kFast);
    ASSERT_FALSE(decoded.has_value());
    EXPECT_THAT(decoded.error().message, HasSubstr("order of its subgroup"));
  }
}

TEST(Key, SizesAndKernelsAreChecked) {
  EXPECT_FALSE(check({.bits = 1024}).has_value());
  EXPECT_TRUE(check({.bits = 1024, .test_only = true}).has_value());
  for (const std::size_t bits : {0U, 256U, 511U, 2049U, 4352U}) {
    EXPECT_FALSE(check({.bits = bits, .test_only = true}).has_value()) << bits;
  }
  for (const std::size_t bits : {2048U, 3072U, 4096U}) EXPECT_TRUE(check({.bits = bits}).has_value());
  ASSERT_EQ(setenv("PPDNMF_KERNEL", "gmp", 1), 0);
  EXPECT_EQ(choose_kernel(Kernel::kAutomatic).value(), Kernel::kGmp);
  ASSERT_EQ(setenv("PPDNMF_KERNEL", "fast", 1), 0);
  EXPECT_FALSE(choose_kernel(Kernel::kAutomatic).has_value());
  EXPECT_FALSE(check({}).has_value());
  ASSERT_EQ(setenv("PPDNMF_KERNEL", "ifma", 1), 0);
  EXPECT_EQ(choose_kernel(Kernel::kAutomatic).has_value(), ifma_available());
  ASSERT_EQ(unsetenv("PPDNMF_KERNEL"), 0);
  EXPECT_EQ(choose_kernel(Kernel::kAutomatic).value(), ifma_available() ? Kernel::kIfma : Kernel::kGmp);
}

TEST(Ciphertext, BadElementsAreNamed) {
  SerialExecutor one;
  for (const Kernel kernel : testing_keys::kernels()) {
    const PrivateKey& key = testing_keys::key(kBits, KeyProfile::kStandard, kernel);
    const PublicKey& pub = key.public_key();
    const Integer& n = pub.data().n;
    const std::size_t each = pub.ciphertext_bytes();
    const Integer all_ones = internal::power_of_two(8 * each) - Integer(1);
    constexpr std::size_t kCount = 19;
    for (const std::size_t at : {0U, 7U, 8U, 18U}) {
      for (const auto& [value, reason] : {std::pair{Integer(0), "not between"},
                                          {n * n, "not between"},
                                          {n * n + Integer(1), "not between"},
                                          {all_ones, "not between"},
                                          {n, "shares a factor"},
                                          {n * Integer(3), "shares a factor"},
                                          {key.data()->parts.p, "shares a factor"},
                                          {key.data()->parts.q * key.data()->parts.q, "shares a factor"}}) {
        Bytes bytes(kCount * each);
        for (std::size_t t = 0; t < kCount; ++t) {
          (t == at ? value : Integer(t + 2)).to_bytes(std::span(bytes).subspan(t * each, each));
        }
        const auto decoded = Ciphertexts::decode(pub, bytes, kCount, one);
        ASSERT_FALSE(decoded.has_value());
        EXPECT_EQ(decoded.error().code, ErrorCode::kPeer);
        EXPECT_THAT(decoded.error().message, HasSubstr(fmt::format("ciphertext {} ", at)));
        EXPECT_THAT(decoded.error().message, HasSubstr(reason));
      }
    }
    const Bytes two(2 * each, 1);
    EXPECT_FALSE(Ciphertexts::decode(pub, two, 1, one).has_value());
    EXPECT_FALSE(Ciphertexts::decode(pub, two, 3, one).has_value());
    EXPECT_FALSE(Ciphertexts::decode(pub, two, ~std::size_t{0} / each + 3, one).has_value());
    EXPECT_FALSE(Ciphertexts::decode(pub, ByteSpan(two).first(each + 1), 1, one).has_value());
    EXPECT_TRUE(Ciphertexts::decode(pub, two, 2, one).has_value());
    EXPECT_TRUE(Ciphertexts::decode(pub, {}, 0, one).has_value());
  }
}

}  // namespace
}  // namespace ppdnmf::crypto
