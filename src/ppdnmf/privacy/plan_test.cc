#include <ppdnmf/privacy/plan.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <ppdnmf/privacy/discrete_gaussian.h>

namespace ppdnmf::privacy {
namespace {

PlanRequest request() { return {{1, 1e-6}, 96, 8, 40, 10, 9, 15000, 32}; }

TEST(Plan, SpendsTheBudgetAndNoMore) {
  for (const double epsilon : {0.5, 1.0, 8.0, 100.0}) {
    for (const std::uint32_t honest : {1U, 5U, 10U}) {
      PlanRequest r = request();
      r.budget.epsilon = epsilon;
      r.honest = honest;
      r.columns = 1e5;
      const auto plan = plan_noise(r);
      ASSERT_TRUE(plan) << plan.error().message;
      EXPECT_LE(epsilon_of(plan->cost(), 1e-6), epsilon);
      EXPECT_GE(epsilon_of(plan->cost(), 1e-6), 0.998 * epsilon);
      EXPECT_EQ(plan->cost(), cost_of(*plan));
      EXPECT_TRUE(DiscreteGaussian::create({plan->share_variance, 1}));
    }
  }
}

// By hand, without rounding and units: rho = rounds C² / (2 sigma²), sigma² over the honest shares.
TEST(Plan, NoiseIsThatOfTheTextbook) {
  const auto plan = plan_noise(request());
  ASSERT_TRUE(plan);
  const double sigma = noise_of(*plan, 9);
  EXPECT_NEAR(plan->rho, 40 * (1 + plan->t_weight * plan->t_weight) / (2 * sigma * sigma), 1e-4 * plan->rho);
  EXPECT_NEAR(noise_of(*plan, 4), 2 * noise_of(*plan, 1), 1e-12);
  EXPECT_EQ(plan->entries, 96 * 8 + 36);
}

TEST(Plan, MomentsSpendTheBudgetAndNoMore) {
  for (const double epsilon : {0.5, 1.0, 4.0, 8.0, 100.0}) {
    for (const std::uint32_t honest : {1U, 9U}) {
      for (const int rounds : {0, 6}) {
        PlanRequest r = request();
        r.budget.epsilon = epsilon;
        r.honest = honest;
        r.rounds = rounds;
        r.columns = 1e5;
        const auto plan = plan_moments(r, rounds > 0 ? 0.7 : 1);
        ASSERT_TRUE(plan) << plan.error().message;
        EXPECT_LE(delta_of(plan->cost(), epsilon), 1e-6);
        EXPECT_GE(epsilon_of(plan->cost(), 1e-6), 0.998 * epsilon);
        EXPECT_EQ(plan->opening.cost(), cost_of(plan->opening));
        EXPECT_EQ(plan->rounds.cost(), cost_of(plan->rounds));
        EXPECT_NEAR(plan->opening.rho, (rounds > 0 ? 0.7 : 1) * plan->cost().rho, 1e-3 * plan->cost().rho);
        EXPECT_EQ(plan->opening.share_variance % 2, 0U);
        EXPECT_TRUE(DiscreteGaussian::create({plan->opening.share_variance, 1}));
        EXPECT_LE(std::sqrt(static_cast<double>(plan->opening.share_variance)), 0x1p26);
      }
    }
  }
}

// |z|² / s = 2^(2 bits) / s in units: rho = 1 / (2 s²) where columns have length one, s² over the honest shares.
TEST(Plan, TheNoiseOfAnOpeningIsThatOfTheTextbook) {
  PlanRequest r = request();
  r.rounds = 0;
  const auto plan = plan_moments(r, 1);
  ASSERT_TRUE(plan);
  const double s = noise_of(plan->opening, 9);
  EXPECT_NEAR(plan->opening.rho, 1 / (2 * s * s), 1e-9 * plan->opening.rho);
  EXPECT_EQ(plan->opening.entries, 96 * 97 / 2);
  EXPECT_EQ(plan->rounds.rounds, 0);
  EXPECT_EQ(plan->rounds.cost(), Cost{});
}

TEST(Plan, MoreRowsThanATriangleCanCarryAreASentence) {
  PlanRequest r = request();
  r.rounds = 0;
  r.columns = 1e5;
  r.budget = {4, 1e-6};
  r.rows = kMaxMomentRows;
  EXPECT_TRUE(plan_moments(r, 1));
  r.rows = kMaxMomentRows + 1;
  const auto refused = plan_moments(r, 1);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("`scheme=sum`"), std::string::npos) << refused.error().message;
}

TEST(Plan, LessTrustOrMoreRoundsIsMoreNoise) {
  const auto least = plan_noise(request());
  PlanRequest r = request();
  r.honest = 5;
  EXPECT_GT(plan_noise(r)->share_variance, least->share_variance);
  r = request();
  r.rounds = 80;
  EXPECT_GT(plan_noise(r)->share_variance, least->share_variance);
  r = request();
  r.budget.epsilon = 0.9;
  EXPECT_GT(plan_noise(r)->share_variance, least->share_variance);
  r = request();
  r.budget.delta = 1e-7;
  EXPECT_GT(plan_noise(r)->share_variance, least->share_variance);
}

TEST(Plan, ANoiseThatWouldBuryTheDataIsRefusedWithWhatWouldDo) {
  PlanRequest r = request();
  r.columns = 60;
  r.budget.epsilon = 0.1;
  const auto refused = plan_noise(r);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_NE(refused.error().message.find("columns, or `epsilon="), std::string::npos) << refused.error().message;
  // What it says does.
  const auto number_after = [text = refused.error().message](const std::string& words) {
    const std::size_t at = text.find(words);
    return at == std::string::npos ? 0 : std::strtod(text.c_str() + at + words.size(), nullptr);
  };
  const double columns = number_after("it takes about ");
  const double epsilon = number_after("columns, or `epsilon=");
  ASSERT_GT(columns, 60);
  ASSERT_GT(epsilon, 0.1);
  r.columns = columns;
  EXPECT_TRUE(plan_noise(r));
  r.columns = 60;
  r.budget.epsilon = 1.1 * epsilon;
  EXPECT_TRUE(plan_noise(r));
}

TEST(Plan, TinyBudgetsFallBackToACoarserUnit) {
  PlanRequest r = request();
  r.budget.epsilon = 1e-3;
  r.columns = 1e9;
  r.budget.delta = 1e-10;
  const auto plan = plan_noise(r);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_GT(plan->unit, 0x1p-20);
  EXPECT_TRUE(DiscreteGaussian::create({plan->share_variance, 1}));
  EXPECT_LE(epsilon_of(plan->cost(), 1e-10), 1e-3);
}

TEST(Plan, NumbersBeyondAllMeasureAreASentence) {
  PlanRequest r = request();
  r.budget = {1e-300, 1e-300};
  EXPECT_FALSE(plan_noise(r));
  r.budget = {1e-6, 1e-100};
  r.columns = 0x1p40;
  r.rounds = 1'000'000'000;
  r.rows = std::int64_t{1} << 40U;
  r.rank = std::int64_t{1} << 20U;
  const auto refused = plan_noise(r);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("more noise than can be drawn"), std::string::npos) << refused.error().message;
}

// What is weighed down to C may end above it by a rounding error, and the account must not be below what was done.
TEST(Plan, TheAccountHasRoomForRoundingAboveTheBoundThatIsKept) {
  const auto plan = plan_noise(request());
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->bound, std::sqrt(1 + plan->t_weight * plan->t_weight));
  const auto rho_with = [&](double bound) {
    return 40 * rho_of({rounded_bound(bound / plan->unit, plan->entries), static_cast<double>(plan->share_variance), 9,
                        plan->entries});
  };
  EXPECT_DOUBLE_EQ(plan->rho, rho_with(plan->bound * (1 + 1e-9)));
  EXPECT_GT(plan->rho, rho_with(plan->bound * (1 + 5e-10)));
}

TEST(Plan, WhatMakesNoSenseIsASentence) {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    PlanRequest r = request();
    r.budget.epsilon = bad;
    EXPECT_FALSE(plan_noise(r));
    r = request();
    r.budget.delta = bad;
    EXPECT_FALSE(plan_noise(r));
  }
  for (const std::uint32_t honest : {0U, 11U}) {
    PlanRequest r = request();
    r.honest = honest;
    const auto refused = plan_noise(r);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("`assume_honest`"), std::string::npos);
  }
  PlanRequest r = request();
  r.agents = 500;
  r.honest = 20;
  EXPECT_FALSE(plan_noise(r));
}

TEST(Plan, MasksHoldWhereTheHonestStayTogether) {
  EXPECT_TRUE(masks_hold(65, 2, 32));      // everybody with everybody
  EXPECT_TRUE(masks_hold(1000, 937, 32));  // 63 others cannot cut a ring twice
  EXPECT_TRUE(masks_hold(1000, 720, 32));
  // 2^-100 would do for an order that nobody can choose; whoever speaks last may try many.
  EXPECT_FALSE(masks_hold(1000, 700, 32));
  EXPECT_FALSE(masks_hold(1000, 100, 32));
  EXPECT_TRUE(masks_hold(1000, 1, 32));  // whose share alone is enough
  EXPECT_TRUE(masks_hold(100, 37, 32));
  EXPECT_FALSE(masks_hold(100, 36, 32));
  EXPECT_FALSE(masks_hold(66, 2, 32));
  // Against counting: a ring of 7 with 1 near, 4 honest; it stays together where the others are a single run.
  // 35 choices, 7 of them single runs: far from certain.
  EXPECT_FALSE(masks_hold(7, 4, 1));
}

}  // namespace
}  // namespace ppdnmf::privacy
