#include <ppdnmf/net/proxy.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace ppdnmf::net {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Proxy, IsWrittenAsAPlaceOrAsTheEnvironmentDoes) {
  for (const char* text : {"proxy.example:3128", "http://proxy.example:3128", "http://proxy.example:3128/"}) {
    const auto proxy = parse_proxy(text);
    ASSERT_TRUE(proxy) << text;
    EXPECT_EQ(identity::text_of(proxy->address), "proxy.example:3128");
    EXPECT_EQ(proxy->credentials, "");
  }
  const auto known = parse_proxy("http://me:p%40ss@[fd00::1]:3128");
  ASSERT_TRUE(known);
  EXPECT_EQ(known->credentials, "me:p@ss");
  EXPECT_EQ(known->address.host, "fd00::1");
}

TEST(Proxy, WhatMakesNoSenseIsASentenceWithoutThePassword) {
  for (const char* text :
       {"", "proxy.example", "https://proxy.example:443", "http://:3128", "http://me@proxy.example:3128",
        "http://me:secret%zz@proxy.example:3128", "http://me:secret%0a@proxy.example:3128",
        "http://me:secret@proxy.example", "socks5://proxy.example:1080"}) {
    const auto proxy = parse_proxy(text);
    ASSERT_FALSE(proxy) << text;
    EXPECT_THAT(proxy.error().message, Not(HasSubstr("secret")));
  }
}

TEST(Proxy, TheEnvironmentIsAskedByName) {
  unsetenv("https_proxy");
  unsetenv("HTTPS_PROXY");
  EXPECT_THAT(proxy_from_environment().error().message, HasSubstr("names no proxy"));
  setenv("HTTPS_PROXY", "http://one.example:1/", 1);
  EXPECT_EQ(proxy_from_environment()->address.host, "one.example");
  setenv("https_proxy", "two.example:2", 1);
  EXPECT_EQ(proxy_from_environment()->address.host, "two.example");
  setenv("https_proxy", "nonsense", 1);
  EXPECT_THAT(proxy_from_environment().error().message, HasSubstr("https_proxy: "));
  unsetenv("https_proxy");
  unsetenv("HTTPS_PROXY");
}

TEST(Proxy, TheEnvironmentMakesExceptions) {
  setenv("https_proxy", "one.example:1", 1);
  unsetenv("no_proxy");
  setenv("NO_PROXY", "two.example", 1);
  EXPECT_EQ(proxy_from_environment()->exceptions, "two.example");
  EXPECT_FALSE(proxy_for({"two.example", 7443}, *proxy_from_environment()));
  EXPECT_EQ(proxy_for({"three.example", 7443}, *proxy_from_environment())->address.host, "one.example");
  setenv("no_proxy", "three.example", 1);
  EXPECT_EQ(proxy_from_environment()->exceptions, "three.example");
  EXPECT_EQ(parse_proxy("one.example:1")->exceptions, "") << "who names a proxy means that one";
  for (const char* name : {"https_proxy", "no_proxy", "NO_PROXY"}) unsetenv(name);
  EXPECT_FALSE(proxy_for({"two.example", 7443}, std::nullopt));
}

struct Exception {
  const char* list;
  identity::Address place;
};

TEST(Proxy, ExceptionsAreNamesAddressesNetworksAndPorts) {
  for (const auto& [list, place] : std::initializer_list<Exception>{{"*", {"a.example", 1}},
                                                                    {"a.example", {"a.example", 1}},
                                                                    {"A.Example.", {"a.example", 1}},
                                                                    {"a.example", {"x.a.example", 1}},
                                                                    {".a.example", {"x.a.example", 1}},
                                                                    {".a.example", {"a.example", 1}},
                                                                    {"*.a.example", {"x.y.a.example", 1}},
                                                                    {"a.example:7443", {"a.example", 7443}},
                                                                    {"b.example, a.example", {"a.example", 1}},
                                                                    {"b.example a.example", {"a.example", 1}},
                                                                    {",,a.example,", {"a.example", 1}},
                                                                    {"192.0.2.7", {"192.0.2.7", 1}},
                                                                    {"192.0.2.7:80", {"192.0.2.7", 80}},
                                                                    {"192.0.2.0/24", {"192.0.2.7", 1}},
                                                                    {"192.0.2.4/30:80", {"192.0.2.7", 80}},
                                                                    {"0.0.0.0/0", {"192.0.2.7", 1}},
                                                                    {"192.0.2.7/32", {"192.0.2.7", 1}},
                                                                    {"fd00::2", {"fd00::2", 1}},
                                                                    {"FD00:0::2", {"fd00::2", 1}},
                                                                    {"[fd00::2]", {"fd00::2", 1}},
                                                                    {"[fd00::2]:80", {"fd00::2", 80}},
                                                                    {"fd00::/8", {"fd12::2", 1}},
                                                                    {"*:80", {"fd12::2", 80}}}) {
    EXPECT_TRUE(is_excepted(place, list)) << list;
  }
}

TEST(Proxy, WhatIsNoneOfTheseIsNoException) {
  for (const auto& [list, place] : std::initializer_list<Exception>{{"", {"a.example", 1}},
                                                                    {", ,", {"a.example", 1}},
                                                                    {".", {"a.example", 1}},
                                                                    {"*.", {"a.example", 1}},
                                                                    {"a.example", {"ba.example", 1}},
                                                                    {"x.a.example", {"a.example", 1}},
                                                                    {"a.example:7443", {"a.example", 7444}},
                                                                    {"a.example:", {"a.example", 1}},
                                                                    {"a.example:x", {"a.example", 1}},
                                                                    {"a.*", {"a.example", 1}},
                                                                    {"0.2.7", {"192.0.2.7", 1}},
                                                                    {"192.0.2.0/24", {"192.0.3.7", 1}},
                                                                    {"192.0.2.0/33", {"192.0.2.0", 1}},
                                                                    {"192.0.2.0/", {"192.0.2.0", 1}},
                                                                    {"192.0.2.0/24", {"a.example", 1}},
                                                                    {"a.example/8", {"192.0.2.7", 1}},
                                                                    {"::/0", {"192.0.2.7", 1}},
                                                                    {"[fd00::2]:81", {"fd00::2", 80}},
                                                                    {"[fd00::2]80", {"fd00::2", 80}},
                                                                    {"[fd00::2", {"fd00::2", 80}},
                                                                    {"<local>", {"a.example", 1}}}) {
    EXPECT_FALSE(is_excepted(place, list)) << list;
  }
}

TEST(Proxy, IsAskedForThePlaceAndForNothingElse) {
  const identity::Address place{"fd00::2", 7443};
  EXPECT_EQ(connect_request(place, {{"proxy.example", 3128}, ""}),
            "CONNECT [fd00::2]:7443 HTTP/1.1\r\nHost: [fd00::2]:7443\r\n\r\n");
  EXPECT_THAT(connect_request(place, {{"proxy.example", 3128}, "Aladdin:open sesame"}),
              HasSubstr("\r\nProxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n\r\n"));
}

TEST(Proxy, AnswersHaveANumber) {
  EXPECT_EQ(status_of_answer("HTTP/1.1 200 Connection established\r\n\r\n").value(), 200);
  EXPECT_EQ(status_of_answer("HTTP/1.0 407\r\n\r\n").value(), 407);
  for (const char* head : {"", "HTTP/1.1", "HTTP/1.1 20", "HTTP/1.1 2000 x", "HTTP/2 200 OK\r\n", "HTTP/1.1 099 x\r\n",
                           "HTTP/1.1 -12 x\r\n", "220 mail.example ESMTP\r\n", "HTTP/1.1 6000\r\n"}) {
    EXPECT_FALSE(status_of_answer(head)) << head;
  }
}

TEST(Proxy, EveryRefusalSaysWhatToDo) {
  EXPECT_THAT(words_for_answer(403, "a:1"), HasSubstr("allow CONNECT to this place and port"));
  EXPECT_THAT(words_for_answer(407, "a:1"), HasSubstr("`proxy=env`"));
  EXPECT_THAT(words_for_answer(502, "a:1"), HasSubstr("cannot reach a:1 itself"));
  EXPECT_THAT(words_for_answer(302, "a:1"), HasSubstr("answers 302"));
}

}  // namespace
}  // namespace ppdnmf::net
