#include <ppdnmf/base/encoding.h>

#include <gtest/gtest.h>

namespace ppdnmf {
namespace {

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

TEST(Encoding, Base64ComesBack) {
  Bytes bytes;
  for (int i = 0; i < 300; ++i) {
    const auto again = parse_base64(base64(bytes));
    ASSERT_TRUE(again) << i;
    EXPECT_EQ(*again, bytes);
    bytes.push_back(static_cast<std::uint8_t>(i * 151));
  }
}

TEST(Encoding, Base64IsThatOfRfc4648) {
  EXPECT_EQ(base64(bytes_of("")), "");
  EXPECT_EQ(base64(bytes_of("f")), "Zg==");
  EXPECT_EQ(base64(bytes_of("fo")), "Zm8=");
  EXPECT_EQ(base64(bytes_of("foobar")), "Zm9vYmFy");
  EXPECT_EQ(parse_base64("Zm9v\r\nYmE =\n"), bytes_of("fooba"));
}

TEST(Encoding, Base64HasOneSpellingOnly) {
  for (const std::string_view wrong :
       {"Zm8", "Zm8==", "Zm9=", "Zh==", "Z===", "====", "Zm8=Zm8=", "Zm8-", "Zm8=\v", "Zm\0="}) {
    EXPECT_FALSE(parse_base64(wrong)) << wrong;
  }
}

TEST(Encoding, HexadecimalComesBackAndNothingElseDoes) {
  Digest digest{};
  for (std::size_t i = 0; i < digest.size(); ++i) digest[i] = static_cast<std::uint8_t>(i * 73);
  std::string text = hex(digest);
  EXPECT_EQ(text.substr(0, 8), "004992db");
  EXPECT_EQ(parse_hex(text), digest);
  EXPECT_FALSE(parse_hex(text + "0"));
  text[5] = 'A';
  EXPECT_FALSE(parse_hex(text));
}

// FIPS 180-2, appendix B.1.
TEST(Encoding, DigestOfPartsIsThatOfTheWhole) {
  EXPECT_EQ(hex(sha256(bytes_of("abc"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256({bytes_of("a"), bytes_of(""), bytes_of("bc")}), sha256(bytes_of("abc")));
}

TEST(Encoding, SpokenDigitsAreEightGroupsOfFive) {
  Digest digest{};
  digest[3] = 7;
  digest[4] = 0xff;
  digest[5] = 0xff;
  digest[6] = 0xff;
  digest[7] = 0xff;  // 4294967295
  EXPECT_EQ(spoken(digest), "00007 67295 00000 00000 00000 00000 00000 00000");
}

}  // namespace
}  // namespace ppdnmf
