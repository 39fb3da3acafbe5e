#include <ppdnmf/sim/network.h>

#include <gtest/gtest.h>

#include <map>

namespace ppdnmf::sim {
namespace {

protocol::Message numbered(std::uint32_t number) {
  return {{}, protocol::Query{protocol::Round{number, 1}, protocol::kNever, {}}};
}
std::uint32_t number_of(const Delivery& delivery) {
  return std::get<protocol::Query>(delivery.message.body).round.iteration;
}

// Sends `count` messages at time 0 and says when each copy arrived.
std::multimap<std::uint32_t, std::uint64_t> arrivals(const Faults& faults, std::uint64_t seed, std::uint32_t count) {
  Network network(faults, Seed::from_number(seed));
  for (std::uint32_t k = 0; k < count; ++k) network.send(0, AgentId{1}, AgentId{2}, numbered(k));
  std::multimap<std::uint32_t, std::uint64_t> seen;
  for (std::uint64_t now = 1; !network.idle(); ++now) {
    for (const Delivery& delivery : network.arrivals(now)) {
      EXPECT_EQ(delivery.from, AgentId{1});
      EXPECT_EQ(delivery.to, AgentId{2});
      seen.emplace(number_of(delivery), now);
    }
    EXPECT_LE(now, faults.max_delay);
  }
  return seen;
}

TEST(Network, WithoutFaultsEverythingArrivesInOrderAfterOneUnit) {
  Network network({}, Seed::from_number(1));
  for (std::uint32_t k = 0; k < 50; ++k) network.send(7, AgentId{1}, AgentId{2}, numbered(k));
  EXPECT_TRUE(network.arrivals(7).empty());
  const auto arrived = network.arrivals(8);
  ASSERT_EQ(arrived.size(), 50U);
  for (std::uint32_t k = 0; k < 50; ++k) EXPECT_EQ(number_of(arrived[k]), k);
  EXPECT_TRUE(network.idle());
}

TEST(Network, LosesAndRepeatsAtTheRatesItIsGiven) {
  Faults faults;
  faults.loss = 0.2;
  faults.duplicate = 0.3;
  constexpr std::uint32_t kCount = 20000;
  const auto seen = arrivals(faults, 2, kCount);
  std::uint32_t none = 0;
  std::uint32_t twice = 0;
  for (std::uint32_t k = 0; k < kCount; ++k) {
    none += seen.count(k) == 0 ? 1 : 0;
    twice += seen.count(k) == 2 ? 1 : 0;
  }
  EXPECT_NEAR(none / double{kCount}, 0.7 * 0.2 + 0.3 * 0.04, 0.01);
  EXPECT_NEAR(twice / double{kCount}, 0.3 * 0.64, 0.01);
}

TEST(Network, DelaysUniformlySoThatMessagesOvertake) {
  Faults faults;
  faults.max_delay = 4;
  constexpr std::uint32_t kCount = 8000;
  std::map<std::uint64_t, int> by_delay;
  for (const auto& [k, when] : arrivals(faults, 3, kCount)) ++by_delay[when];
  ASSERT_EQ(by_delay.size(), 4U);
  for (const auto& [delay, count] : by_delay) EXPECT_NEAR(count / double{kCount}, 0.25, 0.02) << delay;
}

TEST(Network, TheSameSeedDoesTheSame) {
  Faults faults;
  faults.loss = 0.2;
  faults.duplicate = 0.3;
  faults.max_delay = 5;
  EXPECT_EQ(arrivals(faults, 4, 300), arrivals(faults, 4, 300));
  EXPECT_NE(arrivals(faults, 4, 300), arrivals(faults, 5, 300));
  EXPECT_TRUE(faults.any());
  EXPECT_FALSE(Faults{}.any());
}

}  // namespace
}  // namespace ppdnmf::sim
