#include <ppdnmf/nmf/start.h>

#include <gtest/gtest.h>

namespace ppdnmf::nmf {
namespace {

TEST(Start, IsTheSameForTheSameSeedAndInsideTheUnitInterval) {
  const Matrix a = common_start(Start::kRandom, 40, 6, Seed::from_number(3));
  EXPECT_TRUE(a == common_start(Start::kRandom, 40, 6, Seed::from_number(3)));
  EXPECT_FALSE(a == common_start(Start::kRandom, 40, 6, Seed::from_number(4)));
  EXPECT_GE(a.minCoeff(), 0);
  EXPECT_LT(a.maxCoeff(), 1);
  EXPECT_NEAR(a.mean(), 0.5, 0.08);
}

TEST(Start, OnesAreThePapers) {
  EXPECT_TRUE(common_start(Start::kOnes, 3, 2, Seed::from_number(1)) == Matrix::Ones(3, 2));
}

TEST(Start, ScaleIsTheNearestPowerOfTwo) {
  EXPECT_EQ(data_scale(1), 1);
  EXPECT_EQ(data_scale(1.4), 1);
  EXPECT_EQ(data_scale(1.5), 2);
  EXPECT_EQ(data_scale(0.3), 0.25);
  EXPECT_EQ(data_scale(727224), 524288);
  EXPECT_EQ(data_scale(0), 1);
}

}  // namespace
}  // namespace ppdnmf::nmf
