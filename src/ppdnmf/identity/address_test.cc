#include <ppdnmf/identity/address.h>

#include <gtest/gtest.h>

namespace ppdnmf::identity {
namespace {

TEST(Address, ComesBackInOneSpelling) {
  for (const auto& [text, expected] :
       {std::pair("Site-A.example:7443", "site-a.example:7443"), std::pair("10.0.0.1:1", "10.0.0.1:1"),
        std::pair("a:65535", "a:65535"), std::pair("[FD00:0:0::1]:7443", "[fd00::1]:7443"),
        std::pair("[0:0:0:0:0:0:0:1]:80", "[::1]:80")}) {
    const auto address = parse_address(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(text_of(*address), expected);
    EXPECT_EQ(*parse_address(expected), *address);
  }
}

TEST(Address, AnythingElseIsRefused) {
  for (const char* text : {"",
                           "a",
                           ":7443",
                           "a:",
                           "a:0",
                           "a:65536",
                           "a:-1",
                           "a:+1",
                           "a:07443",
                           "a:7443 ",
                           "a b:7443",
                           "a..b:1",
                           ".a:1",
                           "a.:1",
                           "-a:1",
                           "a-:1",
                           "a-.b:1",
                           "fd00::1:7443",
                           "[fd00::1:7443",
                           "[a]:1",
                           "[]:1",
                           "256.0.0.1:1",
                           "1.2.3:1",
                           "1:1",
                           "a_b:1",
                           "a/b:1",
                           "http://a:1",
                           "\xc3\xa4:1",
                           "a\n:1"}) {
    EXPECT_FALSE(parse_address(text)) << text;
  }
  std::string long_name(254, 'a');
  long_name += ":1";
  EXPECT_FALSE(parse_address(long_name));
  EXPECT_FALSE(parse_address(std::string_view("127.0.0.1\0.a:1", 14)));
}

TEST(Address, LoopbackIsMeantLiterally) {
  for (const char* text : {"127.0.0.1:1", "127.9.9.9:1", "[::1]:1"})
    EXPECT_TRUE(is_loopback(*parse_address(text))) << text;
  for (const char* text : {"localhost:1", "127.example:1", "128.0.0.1:1", "[::2]:1", "[::]:1", "0.0.0.0:1"})
    EXPECT_FALSE(is_loopback(*parse_address(text))) << text;
}

}  // namespace
}  // namespace ppdnmf::identity
