#include <ppdnmf/nmf/measures.h>

#include <gtest/gtest.h>

#include <vector>

namespace ppdnmf::nmf {
namespace {

TEST(Measures, RelativeErrorAddsSquares) {
  const std::vector<LocalFit> fits = {{1, 16}, {8, 9}};
  EXPECT_DOUBLE_EQ(relative_error(fits), 3.0 / 5.0);  // sqrt(9 / 25)
}

TEST(Measures, TheLossOfSquaresIsHalfTheSquaredError) {
  const std::vector<LocalFit> fits = {{1, 16}, {8, 9}};
  EXPECT_DOUBLE_EQ(loss_value(LossKind::kSquares, fits), 4.5);
}

TEST(Measures, NmseIsTheMeanOfLocalRatios) {
  const std::vector<LocalFit> fits = {{1, 16}, {9, 4}};
  EXPECT_DOUBLE_EQ(nmse(fits), (0.25 + 1.5) / 2);
}

TEST(Measures, AgentsWithZeroDataCountForNothing) {
  const std::vector<LocalFit> fits = {{0, 0}, {1, 4}, {0, 0}};
  EXPECT_DOUBLE_EQ(nmse(fits), 0.5);
  EXPECT_DOUBLE_EQ(relative_error(fits), 0.5);
  const std::vector<LocalFit> nothing = {{0, 0}};
  EXPECT_EQ(nmse(nothing), 0);
  EXPECT_EQ(relative_error(nothing), 0);
}

TEST(Measures, DisagreementIsTheWorstDistanceFromTheMean) {
  const Matrix a = Matrix::Constant(1, 1, 1);
  const Matrix b = Matrix::Constant(1, 1, 2);
  const Matrix c = Matrix::Constant(1, 1, 6);
  const std::vector<const Matrix*> X = {&a, &b, &c};
  const Matrix mean = mean_factor(X);
  EXPECT_DOUBLE_EQ(mean(0, 0), 3);
  EXPECT_DOUBLE_EQ(disagreement(X, mean), 1);  // |6 - 3| / 3
  const Matrix zero = Matrix::Zero(1, 1);
  const std::vector<const Matrix*> zeros = {&zero, &zero};
  EXPECT_EQ(disagreement(zeros, mean_factor(zeros)), 0);
}

TEST(Measures, BestErrorFindsTheBestCoordinates) {
  Matrix X(2, 1);
  X << 1, 0;
  Matrix Z(2, 2);
  Z << 4, 0,  // the first row is fitted, the second cannot be
      3, 0;
  EXPECT_DOUBLE_EQ(best_error(X, Z), 0.6);
  Z *= -1;  // the best nonnegative coordinate is 0
  EXPECT_DOUBLE_EQ(best_error(X, Z), 1);
  EXPECT_EQ(best_error(X, Matrix::Zero(2, 2)), 0);
}

}  // namespace
}  // namespace ppdnmf::nmf
