#include <ppdnmf/identity/renewal.h>

#include <gmock/gmock.h>

#include <ppdnmf/identity/files.h>
#include <ppdnmf/identity/test_identity.h>
#include <ppdnmf/io/test_folder.h>

namespace ppdnmf::identity {
namespace {

using testing::HasSubstr;

constexpr auto kLater = kTestTime + std::chrono::days(700);

KeyRing renewed(PrivateIdentity old) { return KeyRing(std::move(old)).renew(kLater).value(); }

TEST(Renewal, HasBothIdentitiesInBothFiles) {
  const auto old = test_identity("a").public_identity();
  KeyRing first(test_identity("a"));
  const PublicIdentity before = first.identity().public_identity();
  const KeyRing keys = std::move(first).renew(kLater).value();
  const PublicIdentity& after = keys.identity().public_identity();
  EXPECT_EQ(after.name(), "a");
  EXPECT_FALSE(after == before);
  EXPECT_NE(after.x25519(), before.x25519());
  EXPECT_GT(after.valid_until(), before.valid_until());
  const auto shown = parse_shown(keys.shown_text());
  ASSERT_TRUE(shown) << shown.error().message;
  EXPECT_TRUE(shown->identity == after && shown->before && *shown->before == before);
  const auto again = KeyRing::decode(keys.reveal_encoded(nullptr).span(), nullptr);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->identity().public_identity() == after && again->before()->public_identity() == before);
  const auto in_key = KeyRing::shown_in(keys.reveal_encoded(nullptr).span());
  ASSERT_TRUE(in_key);
  EXPECT_TRUE(*in_key->before == before);
  EXPECT_FALSE(*in_key->before == old);
}

TEST(Renewal, IsSealedAsAWhole) {
  const KeyRing keys = renewed(test_identity("a"));
  const Passphrase passphrase = test_passphrase("correct horse");
  const crypto::SecretBytes sealed = keys.reveal_encoded(&passphrase);
  EXPECT_TRUE(KeyRing::is_sealed(sealed.span()));
  EXPECT_FALSE(KeyRing::is_sealed(keys.reveal_encoded(nullptr).span()));
  EXPECT_FALSE(KeyRing::decode(sealed.span(), nullptr));
  EXPECT_TRUE(KeyRing::decode(sealed.span(), &passphrase));
}

// Whoever has no key of hospital a cannot make its next identity.
TEST(Renewal, OfAnotherKeyIsRefused) {
  const std::string mine = renewed(test_identity("a")).shown_text(), other = renewed(test_identity("a")).shown_text();
  const std::size_t cut = mine.find("-----BEGIN PPDNMF RENEWAL"), there = other.find("-----BEGIN PPDNMF RENEWAL");
  const auto mixed = parse_shown(mine.substr(0, cut) + other.substr(there));
  ASSERT_FALSE(mixed);
  EXPECT_THAT(mixed.error().message, HasSubstr("the identity before did not sign it"));
  const std::string b = renewed(test_identity("b")).shown_text();
  const auto named = parse_shown(mine.substr(0, cut) + b.substr(b.find("-----BEGIN PPDNMF RENEWAL")));
  ASSERT_FALSE(named);
  EXPECT_THAT(named.error().message, HasSubstr("different names"));
}

TEST(Renewal, EveryTruncationOfAFileIsRefused) {
  const KeyRing keys = renewed(test_identity("a"));
  const std::string text = keys.shown_text();
  for (std::size_t size = text.find("-----BEGIN PPDNMF RENEWAL") + 5; size + 2 < text.size(); size += 7) {
    EXPECT_FALSE(parse_shown(text.substr(0, size))) << size;
  }
  EXPECT_FALSE(parse_shown(text + "x"));
  const crypto::SecretBytes key = keys.reveal_encoded(nullptr);
  for (std::size_t size = 0; size < key.size(); size += 13) {
    EXPECT_FALSE(KeyRing::decode(ByteSpan(key.span()).first(size), nullptr)) << size;
  }
}

TEST(Renewal, TheOneThatAFileNamesIsChosen) {
  const auto choose = [](int which) {
    KeyRing keys = renewed(test_identity("a"));
    const PublicIdentity old = keys.before()->public_identity(), fresh = keys.identity().public_identity();
    const auto chosen = std::move(keys).choose(
        [&](const PublicIdentity& one) { return which == 2 || (which == 1 ? one == old : which == 0 && one == fresh); });
    return chosen.public_identity() == old;
  };
  EXPECT_FALSE(choose(0));
  EXPECT_TRUE(choose(1));
  EXPECT_FALSE(choose(2));
  EXPECT_FALSE(choose(3));
}

TEST(Renewal, TwiceForgetsTheFirst) {
  KeyRing once = renewed(test_identity("a"));
  const PublicIdentity second = once.identity().public_identity();
  const KeyRing twice = std::move(once).renew(kLater).value();
  EXPECT_TRUE(twice.before()->public_identity() == second);
}

class RenewalFiles : public io::FolderTest {};

TEST_F(RenewalFiles, AreReadAsTheNewIdentity) {
  const KeyRing keys = renewed(test_identity("a"));
  const IdentityPaths paths = identity_paths(folder_, "a");
  ASSERT_TRUE(replace_identity(paths, keys, nullptr));
  const auto read = read_public_identity(paths.pub);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(*read == keys.identity().public_identity());
  const auto key = read_key_file(paths.key);
  ASSERT_TRUE(key);
  EXPECT_TRUE(KeyRing::decode(key->span(), nullptr));
}

}  // namespace
}  // namespace ppdnmf::identity
