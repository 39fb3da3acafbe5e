#include <ppdnmf/nmf/matching.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <ppdnmf/base/random.h>

namespace ppdnmf::nmf {
namespace {

double sum_of(const Matrix& gain, const std::vector<Index>& pairs) {
  double sum = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i] >= 0) sum += gain(static_cast<Index>(i), pairs[i]);
  }
  return sum;
}

// Over all ways to give each row a column of its own; rows <= columns.
double best_of_all(const Matrix& gain) {
  std::vector<Index> order(static_cast<std::size_t>(gain.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  double best = -1e300;
  do {
    best = std::max(best, sum_of(gain, {order.begin(), order.begin() + gain.rows()}));
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(Matching, FindsTheLargestSumOfAll) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Stream random(Seed::from_number(seed), 1);
    const auto rows = static_cast<Index>(1 + random.below(6));
    const auto columns = rows + static_cast<Index>(random.below(3));
    Matrix gain(rows, columns);
    for (double& x : gain.reshaped()) x = seed % 2 == 0 ? random.uniform() : static_cast<double>(random.below(4)) - 1;
    const std::vector<Index> pairs = best_pairs(gain);
    EXPECT_NEAR(sum_of(gain, pairs), best_of_all(gain), 1e-12) << "seed " << seed;
    std::vector<Index> sorted = pairs;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_TRUE(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) << "seed " << seed;
    EXPECT_GE(sorted.front(), 0) << "seed " << seed;
    const std::vector<Index> turned = best_pairs(gain.transpose());
    EXPECT_NEAR(sum_of(gain.transpose(), turned), best_of_all(gain), 1e-12) << "seed " << seed;
    EXPECT_EQ(std::count(turned.begin(), turned.end(), -1), columns - rows) << "seed " << seed;
  }
}

TEST(Matching, IsNotTheGreedyOne) {
  Matrix gain(2, 2);
  gain << 0.99, 0.98, 0.97, 0.1;
  EXPECT_EQ(best_pairs(gain), (std::vector<Index>{1, 0}));
}

TEST(Matching, OfNothing) {
  EXPECT_TRUE(best_pairs(Matrix(0, 3)).empty());
  EXPECT_EQ(best_pairs(Matrix(2, 0)), (std::vector<Index>{-1, -1}));
}

TEST(Cosines, OfColumnsOfAnySize) {
  Matrix A(2, 3);
  A << 1e200, 0, 3, 0, 0, 4;
  Matrix B(2, 2);
  B << 1e-200, 1, 0, 1;
  const Matrix c = cosines(A, B);
  EXPECT_DOUBLE_EQ(c(0, 0), 1);
  EXPECT_DOUBLE_EQ(c(1, 0), 0) << "a column of zeros is like nothing";
  EXPECT_DOUBLE_EQ(c(2, 0), 0.6);
  EXPECT_NEAR(c(2, 1), 7 / (5 * std::sqrt(2.0)), 1e-15);
}

}  // namespace
}  // namespace ppdnmf::nmf
