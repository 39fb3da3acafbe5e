#include <ppdnmf/nmf/moments_rank.h>

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include <ppdnmf/nmf/matching.h>
#include <ppdnmf/nmf/resample.h>
#include <ppdnmf/nmf/start.h>
#include <ppdnmf/nmf/test_matrices.h>

namespace ppdnmf::nmf {
namespace {

constexpr Index kRows = 30;

// Components that share rows, none of them made of the others.
Matrix truth(Index rank) {
  Stream stream = test_stream(3);
  Matrix X(kRows, rank);
  for (Index t = 0; t < X.size(); ++t) X.data()[t] = 0.01 + std::pow(stream.exponential(), 3);
  for (Index k = 0; k < rank; ++k) X.col(k) /= X.col(k).sum();
  return X;
}

// Z Zᵀ of columns of length one, whose entries are counts; `mean`: of a column's total.
Matrix moments_of(std::uint64_t seed, Index rank, Index columns, double mean) {
  Stream stream = test_stream(seed);
  const Matrix X = truth(rank);
  Matrix G = Matrix::Zero(kRows, kRows);
  for (Index m = 0; m < columns; ++m) {
    Eigen::VectorXd y(rank);
    for (Index k = 0; k < rank; ++k) y[k] = std::pow(stream.exponential(), 2);
    const Eigen::VectorXd p = X * (y / y.sum());
    Eigen::VectorXd z(kRows);
    for (Index l = 0; l < kRows; ++l) z[l] = draw_poisson(mean * p[l], stream);
    if (z.norm() > 0) G += z * z.transpose() / z.squaredNorm();
  }
  return G;
}

Matrix opened(Matrix G, double noise, std::uint64_t seed) {
  Stream stream = test_stream(1000 + seed);
  for (Index j = 0; j < G.cols(); ++j) {
    for (Index i = 0; i < j; ++i) G(j, i) = G(i, j) += noise * std::sqrt(0.5) * draw_normal(stream);
    G(j, j) += noise * draw_normal(stream);
  }
  return G;
}

Matrix start(Index rank, int number) {
  return common_start(Start::kRandom, kRows, rank, Seed::from_number(5), static_cast<std::uint64_t>(number));
}

MomentsSearchOptions options(Index least, Index most, double noise) { return {least, most, noise, 4, 4}; }

TEST(RankOfMoments, IsTheNumberOfComponentsThatAreThere) {
  for (const Index rank : {2, 4, 7}) {
    for (const std::uint64_t seed : {1U, 2U}) {
      const MomentsRank found = rank_of_moments(opened(moments_of(seed, rank, 4000, 500), 0.6, seed), 0.6, 1, 12);
      EXPECT_EQ(found.rank, rank) << "seed " << seed;
      EXPECT_GT(found.last, found.edge);
      EXPECT_LT(found.next, found.edge);
    }
  }
}

TEST(RankOfMoments, DoesNotTakeTheChanceInCountsForComponents) {
  // Twenty counts a column: the diagonal holds as much chance as there are components. That columns are divided by
  // their lengths, which chance decides, too, leaves a little beside the diagonal: one more than there are.
  const Matrix G = moments_of(1, 3, 6000, 20);
  EXPECT_NEAR(static_cast<double>(rank_of_moments(opened(G, 0.6, 1), 0.6, 1, 12).rank), 3, 1);
  // Eigenvalues of G as it was opened would have it otherwise.
  const Eigen::VectorXd values = opened(G, 0.6, 1).selfadjointView<Eigen::Upper>().eigenvalues();
  EXPECT_GT((values.array() > 0.6 * std::sqrt(2.0 * kRows) * 1.1).count(), 6);
}

TEST(RankOfMoments, FallsAsTheNoiseRises) {
  const Matrix G = moments_of(1, 7, 1000, 500);
  Index before = 7;
  for (const double noise : {0.3, 3.0, 12.0, 100.0, 3000.0}) {
    const Index rank = rank_of_moments(opened(G, noise, 1), noise, 1, 12).rank;
    EXPECT_LE(rank, before) << noise;
    before = rank;
  }
  EXPECT_EQ(before, 1);
}

TEST(RankOfMoments, OfNoiseAloneIsTheSmallest) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    EXPECT_LE(rank_of_moments(opened(Matrix::Zero(kRows, kRows), 1, seed), 1, 2, 12).rank, 3) << seed;
}

TEST(RankOfMoments, KeepsToTheRange) {
  const Matrix G = opened(moments_of(1, 4, 4000, 500), 0.6, 1);
  EXPECT_EQ(rank_of_moments(G, 0.6, 2, 3).rank, 3);
  EXPECT_EQ(rank_of_moments(G, 0.6, 6, 9).rank, 6);
  EXPECT_EQ(rank_of_moments(G, 0.6, 1, kRows).rank, 4);
}

TEST(SearchOfMoments, FindsComponentsAndSaysHowSureTheyAre) {
  const Matrix G = opened(moments_of(1, 4, 4000, 500), 0.6, 1);
  const auto all = search_second_moments(G, options(2, 6, 0.6), start, Seed::from_number(1));
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(all->tried.size(), 5U);
  EXPECT_EQ(all->choice.X.cols(), 4);
  EXPECT_GT(cosines(all->choice.X, truth(4)).colwise().maxCoeff().minCoeff(), 0.9);
  EXPECT_NE(all->choice.reason.find("eigenvalue 4"), std::string::npos) << all->choice.reason;
  for (const double part : all->choice.found) EXPECT_GE(part, 0.75);
  for (const double cosine : all->choice.stability) EXPECT_GT(cosine, 0.9);
  // Four components explain what three do not, and a fifth only noise.
  const auto smallest = [&](std::size_t n) {
    return *std::min_element(all->tried[n].values.begin(), all->tried[n].values.end());
  };
  EXPECT_GT(smallest(1), 3 * smallest(2));
  EXPECT_LT(smallest(2), 1.5 * smallest(3));
}

TEST(SearchOfMoments, EndsWithTheFactorsOfTheRankThatItChose) {
  const Matrix G = opened(moments_of(1, 3, 2000, 500), 0.6, 1);
  const auto all = search_second_moments(G, options(2, 5, 0.6), start, Seed::from_number(1));
  ASSERT_TRUE(all);
  const auto given = factor_second_moments(G, {3, 0.6, 4}, [](int n) { return start(3, n); });
  ASSERT_TRUE(given);
  EXPECT_TRUE(all->found.X == given->X && all->found.U == given->U && all->found.T == given->T);
}

TEST(SearchOfMoments, SaysWhereTheRangeEndsTooEarlyOrTooLate) {
  const Matrix G = opened(moments_of(1, 4, 4000, 500), 0.6, 1);
  const auto few = search_second_moments(G, options(2, 3, 0.6), start, Seed::from_number(1));
  const auto many = search_second_moments(G, options(6, 7, 0.6), start, Seed::from_number(1));
  ASSERT_TRUE(few && many);
  EXPECT_NE(few->choice.reason.find("there may be more"), std::string::npos) << few->choice.reason;
  EXPECT_NE(many->choice.reason.find("fewer components"), std::string::npos) << many->choice.reason;
}

TEST(SearchOfMoments, RefusesWhatIsNotFinite) {
  Matrix G = opened(moments_of(1, 3, 500, 500), 0.6, 1);
  G(1, 2) = std::nan("");
  EXPECT_FALSE(search_second_moments(G, options(2, 4, 0.6), start, Seed::from_number(1)));
}

}  // namespace
}  // namespace ppdnmf::nmf
