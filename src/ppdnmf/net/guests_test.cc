#include <gtest/gtest.h>

#include <ppdnmf/net/gate.h>
#include <ppdnmf/net/guests.h>

namespace ppdnmf::net {
namespace {

using namespace std::chrono_literals;

const Guests::Time kNow{1000s};
const GuestLimits kLimits{6, 3, 2, 5s};

TEST(Guests, AFloodFromOneAddressPushesOutItsOwn) {
  Guests guests(kLimits);
  const auto neighbour = guests.admit("10.0.0.2", 1, kNow);
  for (std::uint16_t port = 1; port <= 1000; ++port) {
    const auto admitted = guests.admit("10.0.0.1", port, kNow);
    ASSERT_EQ(admitted.leaver.has_value(), port > 3);
    if (admitted.leaver) {
      EXPECT_EQ(admitted.leaver->address, "10.0.0.1");
    }
  }
  EXPECT_EQ(guests.size(), 4U);
  EXPECT_FALSE(guests.speaks(neighbour.number));
}

TEST(Guests, AFloodFromManyAddressesPushesOutTheSilentFirst) {
  Guests guests(kLimits);
  const auto neighbour = guests.admit("10.0.0.2", 1, kNow);
  guests.spoke(neighbour.number);
  for (int n = 0; n < 1000; ++n) {
    (void)guests.admit("10.1.0." + std::to_string(n % 2), static_cast<std::uint16_t>(n), kNow);
    ASSERT_LE(guests.size(), 6U);
  }
  EXPECT_TRUE(guests.speaks(neighbour.number));
}

TEST(Guests, WhoWaitsLongestGoesFirst) {
  Guests guests(kLimits);
  const auto first = guests.admit("a", 1, kNow);
  const auto second = guests.admit("a", 2, kNow);
  (void)guests.admit("a", 3, kNow);
  guests.spoke(first.number);  // whoever speaks may stay longer than whoever does not
  EXPECT_EQ(guests.admit("a", 4, kNow).leaver->number, second.number);
}

TEST(Guests, NeighboursDoNotCountAndAreNotPushedOut) {
  Guests guests(kLimits);
  for (std::uint16_t port = 1; port <= 100; ++port) {
    const auto admitted = guests.admit("a", port, kNow);
    guests.spoke(admitted.number);
    ASSERT_FALSE(admitted.leaver);
    ASSERT_FALSE(guests.recognise("a", port, port));
  }
  EXPECT_EQ(guests.size(), 100U);
  EXPECT_FALSE(guests.oldest_stranger());
}

TEST(Guests, ANeighbourHasAFewConnectionsOnly) {
  Guests guests(kLimits);
  const auto first = guests.admit("a", 1, kNow);
  EXPECT_FALSE(guests.recognise("a", 1, 7));
  (void)guests.admit("b", 2, kNow);
  EXPECT_FALSE(guests.recognise("b", 2, 7));
  (void)guests.admit("c", 3, kNow);
  const auto leaver = guests.recognise("c", 3, 7);
  ASSERT_TRUE(leaver);
  EXPECT_EQ(leaver->number, first.number);
}

TEST(Guests, WhoStaysSilentGoesInTime) {
  Guests guests(kLimits);
  const auto silent = guests.admit("a", 1, kNow);
  const auto speaking = guests.admit("a", 2, kNow);
  guests.spoke(speaking.number);
  EXPECT_TRUE(guests.overdue(kNow + 4s).empty());
  const auto overdue = guests.overdue(kNow + 5s);
  ASSERT_EQ(overdue.size(), 1U);
  EXPECT_EQ(overdue[0].number, silent.number);
  EXPECT_EQ(guests.size(), 1U);
}

TEST(Guests, LimitsLeaveDescriptorsForTheRest) {
  for (const std::size_t left : {0UL, 100UL, 256UL, 1000UL, 20000UL}) {
    for (const std::size_t peers : {1UL, 10UL, 999UL}) {
      const GuestLimits limits = guest_limits(left, peers, 1s);
      EXPECT_GE(limits.strangers, 4U);
      EXPECT_GE(limits.per_address, 2U);
      EXPECT_LT(limits.per_address, limits.strangers);
      if (limits.strangers > 4) {
        EXPECT_LE(2 * limits.strangers + 4 * peers + 64, left);
      }
    }
  }
  EXPECT_GE(guest_limits(1000, 2, 1s).strangers, 64U);
}

TEST(Guests, GrpcsNamesOfPeersAreUnderstood) {
  const auto expect = [](const std::string& name, const std::string& host, std::uint16_t port) {
    const auto found = endpoint_of(name);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->first, host);
    EXPECT_EQ(found->second, port);
  };
  expect("ipv4:10.0.0.1:4711", "10.0.0.1", 4711);
  expect("ipv6:[::1]:80", "::1", 80);
  expect("ipv6:%5B2001:db8::7%5D:443", "2001:db8::7", 443);
  for (const char* name : {"", "ipv4:", "unix:/tmp/x", "ipv4:1.2.3.4:x", "ipv4:1.2.3.4:70000"}) {
    EXPECT_FALSE(endpoint_of(name)) << name;
  }
}

}  // namespace
}  // namespace ppdnmf::net
