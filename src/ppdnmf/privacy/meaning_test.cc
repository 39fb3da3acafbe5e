#include <ppdnmf/privacy/meaning.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ppdnmf::privacy {
namespace {

// The area below hits(false alarms), by the rule of Simpson: written from the definition of (epsilon, delta).
double area_by_hand(const Budget& b) {
  constexpr int kSteps = 1'000'000;
  const auto hits = [&](double f) {
    return std::min({1.0, std::exp(b.epsilon) * f + b.delta, 1 - std::exp(-b.epsilon) * (1 - b.delta - f)});
  };
  double area = 0;
  for (int k = 0; k < kSteps; ++k) {
    const double f = static_cast<double>(k) / kSteps;
    area += (hits(f) + 4 * hits(f + 0.5 / kSteps) + hits(f + 1.0 / kSteps)) / 6 / kSteps;
  }
  return area;
}

TEST(Meaning, OfABudgetAloneIsTheAreaThatItAllows) {
  for (const Budget& b : {Budget{0.1, 1e-6}, {1, 1e-6}, {4, 0.01}, {8, 0.2}}) {
    EXPECT_NEAR(largest_auc(b), area_by_hand(b), 1e-9) << b.epsilon;
  }
}

// P(N(1, 1) > N(0, 1)) = Phi(1 / sqrt 2) and Phi(1 / 2), from a table.
TEST(Meaning, OfGaussianNoiseIsThatOfTwoNormalDistributions) {
  EXPECT_NEAR(largest_auc(0.5), 0.760249938906, 1e-11);
  EXPECT_NEAR(largest_right(0.5), 0.691462461274, 1e-11);
  EXPECT_EQ(largest_auc(0.0), 0.5);
  EXPECT_EQ(largest_right(0.0), 0.5);
}

TEST(Meaning, OfGaussianNoiseIsNeverMoreThanThatOfItsBudget) {
  for (const double epsilon : {0.1, 0.5, 1.0, 4.0, 8.0, 20.0}) {
    for (const double delta : {1e-9, 1e-6, 1e-3}) {
      const Budget budget{epsilon, delta};
      const double rho = rho_for(budget);
      EXPECT_LT(largest_auc(rho), largest_auc(budget));
      EXPECT_LT(largest_right(rho), largest_right(budget));
      EXPECT_LT(largest_right(rho), (1 + delta_of(rho, 0)) / 2);  // what rho alone gives, Gaussian or not
    }
  }
}

TEST(Meaning, IsASentenceWithItsNumbersRoundedUp) {
  const std::string text = meaning_of(0.5);
  EXPECT_NE(text.find("an AUC of 0.761 at best"), std::string::npos) << text;
  EXPECT_NE(text.find("at most 70 are right"), std::string::npos) << text;
}

}  // namespace
}  // namespace ppdnmf::privacy
