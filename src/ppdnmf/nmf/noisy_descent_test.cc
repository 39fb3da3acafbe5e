#include <ppdnmf/nmf/noisy_descent.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <ppdnmf/nmf/factorize.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/nmf/nnls.h>
#include <ppdnmf/nmf/test_matrices.h>

namespace ppdnmf::nmf {
namespace {

struct Problem {
  Matrix Z;
  Matrix X0;
};

// Sparse parts in mixtures, columns of length one.
Problem problem(std::uint64_t seed, Index columns) {
  Stream stream = test_stream(seed);
  const Matrix parts = (random_matrix(stream, 30, 4).array() - 0.6).cwiseMax(0.01);
  Matrix Z = parts * (random_matrix(stream, 4, columns).array() - 0.3).cwiseMax(0.01).matrix() +
             0.02 * random_matrix(stream, 30, columns);
  for (Index m = 0; m < columns; ++m) Z.col(m).normalize();
  return {Z, random_matrix(stream, 30, 4)};
}

Matrix run(const Problem& p, const NoisyDescentOptions& options, std::uint64_t seed) {
  Stream stream = test_stream(seed);
  NoisyDescent descent(options, p.X0);
  while (!descent.done()) {
    const Matrix Y = nonnegative_least_squares(descent.X(), p.Z);
    Matrix S = p.Z * Y.transpose();
    Matrix T = Y * Y.transpose();
    for (Index t = 0; t < S.size(); ++t) S.data()[t] += options.noise_S * stream.normal();
    for (Index k = 0; k < T.cols(); ++k) {
      for (Index j = 0; j <= k; ++j) T(j, k) = T(k, j) = T(j, k) + options.noise_T * stream.normal();
    }
    EXPECT_TRUE(descent.absorb(S, T));
    for (Index k = 0; k < 4; ++k) EXPECT_NEAR(descent.X().col(k).norm(), 1, 1e-12);
    EXPECT_GE(descent.X().minCoeff(), 0);
  }
  return descent.X();
}

TEST(NoisyDescent, WithoutNoiseItFactorises) {
  const Problem p = problem(1, 200);
  FactorizeOptions options;
  options.rank = 4;
  options.iterations = 300;
  options.starts = 3;
  auto best = Factorization::create(p.Z, options, Seed::from_number(1));
  ASSERT_TRUE(best);
  while (!best->done()) ASSERT_TRUE(best->step());
  EXPECT_LT(best_error(run(p, {60, 0, 0}, 1), p.Z), 1.05 * best->relative_error());
}

TEST(NoisyDescent, AskingAheadArrivesSoon) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Problem p = problem(seed, 200);
    EXPECT_LT(best_error(run(p, {30, 0, 0}, 1), p.Z), 1.03 * best_error(run(p, {300, 0, 0}, 1), p.Z)) << seed;
  }
}

TEST(NoisyDescent, MoreColumnsOrLessNoiseIsBetter) {
  const auto error = [](Index columns, double noise) {
    double sum = 0;
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Problem p = problem(seed, columns);
      sum += best_error(run(p, {30, noise, noise}, seed), p.Z);
    }
    return sum;
  };
  const double few = error(100, 10);
  EXPECT_LT(error(100, 2), 0.8 * few);
  EXPECT_LT(error(1000, 10), 0.8 * few);
}

TEST(NoisyDescent, AnythingFiniteLeavesAFactor) {
  Stream stream = test_stream(3);
  NoisyDescent descent({10, 1, 1}, random_matrix(stream, 6, 3));
  for (const double size : {0.0, -1.0, 1e300, -1e300, 1e-300}) {
    ASSERT_TRUE(descent.absorb(size * random_matrix(stream, 6, 3), -size * Matrix::Identity(3, 3)));
    EXPECT_TRUE(descent.X().allFinite()) << size;
    EXPECT_TRUE(descent.in_range()) << size;
  }
  Matrix S = random_matrix(stream, 6, 3);
  S(1, 1) = std::numeric_limits<double>::quiet_NaN();
  const Status refused = descent.absorb(S, Matrix::Identity(3, 3));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kNumeric);
}

TEST(NoisyDescent, ALoadedOneGoesOnToTheSameBytes) {
  Stream stream = test_stream(4);
  const Matrix X0 = random_matrix(stream, 6, 3);
  std::vector<Matrix> S;
  S.reserve(9);
  for (int n = 0; n < 9; ++n) S.push_back(random_matrix(stream, 6, 3));
  const Matrix T = Matrix::Identity(3, 3);
  for (int at = 0; at <= 9; ++at) {
    NoisyDescent straight({9, 0.1, 0.1}, X0);
    NoisyDescent first({9, 0.1, 0.1}, X0);
    NoisyDescent second({9, 0.1, 0.1}, X0);
    for (int n = 0; n < at; ++n) ASSERT_TRUE(first.absorb(S[static_cast<std::size_t>(n)], T));
    expect_loaded(first, second);
    for (int n = at; n < 9; ++n) ASSERT_TRUE(second.absorb(S[static_cast<std::size_t>(n)], T));
    for (const Matrix& s : S) ASSERT_TRUE(straight.absorb(s, T));
    EXPECT_TRUE(second.done());
    EXPECT_TRUE(second.X() == straight.X()) << at;
  }
}

TEST(NoisyDescent, EndingEarlyKeepsWhatThereIs) {
  Stream stream = test_stream(5);
  NoisyDescent descent({9, 0.1, 0.1}, random_matrix(stream, 6, 3));
  ASSERT_TRUE(descent.absorb(random_matrix(stream, 6, 3), Matrix::Identity(3, 3)));
  const Matrix X = descent.X();
  descent.finish();
  EXPECT_TRUE(descent.done());
  EXPECT_TRUE(descent.X() == X);
}

}  // namespace
}  // namespace ppdnmf::nmf
