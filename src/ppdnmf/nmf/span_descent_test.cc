#include <ppdnmf/nmf/span_descent.h>

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <limits>
#include <vector>

#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/nmf/nnls.h>
#include <ppdnmf/nmf/test_matrices.h>

namespace ppdnmf::nmf {
namespace {

Matrix basis_of(const Matrix& X) {
  return Eigen::HouseholderQR<Matrix>(X).householderQ() * Matrix::Identity(X.rows(), X.cols());
}

struct SpanProblem {
  Matrix Z;
  SpanAndFactor begin;  // the right span, and vectors in the middle of the right cone
};

SpanProblem problem_in_span(std::uint64_t seed) {
  Stream stream = test_stream(seed);
  const Matrix X = (random_matrix(stream, 30, 4).array() - 0.5).cwiseMax(0.01);
  Matrix Z = X * (random_matrix(stream, 4, 400).array() - 0.5).cwiseMax(0).matrix();
  for (Index m = 0; m < Z.cols(); ++m) {
    if (Z.col(m).norm() > 0) Z.col(m).normalize();
  }
  const Matrix inner = X * (random_matrix(stream, 4, 4) + Matrix::Identity(4, 4));
  return {Z, {inner, basis_of(X), Matrix::Identity(4, 4) * 400}};
}

Matrix run_in_span(const SpanProblem& p, const SpanDescentOptions& options, std::uint64_t seed) {
  Stream stream = test_stream(seed);
  SpanDescent descent(options, p.begin);
  while (!descent.done()) {
    const Matrix Y = nonnegative_least_squares(descent.X(), p.Z);
    Matrix S = descent.U().transpose() * p.Z * Y.transpose();
    Matrix T = Y * Y.transpose();
    for (Index t = 0; t < S.size(); ++t) S.data()[t] += options.noise_S * stream.normal();
    for (Index k = 0; k < T.cols(); ++k) {
      for (Index j = 0; j <= k; ++j) T(j, k) = T(k, j) = T(j, k) + options.noise_T * stream.normal();
    }
    EXPECT_TRUE(descent.absorb(S, T));
  }
  return descent.X();
}

TEST(SpanDescent, RoundsWidenTheConeAndNoiseCostsSome) {
  double before = 0;
  double exact = 0;
  double noisy = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const SpanProblem p = problem_in_span(seed);
    before += best_error(p.begin.X, p.Z);
    exact += best_error(run_in_span(p, {20, 0, 0}, seed), p.Z);
    noisy += best_error(run_in_span(p, {20, 2, 2}, seed), p.Z);
  }
  EXPECT_LT(exact, 0.5 * before);
  EXPECT_LT(noisy, 0.9 * before);
  EXPECT_LT(exact, noisy);
}

TEST(SpanDescent, AnythingFiniteLeavesAFactorAndNothingElseIsTaken) {
  Stream stream = test_stream(3);
  const Matrix X0 = random_matrix(stream, 6, 3);
  SpanDescent descent({10, 1, 1}, {X0, basis_of(X0), Matrix::Identity(3, 3)});
  for (const double size : {0.0, -1.0, 1e300, -1e300, 1e-300}) {
    ASSERT_TRUE(descent.absorb(size * random_matrix(stream, 3, 3), -size * Matrix::Identity(3, 3)));
    EXPECT_TRUE(descent.X().allFinite()) << size;
    EXPECT_TRUE(descent.in_range()) << size;
  }
  const Matrix bad = Matrix::Constant(3, 3, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(descent.absorb(bad, Matrix::Identity(3, 3)));
}

TEST(SpanDescent, ALoadedOneGoesOnToTheSameBytes) {
  Stream stream = test_stream(4);
  const Matrix X0 = random_matrix(stream, 6, 3);
  const Matrix other = random_matrix(stream, 6, 3);
  std::vector<Matrix> S;
  S.reserve(6);
  for (int n = 0; n < 6; ++n) S.push_back(random_matrix(stream, 3, 3));
  const Matrix T = Matrix::Identity(3, 3);
  for (int at = 0; at <= 6; ++at) {
    SpanDescent straight({6, 0.1, 0.1}, {X0, basis_of(X0), Matrix::Ones(3, 3)});
    SpanDescent first({6, 0.1, 0.1}, {X0, basis_of(X0), Matrix::Ones(3, 3)});
    SpanDescent second({6, 0.1, 0.1}, {other, basis_of(other), Matrix::Identity(3, 3)});
    for (int n = 0; n < at; ++n) ASSERT_TRUE(first.absorb(S[static_cast<std::size_t>(n)], T));
    expect_loaded(first, second);
    for (int n = at; n < 6; ++n) ASSERT_TRUE(second.absorb(S[static_cast<std::size_t>(n)], T));
    for (const Matrix& s : S) ASSERT_TRUE(straight.absorb(s, T));
    EXPECT_TRUE(second.done());
    EXPECT_TRUE(second.X() == straight.X()) << at;
    EXPECT_TRUE(second.U() == straight.U()) << at;
  }
}

}  // namespace
}  // namespace ppdnmf::nmf
