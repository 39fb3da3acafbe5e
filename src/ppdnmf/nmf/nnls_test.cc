#include <ppdnmf/nmf/nnls.h>

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <limits>

#include <ppdnmf/nmf/test_matrices.h>

namespace ppdnmf::nmf {
namespace {

// y >= 0, gradient >= 0, and one of both zero, relative to the size of the problem.
void expect_minimiser(const Matrix& X, const Matrix& Z, const Matrix& Y) {
  ASSERT_TRUE(Y.allFinite());
  ASSERT_GE(Y.minCoeff(), 0);
  const Matrix gradient = X.transpose() * (X * Y - Z);
  for (Index m = 0; m < Z.cols(); ++m) {
    const double size = X.norm() * Z.col(m).norm();
    EXPECT_GE(gradient.col(m).minCoeff(), -1e-9 * size) << "column " << m;
    EXPECT_LE(std::fabs(gradient.col(m).dot(Y.col(m))), 1e-9 * (size * Y.col(m).norm() + Z.col(m).squaredNorm()))
        << "column " << m;
  }
}

// The best error over all 2^K sets of positive entries.
double brute_force(const Matrix& X, const Eigen::VectorXd& z) {
  double best = z.squaredNorm();
  for (unsigned set = 1; set < (1U << X.cols()); ++set) {
    Matrix part(X.rows(), 0);
    for (Index k = 0; k < X.cols(); ++k) {
      if ((set >> k & 1U) == 0) continue;
      part.conservativeResize(X.rows(), part.cols() + 1);
      part.rightCols(1) = X.col(k);
    }
    const Eigen::VectorXd y = part.completeOrthogonalDecomposition().solve(z);
    if (y.minCoeff() >= 0) best = std::min(best, (z - part * y).squaredNorm());
  }
  return best;
}

// Random factors, some with zero, equal, opposite-sized or dependent columns.
Matrix awkward_factor(Stream& stream, Index L, Index K) {
  Matrix X = random_matrix(stream, L, K);
  switch (stream.below(7)) {
    case 0:
      X.col(0).setZero();
      break;
    case 1:
      X.col(K - 1) = X.col(0);
      break;
    case 2:
      X = X.col(0) * random_matrix(stream, 1, K);  // rank one
      break;
    case 3:
      X.col(0) *= 1e-7;
      break;
    case 4:
      X = (X.array() - 0.6).cwiseMax(0);  // sparse, maybe with zero columns
      break;
    case 5:
      X.col(K - 1) = X.leftCols(K - 1).rowwise().sum();
      break;
    default:
      break;
  }
  return X;
}

TEST(Nnls, IsAsGoodAsTheBestOfAllActiveSets) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Stream stream = test_stream(seed);
    const auto K = static_cast<Index>(1 + stream.below(4));
    const auto L = static_cast<Index>(1 + stream.below(6));
    const Matrix X = awkward_factor(stream, L, K);
    const Matrix Z = random_matrix(stream, L, 5, seed % 3 == 0 ? -1 : 0, 1);
    const Matrix Y = nonnegative_least_squares(X, Z);
    for (Index m = 0; m < Z.cols(); ++m) {
      const double wanted = brute_force(X, Z.col(m));
      EXPECT_LE((Z.col(m) - X * Y.col(m)).squaredNorm(), wanted + 1e-9 * Z.col(m).squaredNorm());
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Nnls, MeetsTheConditionsOfAMinimumOnAwkwardInputs) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Stream stream = test_stream(1000 + seed);
    const auto K = static_cast<Index>(1 + stream.below(20));
    const auto L = static_cast<Index>(1 + stream.below(30));  // fewer rows than columns, too
    const Matrix X = awkward_factor(stream, L, K);
    Matrix Z = random_matrix(stream, L, 8, seed % 4 == 0 ? -1 : 0, 1);
    Z.col(0).setZero();
    if (seed % 5 == 0) Z.col(1) = X * random_matrix(stream, K, 1);  // exact
    if (seed % 7 == 0) Z *= 1e12;
    if (seed % 11 == 0) Z *= 1e-12;
    const Matrix guess = seed % 2 == 0 ? Matrix() : Matrix((random_matrix(stream, K, 8).array() - 0.5).cwiseMax(0));
    expect_minimiser(X, Z, nonnegative_least_squares(X, Z, guess));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Nnls, CountsAsAwkwardAsPixelsEnd) {
  // Small integers give exact ties: entries that are zero in the free solution as well.
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Stream stream = test_stream(5000 + seed);
    const auto K = static_cast<Index>(2 + stream.below(8));
    Matrix X(6, K);
    Matrix Z(6, 20);
    for (Matrix* m : {&X, &Z}) {
      for (Index t = 0; t < m->size(); ++t) m->data()[t] = static_cast<double>(stream.below(3));
    }
    expect_minimiser(X, Z, nonnegative_least_squares(X, Z));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Nnls, ZeroFactorAndZeroDataGiveZero) {
  EXPECT_EQ(nonnegative_least_squares(Matrix::Zero(3, 2), Matrix::Ones(3, 4)), Matrix::Zero(2, 4));
  EXPECT_EQ(nonnegative_least_squares(Matrix::Ones(3, 2), Matrix::Zero(3, 4)), Matrix::Zero(2, 4));
}

// How long a column is must not decide how exactly it is fitted.
TEST(Nnls, ColumnsOfAnySizeAreFitted) {
  Stream stream = test_stream(6);
  Matrix X = random_matrix(stream, 12, 4);
  const Matrix Y = random_matrix(stream, 4, 9, 0.1, 1);
  const Matrix Z = X * Y;
  const double sizes[] = {1e-9, 1, 1e9, 1e-3};
  for (Index k = 0; k < 4; ++k) X.col(k) *= sizes[k];
  for (const double unit : {1e-180, 1.0, 1e180}) {
    const Matrix found = nonnegative_least_squares(unit * X, Z);
    for (Index k = 0; k < 4; ++k) {
      EXPECT_LE((unit * sizes[k] * found.row(k) - Y.row(k)).norm(), 1e-9) << "unit " << unit << ", column " << k;
    }
  }
}

TEST(Nnls, AGuessChangesNothingButTime) {
  Stream stream = test_stream(4);
  const Matrix X = random_matrix(stream, 12, 6);
  const Matrix Z = random_matrix(stream, 12, 50);
  const Matrix free = nonnegative_least_squares(X, Z);
  const Matrix guess = random_matrix(stream, 6, 50, -1, 1);
  EXPECT_LE((nonnegative_least_squares(X, Z, guess) - free).norm(), 1e-10 * free.norm());
  EXPECT_LE((nonnegative_least_squares(X, Z, free) - free).norm(), 1e-10 * free.norm());
}

}  // namespace
}  // namespace ppdnmf::nmf
