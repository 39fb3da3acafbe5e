#include <ppdnmf/privacy/mask_ring.h>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

namespace ppdnmf::privacy {
namespace {

// Whether the agents in `honest`, one bit each, hang together when neighbours up to `near` apart do.
bool connected(std::uint32_t honest, std::uint32_t agents, std::uint32_t near) {
  std::uint32_t reached = honest & (~honest + 1);
  for (std::uint32_t before = 0; before != reached;) {
    before = reached;
    for (std::uint32_t i = 0; i < agents; ++i) {
      if ((reached >> i & 1U) == 0) continue;
      for (std::uint32_t step = 1; step <= near; ++step) {
        reached |= (1U << (i + step) % agents | 1U << (i + agents - step) % agents) & honest;
      }
    }
  }
  return reached == honest;
}

// Every choice of who is honest, for rings small enough to count them all.
TEST(MaskRing, TheBoundIsAboveWhatCountingGives) {
  constexpr std::uint32_t kAgents = 14;
  for (const std::uint32_t near : {1U, 2U, 3U}) {
    std::vector<double> choices(kAgents + 1);
    std::vector<double> cut(kAgents + 1);
    for (std::uint32_t honest = 1; honest < 1U << kAgents; ++honest) {
      const auto number = static_cast<std::size_t>(std::popcount(honest));
      choices[number] += 1;
      if (!connected(honest, kAgents, near)) cut[number] += 1;
    }
    for (std::uint32_t number = 1; number <= kAgents; ++number) {
      const double bound = log2_chance_of_a_cut(kAgents, number, near);
      const double chance = cut[number] / choices[number];
      EXPECT_LE(chance, std::exp2(bound) * (1 + 1e-12)) << number << " honest, " << near << " near";
      if (chance > 0) {
        EXPECT_LE(bound, std::log2(chance) + 6) << number << " honest, " << near << " near";  // and not far above
      }
      if (number > 1 && kAgents - number < 2 * near) {
        EXPECT_EQ(chance, 0);
      }
    }
  }
}

TEST(MaskRing, MoreDishonestAgentsCutMoreOften) {
  double last = -1e9;
  for (std::uint32_t honest = 936; honest > 1; --honest) {
    const double chance = log2_chance_of_a_cut(1000, honest, 32);
    EXPECT_GE(chance, last);
    last = chance;
  }
  EXPECT_EQ(last, 0);
}

TEST(MaskRing, WhatCannotBeCutHasNoChance) {
  EXPECT_TRUE(std::isinf(log2_chance_of_a_cut(65, 2, 32)));      // everybody with everybody
  EXPECT_TRUE(std::isinf(log2_chance_of_a_cut(1000, 937, 32)));  // 63 others are one short of two runs
  EXPECT_FALSE(std::isinf(log2_chance_of_a_cut(1000, 936, 32)));
  EXPECT_TRUE(std::isinf(log2_chance_of_a_cut(1000, 1, 32)));  // alone
}

}  // namespace
}  // namespace ppdnmf::privacy
