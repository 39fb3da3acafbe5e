#include <ppdnmf/nmf/penalties.h>

#include <gtest/gtest.h>

#include <cmath>

namespace ppdnmf::nmf {
namespace {

TEST(Penalties, FollowTheCurvature) {
  Matrix Y(2, 3);
  Y << 1, 2, 2, 0, 0, 1;  // squares add up to 10
  EXPECT_DOUBLE_EQ(left_curvature(Y), 5);
  EXPECT_DOUBLE_EQ(left_curvature_of(Y * Y.transpose()), 5);
  EXPECT_DOUBLE_EQ(automatic_mu(left_curvature(Y)), 1.5);
  EXPECT_DOUBLE_EQ(right_curvature(Y.transpose()), 5);
  EXPECT_DOUBLE_EQ(automatic_eta(Y.transpose()), 0.5);
}

TEST(Penalties, ZeroDataStillHaveThem) {
  EXPECT_EQ(left_curvature(Matrix::Zero(2, 3)), kSmallestCurvature);
  EXPECT_GT(automatic_mu(left_curvature(Matrix::Zero(2, 3))), 0);
  EXPECT_GT(automatic_eta(Matrix::Zero(3, 2)), 0);
}

TEST(Penalties, WeightsRiseGeometricallyAndStayThere) {
  constexpr int kLast = 9;
  const auto weight = [](int iteration) { return automatic_weight(4, 3, iteration, kLast); };
  EXPECT_DOUBLE_EQ(weight(1), std::sqrt(0.03 * 4));
  EXPECT_DOUBLE_EQ(weight(kLast), std::sqrt(1.5 * 4));
  EXPECT_DOUBLE_EQ(weight(kLast + 5), weight(kLast));
  const double step = weight(2) / weight(1);
  EXPECT_GT(step, 1);
  for (int iteration = 2; iteration < kLast; ++iteration)
    EXPECT_NEAR(weight(iteration + 1) / weight(iteration), step, 1e-12);
  EXPECT_TRUE(std::isfinite(automatic_weight(4, 3, 1, 1)));
}

TEST(Penalties, WideGraphsGetLargerWeights) {
  const auto squared = [](std::uint32_t diameter) { return std::pow(automatic_weight(4, diameter, 2, 9), 2); };
  for (const std::uint32_t diameter : {0U, 1U, 4U}) EXPECT_DOUBLE_EQ(squared(diameter), squared(2));
  EXPECT_NEAR(squared(6), 1.5 * squared(4), 1e-12);
  EXPECT_NEAR(squared(20), 5 * squared(4), 1e-12);
}

TEST(Penalties, TheProductOfTwoWeightsIsTheGeometricMeanOfTheCurvatures) {
  const double rho = automatic_weight(2, 4, 5, 5) * automatic_weight(8, 4, 5, 5);
  EXPECT_NEAR(rho, 1.5 * std::sqrt(2.0 * 8.0), 1e-12);
}

}  // namespace
}  // namespace ppdnmf::nmf
