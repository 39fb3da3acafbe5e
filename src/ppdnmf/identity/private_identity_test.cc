#include <ppdnmf/identity/private_identity.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <ppdnmf/identity/entropy.h>
#include <ppdnmf/identity/test_identity.h>

namespace ppdnmf::identity {
namespace {

using ::testing::HasSubstr;

bool contains(ByteSpan haystack, ByteSpan needle) {
  return std::search(haystack.begin(), haystack.end(), needle.begin(), needle.end()) != haystack.end();
}

TEST(PrivateIdentity, ComesBackWithTheSameKeys) {
  const PrivateIdentity own = test_identity("a");
  const auto again = PrivateIdentity::decode(own.reveal_encoded(nullptr).span(), nullptr);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->public_identity().encode(), own.public_identity().encode());
  EXPECT_TRUE(std::ranges::equal(again->x25519().reveal_secret_bytes(), own.x25519().reveal_secret_bytes()));
  EXPECT_TRUE(std::ranges::equal(again->reveal_tls_key_pem().span(), own.reveal_tls_key_pem().span()));
}

TEST(PrivateIdentity, ASealedOneNeedsItsPassphrase) {
  const PrivateIdentity own = test_identity("a");
  const Passphrase passphrase = test_passphrase("correct horse");
  const Passphrase other = test_passphrase("correct horsf");
  const crypto::SecretBytes sealed = own.reveal_encoded(&passphrase);
  EXPECT_TRUE(PrivateIdentity::is_sealed(sealed.span()));
  EXPECT_FALSE(PrivateIdentity::is_sealed(own.reveal_encoded(nullptr).span()));
  EXPECT_FALSE(contains(sealed.span(), own.x25519().reveal_secret_bytes()));
  EXPECT_TRUE(contains(own.reveal_encoded(nullptr).span(), own.x25519().reveal_secret_bytes()));
  EXPECT_TRUE(PrivateIdentity::shown_in(sealed.span()) == own.public_identity());
  const auto again = PrivateIdentity::decode(sealed.span(), &passphrase);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(std::ranges::equal(again->x25519().reveal_secret_bytes(), own.x25519().reveal_secret_bytes()));
  const auto without = PrivateIdentity::decode(sealed.span(), nullptr);
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code, ErrorCode::kUsage);
  const auto wrong = PrivateIdentity::decode(sealed.span(), &other);
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("does not open"));
}

TEST(PrivateIdentity, EveryTruncationAndEveryChangedByteIsRefused) {
  const PrivateIdentity own = test_identity("a");
  const crypto::SecretBytes encoded = own.reveal_encoded(nullptr);
  const Bytes bytes(encoded.span().begin(), encoded.span().end());
  // X25519 ignores the three lowest bits and the highest two of its secret: changing these changes no key.
  const std::size_t x25519 = bytes.size() - 32;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(PrivateIdentity::decode(ByteSpan(bytes).first(i), nullptr)) << i;
    Bytes changed = bytes;
    changed[i] ^= i >= x25519 ? 0x10 : 0x01;
    EXPECT_FALSE(PrivateIdentity::decode(changed, nullptr)) << i;
  }
}

TEST(PrivateIdentity, AChangedHeaderDoesNotUnseal) {
  const PrivateIdentity a = test_identity("a");
  const PrivateIdentity b = test_identity("b");
  const Passphrase passphrase = test_passphrase("p");
  const crypto::SecretBytes of_a = a.reveal_encoded(&passphrase);
  const crypto::SecretBytes of_b = b.reveal_encoded(&passphrase);
  constexpr std::size_t kSecrets = 64 + kSealBytes;
  Bytes mixed(of_b.span().begin(), of_b.span().end() - kSecrets);
  mixed.insert(mixed.end(), of_a.span().end() - kSecrets, of_a.span().end());
  EXPECT_FALSE(PrivateIdentity::decode(mixed, &passphrase));
}

TEST(PrivateIdentity, TwoAreNeverAlike) {
  const PrivateIdentity a = test_identity("a");
  const PrivateIdentity b = test_identity("a");
  EXPECT_NE(a.public_identity().x25519(), b.public_identity().x25519());
  EXPECT_NE(a.public_identity().tls_key_digest(), b.public_identity().tls_key_digest());
}

TEST(PrivateIdentity, TakesAGivenX25519Key) {
  const Bytes secret(32, 9);
  auto key = crypto::IdentityKey::from_secret_bytes(std::span<const std::uint8_t, 32>(secret));
  const crypto::IdentityBytes expected = key.public_bytes();
  const auto own = PrivateIdentity::generate("a", std::move(key), kTestTime);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->public_identity().x25519(), expected);
}

TEST(PrivateIdentity, RefusesANameOrAClockThatCannotBe) {
  EXPECT_FALSE(PrivateIdentity::generate("a b", kTestTime));
  const auto early = PrivateIdentity::generate("a", std::chrono::sys_seconds{});
  ASSERT_FALSE(early);
  EXPECT_THAT(early.error().message, HasSubstr("clock"));
  EXPECT_FALSE(PrivateIdentity::generate("a", kTestTime + std::chrono::years(300)));
}

TEST(Entropy, IsNotTheSameTwice) {
  const crypto::SecretBytes a = draw_entropy(32);
  const crypto::SecretBytes b = draw_entropy(32);
  EXPECT_FALSE(std::ranges::equal(a.span(), b.span()));
  EXPECT_EQ(draw_entropy(0).size(), 0U);
  EXPECT_FALSE(std::ranges::equal(draw_seed().reveal_secret_bytes(), draw_seed().reveal_secret_bytes()));
}

}  // namespace
}  // namespace ppdnmf::identity
