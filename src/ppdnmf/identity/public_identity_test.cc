#include <ppdnmf/identity/public_identity.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/identity/internal/certificate.h>
#include <ppdnmf/identity/internal/layout.h>
#include <ppdnmf/identity/test_identity.h>

namespace ppdnmf::identity {
namespace {

using ::testing::HasSubstr;

Bytes signed_by(EVP_PKEY* key, std::string_view name, ByteSpan certificate, const crypto::IdentityBytes& x25519) {
  const Bytes text = internal::signed_bytes(name, certificate, x25519);
  ByteWriter out;
  out.put_array(text.data(), text.size());
  out.put_bytes(internal::sign(key, text));
  return out.take();
}

TEST(PublicIdentity, ComesBackFromItsTextAsItWas) {
  const PrivateIdentity own = test_identity("hospital-a");
  const PublicIdentity& shown = own.public_identity();
  const auto again = PublicIdentity::parse(shown.text());
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->encode(), shown.encode());
  EXPECT_EQ(again->name(), "hospital-a");
  EXPECT_EQ(again->x25519(), own.x25519().public_bytes());
  EXPECT_EQ(again->fingerprint(), shown.fingerprint());
}

TEST(PublicIdentity, IsValidFromTheDayBeforeForTwoYearsAndAMonth) {
  using std::chrono::sys_days;
  const PrivateIdentity own = test_identity("a");
  EXPECT_EQ(own.public_identity().valid_from(), sys_days{std::chrono::year{2026} / 3 / 14});
  EXPECT_EQ(own.public_identity().valid_until(), sys_days{std::chrono::year{2028} / 4 / 12});
}

TEST(PublicIdentity, SurvivesMailPrograms) {
  const PrivateIdentity own = test_identity("a");
  std::string text;
  for (const char c : own.public_identity().text()) text += c == '\n' ? std::string(" \r\n") : std::string(1, c);
  EXPECT_TRUE(PublicIdentity::parse("\n" + text + "\n\n"));
}

TEST(PublicIdentity, EveryTruncationAndEveryChangedByteIsRefused) {
  const PrivateIdentity own = test_identity("hospital-a");
  const Bytes bytes = own.public_identity().encode();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(PublicIdentity::decode(ByteSpan(bytes).first(i))) << i;
    for (const std::uint8_t change : {0x01, 0x20, 0x80}) {
      Bytes changed = bytes;
      changed[i] ^= change;
      EXPECT_FALSE(PublicIdentity::decode(changed)) << i << " " << int{change};
    }
  }
  Bytes longer = bytes;
  longer.push_back(0);
  EXPECT_FALSE(PublicIdentity::decode(longer));
}

TEST(PublicIdentity, SomebodyElsesSignatureIsRefused) {
  const PrivateIdentity own = test_identity("a");
  const auto other = internal::generate_tls_key();
  const Bytes forged = signed_by(other.get(), "a", own.public_identity().certificate(), own.public_identity().x25519());
  const auto result = PublicIdentity::decode(forged);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("signature"));
}

// A certificate that its owner signed rightly, and that could pass for a certification authority's.
TEST(PublicIdentity, ACertificateOfAnotherFormIsRefused) {
  const auto key = internal::generate_tls_key();
  const Bytes der = internal::make_certificate(key.get(), internal::kFirstDay);
  ASSERT_TRUE(PublicIdentity::decode(signed_by(key.get(), "a", der, {})));
  const auto refuse = [&](const auto& change) {
    const unsigned char* at = der.data();
    const internal::Owned<X509> certificate(d2i_X509(nullptr, &at, static_cast<long>(der.size())));
    change(certificate.get());
    PPDNMF_CHECK(X509_sign(certificate.get(), key.get(), EVP_sha256()) > 0);
    unsigned char* data = nullptr;
    const int size = i2d_X509(certificate.get(), &data);
    const Bytes changed(data, data + size);
    OPENSSL_free(data);
    const auto result = PublicIdentity::decode(signed_by(key.get(), "a", changed, {}));
    EXPECT_FALSE(result);
    EXPECT_THAT(result ? "" : result.error().message, HasSubstr("its certificate is not of the form"));
  };
  refuse([](X509* c) { X509_EXTENSION_free(X509_delete_ext(c, 0)); });
  refuse([](X509* c) { X509_EXTENSION_free(X509_delete_ext(c, 1)); });
  refuse([](X509* c) { PPDNMF_CHECK(ASN1_TIME_set_string(X509_getm_notAfter(c), "20991231000000Z") == 1); });
  refuse([](X509* c) {
    PPDNMF_CHECK(X509_NAME_add_entry_by_txt(X509_get_subject_name(c), "O", MBSTRING_ASC,
                                            reinterpret_cast<const unsigned char*>("Hospital"), -1, -1, 0) == 1);
  });
  refuse([](X509* c) { PPDNMF_CHECK(X509_set_version(c, X509_VERSION_1) == 1); });
}

TEST(PublicIdentity, AKeyOfAnotherCurveIsRefused) {
  const internal::Owned<EVP_PKEY> key(EVP_EC_gen("secp384r1"));
  EXPECT_FALSE(internal::point_of(key.get()));
  internal::TlsPoint outside{4, 1, 2, 3};
  EXPECT_EQ(internal::public_tls_key(outside), nullptr);
}

TEST(PublicIdentity, NamesAreFitForFiles) {
  for (const std::string_view good : {"a", "hospital-a", "Site_1.2", "0"}) EXPECT_TRUE(check_name(good)) << good;
  for (const std::string_view bad : {"", ".a", "-a", "a/b", "a b", "a\n", "\xc3\xa4", "a@b"}) {
    EXPECT_FALSE(check_name(bad)) << bad;
  }
  EXPECT_TRUE(check_name(std::string(64, 'x')));
  EXPECT_FALSE(check_name(std::string(65, 'x')));
}

TEST(PublicIdentity, ShowsNoNameInItsCertificate) {
  const PrivateIdentity own = test_identity("hospital-a");
  const Bytes& der = own.public_identity().certificate();
  EXPECT_EQ(std::string(der.begin(), der.end()).find("hospital"), std::string::npos);
  EXPECT_THAT(own.public_identity().certificate_pem(), HasSubstr("BEGIN CERTIFICATE"));
}

}  // namespace
}  // namespace ppdnmf::identity
