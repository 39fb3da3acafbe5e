#include <ppdnmf/nmf/rank_choice.h>

#include <gtest/gtest.h>

#include <cmath>

#include <ppdnmf/base/random.h>
#include <ppdnmf/nmf/matching.h>

namespace ppdnmf::nmf {
namespace {

constexpr Index kRows = 40;

// Components that have nothing in common: each has rows of its own.
Matrix truth(Index count) {
  Matrix X = Matrix::Zero(kRows, count);
  for (Index k = 0; k < count; ++k) X.col(k).segment(4 * k, 4) << 4, 3, 2, 1;
  return X;
}

// Runs that find the truth in some order, a little off, and something else in every further component.
RankRuns runs_of(Index rank, Index real, double value, int starts = 10) {
  RankRuns runs{rank, {}, {}};
  for (int r = 0; r < starts; ++r) {
    Stream stream(Seed::from_number(static_cast<std::uint64_t>(100 * rank + r)), 'x');
    Matrix X(kRows, rank);
    const Matrix T = truth(real);
    for (Index k = 0; k < rank; ++k) {
      for (Index l = 0; l < kRows; ++l) {
        const double other = std::pow(stream.uniform(), 6);
        const Index at = (k + r) % rank;
        X(l, at) = k < std::min(rank, real) ? 3 * T(l, k) + 0.1 * other : other;
      }
    }
    runs.X.push_back(X);
    runs.values.push_back(value * (1 + 0.001 * stream.uniform()));
  }
  return runs;
}

// The loss falls to a floor at rank 5, and from there as noise lets it.
std::vector<RankRuns> ranks(Index from, Index to, Index real = 5) {
  std::vector<RankRuns> out;
  for (Index rank = from; rank <= to; ++rank) {
    const double over = std::max<double>(0, static_cast<double>(real - rank));
    out.push_back(runs_of(rank, real, 1000 * std::pow(1.6, over) * std::pow(0.99, static_cast<double>(rank))));
  }
  return out;
}

RankSearchShape shape(Index least, Index most) { return {kRows, 200, least, most}; }

TEST(NoiseRank, IsWhereTheLossFallsNoFasterThanNoise) {
  const NoiseRank found = noise_rank(ranks(2, 10), shape(2, 20));
  EXPECT_EQ(found.rank, 5);
  EXPECT_TRUE(found.certain);
}

TEST(NoiseRank, IsNotKnownWhileTheLossFalls) {
  EXPECT_FALSE(noise_rank(ranks(2, 4), shape(2, 20)).certain);
  EXPECT_EQ(noise_rank(ranks(2, 4), shape(2, 20)).rank, 4);
  EXPECT_FALSE(enough_ranks(ranks(2, 4), shape(2, 20)));
}

TEST(EnoughRanks, WaitsForHalfAsMuchAgainAndNoLonger) {
  EXPECT_FALSE(enough_ranks(ranks(2, 7), shape(2, 20)));  // the second fall after rank 5 is not known
  EXPECT_TRUE(enough_ranks(ranks(2, 8), shape(2, 20)));
  EXPECT_TRUE(enough_ranks(ranks(2, 6), shape(2, 6)));
}

TEST(ChooseRank, FindsTheComponentsThatAreThere) {
  const RankChoice choice = choose_rank(ranks(2, 8), shape(2, 20), serial_executor());
  EXPECT_EQ(choice.X.cols(), 5);
  EXPECT_EQ(choice.first, 5);
  EXPECT_EQ(choice.last, 7);
  const Matrix cosine = cosines(choice.X, truth(5));
  for (Index k = 0; k < 5; ++k) EXPECT_GT(cosine.col(k).maxCoeff(), 0.98);
  for (const double part : choice.found) EXPECT_EQ(part, 1);
  for (Index k = 0; k < 5; ++k) EXPECT_NEAR(choice.X.col(k).sum(), 1, 1e-12);
  EXPECT_NE(choice.reason.find("5 components were found in at least 70 %"), std::string::npos) << choice.reason;
  EXPECT_NE(choice.reason.find("from rank 5 on"), std::string::npos) << choice.reason;
}

TEST(ChooseRank, KeepsToTheRange) {
  EXPECT_EQ(choose_rank(ranks(2, 3), shape(2, 3), serial_executor()).X.cols(), 3);
  const RankChoice more = choose_rank(ranks(7, 10), shape(7, 10), serial_executor());
  EXPECT_EQ(more.X.cols(), 7);
  EXPECT_NE(more.reason.find("only 5"), std::string::npos) << more.reason;
}

TEST(ChooseRank, SaysThatTheLossStillFalls) {
  const RankChoice choice = choose_rank(ranks(2, 4), shape(2, 4), serial_executor());
  EXPECT_NE(choice.reason.find("there may be more"), std::string::npos) << choice.reason;
}

TEST(ChooseRank, LeavesOutCopies) {
  std::vector<RankRuns> all = ranks(2, 8);
  for (RankRuns& runs : all) {
    for (Matrix& X : runs.X) {
      if (runs.rank < 6) continue;
      const Matrix cosine = cosines(truth(5), X);
      Index copied = 0;
      cosine.row(0).maxCoeff(&copied);
      Index replaced = 0;
      cosine.colwise().maxCoeff().minCoeff(&replaced);
      X.col(replaced) = X.col(copied) * 0.5;
    }
  }
  EXPECT_EQ(choose_rank(all, shape(2, 20), serial_executor()).X.cols(), 5);
}

TEST(ChooseRank, DoesNotDependOnTheOrderOfComponents) {
  std::vector<RankRuns> all = ranks(2, 8);
  const RankChoice one = choose_rank(all, shape(2, 20), serial_executor());
  for (RankRuns& runs : all) {
    for (Matrix& X : runs.X) X = X.rowwise().reverse().eval();
  }
  const RankChoice other = choose_rank(all, shape(2, 20), serial_executor());
  ASSERT_EQ(one.X.cols(), other.X.cols());
  EXPECT_GT(cosines(one.X, other.X).colwise().maxCoeff().minCoeff(), 1 - 1e-9);
}

TEST(Candidate, IsStableWhereAllStartsAgree) {
  const RankCandidate five = candidate_of(runs_of(5, 5, 1000));
  EXPECT_GT(five.stability, 0.98);
  EXPECT_EQ(five.silhouettes.size(), 5U);
  EXPECT_GT(cosines(five.X, truth(5)).colwise().maxCoeff().minCoeff(), 0.98);
  const RankCandidate nine = candidate_of(runs_of(9, 5, 900));
  EXPECT_LT(nine.stability, five.stability - 0.1);
  EXPECT_LT(*std::min_element(nine.silhouettes.begin(), nine.silhouettes.end()), 0.5);
}

TEST(Candidate, OfOneComponentHasNothingToBeMixedUpWith) { EXPECT_GT(candidate_of(runs_of(1, 1, 1)).stability, 0.9); }

}  // namespace
}  // namespace ppdnmf::nmf
