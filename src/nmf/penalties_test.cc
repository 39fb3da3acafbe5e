#include "nmf/penalties.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ppdnmf {
namespace {

TEST(Penalties, FollowTheCurvature) {
  Matrix Y(2, 3);
  Y << 1, 2, 2, 0, 0, 1;  // squares add up to 10
  EXPECT_DOUBLE_EQ(left_curvature(Y), 5);
  EXPECT_DOUBLE_EQ(automatic_mu(Y), 1.5);
  EXPECT_DOUBLE_EQ(right_curvature(Y.transpose()), 5);
  EXPECT_DOUBLE_EQ(automatic_eta(Y.transpose()), 0.5);
}

TEST(Penalties, ZeroDataStillHaveThem) {
  EXPECT_EQ(left_curvature(Matrix::Zero(2, 3)), kSmallestCurvature);
  EXPECT_GT(automatic_mu(Matrix::Zero(2, 3)), 0);
  EXPECT_GT(automatic_eta(Matrix::Zero(3, 2)), 0);
}

TEST(Penalties, WeightsRiseGeometricallyAndStayThere) {
  constexpr int kLast = 9;
  EXPECT_DOUBLE_EQ(automatic_weight(4, 1, kLast), std::sqrt(0.03 * 4));
  EXPECT_DOUBLE_EQ(automatic_weight(4, kLast, kLast), std::sqrt(1.5 * 4));
  EXPECT_DOUBLE_EQ(automatic_weight(4, kLast + 5, kLast), automatic_weight(4, kLast, kLast));
  const double step = automatic_weight(4, 2, kLast) / automatic_weight(4, 1, kLast);
  EXPECT_GT(step, 1);
  for (int bcd = 2; bcd < kLast; ++bcd) {
    EXPECT_NEAR(automatic_weight(4, bcd + 1, kLast) / automatic_weight(4, bcd, kLast), step, 1e-12);
  }
  EXPECT_TRUE(std::isfinite(automatic_weight(4, 1, 1)));
}

TEST(Penalties, TheProductOfTwoWeightsIsTheGeometricMeanOfTheCurvatures) {
  const double rho = automatic_weight(2, 5, 5) * automatic_weight(8, 5, 5);
  EXPECT_NEAR(rho, 1.5 * std::sqrt(2.0 * 8.0), 1e-12);
}

}  // namespace
}  // namespace ppdnmf
