#include <ppdnmf/privacy/account.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace ppdnmf::privacy {
namespace {

// Lines of testdata/account.csv that begin with `kind`, as numbers; testdata/make_account.py made them.
std::vector<std::vector<double>> known(const std::string& kind) {
  std::vector<std::vector<double>> lines;
  std::ifstream file(PPDNMF_PRIVACY_TESTDATA "/account.csv");
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string field;
    std::getline(fields, field, ',');
    if (field != kind) continue;
    lines.emplace_back();
    while (std::getline(fields, field, ',')) lines.back().push_back(std::strtod(field.c_str(), nullptr));
  }
  return lines;
}

TEST(Account, ConvertsAsAnIndependentAccountDoes) {
  const auto lines = known("delta");
  ASSERT_EQ(lines.size(), 48U);
  for (const auto& line : lines) {
    const double rho = line[0];
    const double epsilon = line[1];
    const double delta = line[2];
    EXPECT_NEAR(delta_of(rho, epsilon), delta, 1e-12 * delta) << rho << ", " << epsilon;
    if (delta > 0.5 || delta < 1e-300) continue;
    EXPECT_NEAR(epsilon_of(rho, delta), epsilon, 1e-9 * epsilon) << rho << ", " << epsilon;
    EXPECT_NEAR(rho_for({epsilon, delta}), rho, 1e-9 * rho) << rho << ", " << epsilon;
  }
}

// OpenDP's own tests of the same conversion have these numbers (make_zCDP_to_approxDP, a Gaussian of sigma 4).
TEST(Account, AgreesWithPublishedNumbers) {
  EXPECT_NEAR(epsilon_of(1.0 / 32, 1e-3), 0.6880024554878085, 1e-12);
  EXPECT_NEAR(delta_of(1.0 / 32, 0), 0.1508457845622862, 1e-12);
}

TEST(Account, IsNeverLargerThanTheSimpleConversion) {
  for (const double rho : {1e-6, 1e-3, 0.1, 1.0, 10.0}) {
    for (const double delta : {1e-12, 1e-6, 1e-3}) {
      const double simple = rho + 2 * std::sqrt(rho * std::log(1 / delta));
      EXPECT_LT(epsilon_of(rho, delta), simple);
      if (rho >= 1e-3) {
        EXPECT_GT(epsilon_of(rho, delta), 0.5 * simple);
      }
    }
  }
}

TEST(Account, KeepsTheBudgetThatItIsGiven) {
  for (const double epsilon : {1e-3, 0.5, 1.0, 8.0, 100.0}) {
    for (const double delta : {1e-15, 1e-6, 1e-3}) {
      const double rho = rho_for({epsilon, delta});
      EXPECT_GT(rho, 0);
      EXPECT_LE(delta_of(rho, epsilon), delta);
      EXPECT_GT(delta_of(1.001 * rho, epsilon), delta);
    }
  }
}

TEST(Account, IsMonotone) {
  for (const double rho : {1e-3, 0.02, 1.0}) {
    for (const double epsilon : {0.1, 1.0, 5.0}) {
      EXPECT_LE(delta_of(rho, epsilon), delta_of(1.1 * rho, epsilon));
      EXPECT_GE(delta_of(rho, epsilon), delta_of(rho, 1.1 * epsilon));
      EXPECT_LT(rho_for({epsilon, 1e-6}), rho_for({1.1 * epsilon, 1e-6}));
      EXPECT_LT(rho_for({epsilon, 1e-6}), rho_for({epsilon, 1e-5}));
    }
    EXPECT_LT(epsilon_of(rho, 1e-6), epsilon_of(1.1 * rho, 1e-6));
    EXPECT_GT(epsilon_of(rho, 1e-6), epsilon_of(rho, 1e-5));
  }
  const NoisyTotals some{10, 3, 5, 100};
  NoisyTotals other = some;
  other.sensitivity = 11;
  EXPECT_GT(rho_of(other), rho_of(some));
  other = some;
  other.share_variance = 3.1;
  EXPECT_LT(rho_of(other), rho_of(some));
  other = some;
  other.shares = 6;
  EXPECT_LT(rho_of(other), rho_of(some));
  other = some;
  other.share_variance = 0.3;
  NoisyTotals longer = other;
  longer.entries = 101;
  EXPECT_GT(rho_of(longer), rho_of(other));
  EXPECT_EQ(epsilon_of(0, 1e-6), 0);
}

TEST(Account, ManyColumnsOfOnePersonCostTheirSquare) {
  EXPECT_DOUBLE_EQ(group_rho(0.02, 3), 0.18);
  // m times the distance to the neighbour is what m columns make of it.
  EXPECT_DOUBLE_EQ(group_rho(rho_of({1, 4, 1, 10}), 3), rho_of({3, 4, 1, 10}));
}

TEST(Account, OneShareIsTheDiscreteGaussiansOwn) { EXPECT_DOUBLE_EQ(rho_of({3, 2, 1, 50}), 9.0 / 4); }

TEST(Account, SumsOfSharesStayBelowIt) {
  const auto lines = known("renyi");
  ASSERT_EQ(lines.size(), 96U);
  for (const auto& line : lines) {
    const NoisyTotals totals{line[2], line[1], static_cast<std::uint32_t>(line[0]), 1};
    const double alpha = line[3];
    const double divergence = line[4];
    EXPECT_LE(divergence, alpha * rho_of(totals) * (1 + 1e-9)) << line[0] << " shares of variance " << line[1];
    // Where shares are wide, little is given away.
    if (line[1] >= 1) {
      EXPECT_GE(divergence, 0.98 * alpha * rho_of(totals)) << line[0] << " shares";
    }
  }
}

TEST(Account, TheExactDeltaOfOneShareStaysBelowIt) {
  const auto lines = known("exact");
  ASSERT_EQ(lines.size(), 18U);
  for (const auto& line : lines) {
    const double delta = delta_of(rho_of({line[1], line[0], 1, 1}), line[2]);
    EXPECT_LE(line[3], delta) << "variance " << line[0] << ", shift " << line[1] << ", epsilon " << line[2];
    if (line[3] > 1e-4) {
      EXPECT_GE(line[3], delta / 20);
    }
  }
}

TEST(Account, GaussianNoiseIsConvertedAsTheIntegralSays) {
  const auto lines = known("gauss");
  ASSERT_EQ(lines.size(), 42U);
  for (const auto& line : lines) {
    const double delta = gaussian_delta(line[0], line[1]);
    EXPECT_GE(delta, line[2]) << line[0] << ", " << line[1];
    EXPECT_LE(delta, line[2] * (1 + 1e-8) + 1e-300) << line[0] << ", " << line[1];
  }
}

TEST(Account, TheNoisesDivergenceFromGaussianNoiseIsBelowItsBound) {
  const auto lines = known("rounded");
  ASSERT_EQ(lines.size(), 12U);
  for (const auto& line : lines) {
    const Cost cost = cost_of({1, line[1], static_cast<std::uint32_t>(line[0]), 1});
    EXPECT_GE(cost.divergence, line[2]) << line[0] << " shares of variance " << line[1];
    EXPECT_EQ(std::isinf(cost.divergence), line[0] * line[1] < 16);
    EXPECT_GT(line[2], 0);
  }
  EXPECT_DOUBLE_EQ(cost_of({1, 1e6, 4, 300}).divergence, 300 * 0.07 / 16e12);
}

TEST(Account, TheExactDeltaOfWideNoiseStaysBelowItAndIsNearlyReached) {
  const auto lines = known("wide");
  ASSERT_EQ(lines.size(), 9U);
  for (const auto& line : lines) {
    const double delta = delta_of(cost_of({line[1], line[0], 1, 1}), line[2]);
    EXPECT_LE(line[3], delta) << "shift " << line[1] << ", epsilon " << line[2];
    EXPECT_GE(line[3], delta - 3e-5) << "shift " << line[1] << ", epsilon " << line[2];
    EXPECT_LE(delta, delta_of(rho_of({line[1], line[0], 1, 1}), line[2]));
    if (line[3] > 1e-4) {
      EXPECT_LT(delta, 0.9 * delta_of(rho_of({line[1], line[0], 1, 1}), line[2])) << "zCDP's is larger";
    }
  }
}

TEST(Account, GaussianNoiseOfABudgetIsLess) {
  for (const double epsilon : {0.5, 1.0, 2.0, 4.0, 8.0}) {
    const double less = std::sqrt(rho_for({epsilon, 1e-6}) / rho_for({epsilon, 1e-6}, 1e-26));
    EXPECT_GT(less, 0.92) << epsilon;
    EXPECT_LT(less, 0.96) << epsilon;
  }
}

TEST(Account, NoiseThatIsNotNearlyGaussianIsConvertedAsZcdpIs) {
  const Budget budget{1, 1e-6};
  EXPECT_EQ(rho_for(budget, std::numeric_limits<double>::infinity()), rho_for(budget));
  EXPECT_EQ(rho_for(budget, 1e-10), rho_for(budget));  // a variation of 7e-6 where 1e-6 is the budget
  EXPECT_GT(rho_for(budget, 1e-18), rho_for(budget));
  EXPECT_EQ(epsilon_of(Cost{0.3, 1}, 1e-6), epsilon_of(0.3, 1e-6));
  EXPECT_NEAR(epsilon_of(Cost{rho_for(budget, 1e-20), 1e-20}, budget.delta), budget.epsilon, 1e-9);
}

TEST(Account, RoundingAddsHalfAUnitPerEntry) {
  EXPECT_DOUBLE_EQ(rounded_bound(100, 16), 102);
  // The worst: every entry is moved by a half, in the direction of the vector.
  EXPECT_LE(std::sqrt(16 * 1.0), rounded_bound(std::sqrt(16 * 0.25), 16));
}

TEST(Account, RefusesBudgetsThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double epsilon : {0.0, -1.0, nan, 101.0, std::numeric_limits<double>::infinity()}) {
    const Status status = check_budget({epsilon, 1e-6}, 1000);
    ASSERT_FALSE(status) << epsilon;
    EXPECT_EQ(status.error().code, ErrorCode::kUsage);
    EXPECT_NE(status.error().message.find("`epsilon`"), std::string::npos);
  }
  for (const double delta : {0.0, -1e-6, nan, 1e-3, 2e-3, 1.0}) {
    const Status status = check_budget({1, delta}, 1000);
    ASSERT_FALSE(status) << delta;
    EXPECT_NE(status.error().message.find("`delta`"), std::string::npos);
  }
  EXPECT_TRUE(check_budget({1, 1e-6}, 1000));
}

}  // namespace
}  // namespace ppdnmf::privacy
