#include <ppdnmf/nmf/second_moments.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/nmf/start.h>
#include <ppdnmf/nmf/test_matrices.h>
#include <ppdnmf/nmf/test_threads.h>

namespace ppdnmf::nmf {
namespace {

SpanAndFactor factor(const Matrix& G, Index rank, double noise, Executor& executor = serial_executor()) {
  const Seed seed = Seed::from_number(7);
  const auto start = [&](int n) {
    return common_start(Start::kRandom, G.rows(), rank, seed, static_cast<std::uint64_t>(n));
  };
  auto found = factor_second_moments(G, {rank, noise, 3}, start, executor);
  EXPECT_TRUE(found);
  return found ? *found : SpanAndFactor{};
}

// Every component has a row of its own, and columns hold few components.
Matrix separable_factor(Stream& stream, Index rows, Index rank) {
  Matrix X = random_matrix(stream, rows, rank, 0.1, 1);
  X.topRows(rank) = Matrix::Identity(rank, rank);
  for (Index k = 0; k < rank; ++k) X.col(k).normalize();
  return X;
}

Matrix mixtures(Stream& stream, const Matrix& X, Index columns) {
  Matrix Z = X * (random_matrix(stream, X.cols(), columns).array() - 0.4).cwiseMax(0.001).matrix();
  for (Index m = 0; m < columns; ++m) Z.col(m).normalize();
  return Z;
}

Matrix with_noise(Matrix G, double noise, Stream& stream) {
  for (Index k = 0; k < G.cols(); ++k) {
    for (Index j = 0; j < k; ++j) G(j, k) = G(k, j) = G(j, k) + noise * std::sqrt(0.5) * stream.normal();
    G(k, k) += noise * stream.normal();
  }
  return G;
}

void expect_factor(const SpanAndFactor& found, Index rows, Index rank) {
  ASSERT_EQ(found.X.rows(), rows);
  ASSERT_EQ(found.X.cols(), rank);
  EXPECT_TRUE(found.X.allFinite());
  EXPECT_GE(found.X.minCoeff(), 0);
  for (Index k = 0; k < rank; ++k) EXPECT_NEAR(found.X.col(k).norm(), 1, 1e-12);
  const Matrix gram = found.U.transpose() * found.U;
  EXPECT_LT((gram - Matrix::Identity(rank, rank)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(SecondMoments, ComponentsWithRowsOfTheirOwnAreFound) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Stream stream = test_stream(seed);
    const Matrix X = separable_factor(stream, 24, 4);
    const Matrix Z = mixtures(stream, X, 300);
    const SpanAndFactor found = factor(Z * Z.transpose(), 4, 0);
    expect_factor(found, 24, 4);
    const Matrix cosines = X.transpose() * found.X;
    for (Index k = 0; k < 4; ++k) EXPECT_GT(cosines.row(k).maxCoeff(), 0.99) << seed << ' ' << k;
    EXPECT_LT(best_error(found.X, Z), 0.05) << seed;
  }
}

TEST(SecondMoments, LessNoiseIsBetterAndTheOpeningIsWorthMoreThanAGuess) {
  double clear = 0;
  double noisy = 0;
  double guessed = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    Stream stream = test_stream(seed);
    const Matrix Z = mixtures(stream, separable_factor(stream, 30, 4), 500);
    const Matrix G = Z * Z.transpose();
    clear += best_error(factor(with_noise(G, 1, stream), 4, 1).X, Z);
    noisy += best_error(factor(with_noise(G, 4, stream), 4, 4).X, Z);
    guessed += best_error(random_matrix(stream, 30, 4), Z);
  }
  EXPECT_LT(clear, 0.8 * noisy);
  EXPECT_LT(noisy, 0.8 * guessed);
}

TEST(SecondMoments, EveryFiniteMatrixLeavesAFactor) {
  Stream stream = test_stream(5);
  const Matrix any = random_matrix(stream, 12, 12, -1, 1);
  const Matrix symmetric = any + any.transpose();
  const Matrix one = random_matrix(stream, 12, 1);
  Matrix rows_missing = one * one.transpose();
  rows_missing.topRows(8).setZero();
  rows_missing.leftCols(8).setZero();
  const Matrix identity = Matrix::Identity(12, 12);
  for (const Matrix& G :
       {Matrix(Matrix::Zero(12, 12)), identity, Matrix(-identity), symmetric, Matrix(-any * any.transpose()),
        Matrix(one * one.transpose()), rows_missing, Matrix(Matrix::Ones(12, 12)), Matrix(-Matrix::Ones(12, 12))}) {
    for (const auto& [size, noise] : {std::pair{1.0, 0.0}, {1.0, 1e3}, {1e300, 1e-3}, {1e-300, 1e300}}) {
      for (const Index rank : {1, 3, 12}) expect_factor(factor(size * G, rank, noise), 12, rank);
    }
  }
  expect_factor(factor(Matrix::Constant(1, 1, 3.0), 1, 0.1), 1, 1);
  expect_factor(factor(Matrix::Constant(1, 1, -3.0), 1, 0), 1, 1);
}

TEST(SecondMoments, ANumberThatIsNotFiniteIsRefused) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Matrix G = Matrix::Identity(4, 4);
    G(1, 2) = bad;
    const auto refused = factor_second_moments(G, {2, 0, 1}, [](int) { return Matrix(Matrix::Ones(4, 2)); });
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kNumeric);
  }
}

TEST(SecondMoments, ThreadsAndTheLowerTriangleChangeNothing) {
  Stream stream = test_stream(6);
  const Matrix Z = mixtures(stream, separable_factor(stream, 210, 5), 200);
  const Matrix G = with_noise(Z * Z.transpose(), 1, stream);
  const SpanAndFactor one = factor(G, 5, 1);
  Matrix upper = G.triangularView<Eigen::Upper>();
  TestThreads threads;
  const SpanAndFactor many = factor(upper, 5, 1, threads);
  EXPECT_TRUE(one.X == many.X);
  EXPECT_TRUE(one.U == many.U);
}

}  // namespace
}  // namespace ppdnmf::nmf
