#include <ppdnmf/identity/sealing.h>

#include <gtest/gtest.h>

#include <algorithm>

#include <ppdnmf/identity/test_identity.h>

namespace ppdnmf::identity {
namespace {

TEST(Sealing, OpensWithTheSamePassphraseOnly) {
  const crypto::SecretBytes secret = test_passphrase("a secret").bytes;
  const Bytes beside = {1, 2, 3};
  const Bytes sealed = seal(secret, test_passphrase("p"), beside);
  EXPECT_EQ(sealed.size(), secret.size() + kSealBytes);
  const auto again = unseal(sealed, test_passphrase("p"), beside);
  ASSERT_TRUE(again);
  EXPECT_TRUE(std::ranges::equal(again->span(), secret.span()));
  EXPECT_FALSE(unseal(sealed, test_passphrase("q"), beside));
  EXPECT_FALSE(unseal(sealed, test_passphrase("p"), Bytes{1, 2, 4}));
}

TEST(Sealing, NoticesAChangeOfSaltTextAndTag) {
  const Bytes sealed = seal(test_passphrase("a secret").bytes, test_passphrase("p"), {});
  for (const std::size_t i : {std::size_t{0}, std::size_t{20}, sealed.size() - 1}) {
    Bytes changed = sealed;
    changed[i] ^= 1;
    EXPECT_FALSE(unseal(changed, test_passphrase("p"), {})) << i;
  }
  EXPECT_FALSE(unseal(ByteSpan(sealed).first(kSealBytes - 1), test_passphrase("p"), {}));
}

TEST(Sealing, TwoSealsOfOneSecretDiffer) {
  const crypto::SecretBytes secret = test_passphrase("a secret").bytes;
  EXPECT_NE(seal(secret, test_passphrase("p"), {}), seal(secret, test_passphrase("p"), {}));
}

}  // namespace
}  // namespace ppdnmf::identity
