#include <ppdnmf/nmf/admm_y_step.h>

#include <gtest/gtest.h>

#include <Eigen/LU>

#include <ppdnmf/nmf/test_matrices.h>

namespace ppdnmf::nmf {
namespace {

struct Direct {
  Matrix Y, V, R;
  Direct(Index rank, Index columns) : Y(Matrix::Zero(rank, columns)), V(Y), R(Y) {}
  void solve(const Matrix& X, const Matrix& Z, double eta, int iterations) {
    const Index K = X.cols();
    const Matrix inverse = (X.transpose() * X + eta * Matrix::Identity(K, K)).inverse();
    for (int k = 0; k < iterations; ++k) {
      Y = (V + R).cwiseMax(0);
      V = inverse * (X.transpose() * Z + eta * (Y - R));
      R -= Y - V;
    }
  }
};

TEST(AdmmYStep, EqualsAStraightforwardLoopAlsoAroundTheBlockSize) {
  for (const Index columns : {1, 2, 63, 64, 65, 127, 128, 129, 200}) {
    Stream stream = test_stream(static_cast<std::uint64_t>(columns));
    const Matrix X = random_matrix(stream, 9, 4);
    const Matrix Z = random_matrix(stream, 9, columns);
    AdmmYStep factor(4, columns);
    Direct direct(4, columns);
    for (int n = 0; n < 3; ++n) {
      factor.solve(X, Z, 0.4, 7);
      direct.solve(X, Z, 0.4, 7);
    }
    EXPECT_LE((factor.Y() - direct.Y).norm(), 1e-11 * direct.Y.norm()) << columns << " columns";
  }
}

TEST(AdmmYStep, ColumnsDoNotSeeEachOther) {
  Stream stream = test_stream(1);
  const Matrix X = random_matrix(stream, 9, 5);
  const Matrix Z = random_matrix(stream, 9, 130);
  AdmmYStep all(5, 130);
  all.solve(X, Z, 0.4, 9);
  for (Index column = 0; column < Z.cols(); ++column) {
    AdmmYStep one(5, 1);
    one.solve(X, Z.col(column), 0.4, 9);
    ASSERT_LE((one.Y() - all.Y().col(column)).norm(), 1e-13) << "column " << column;
  }
}

TEST(AdmmYStep, AnotherEtaLeavesAFixedPointWhereItIs) {
  Stream stream = test_stream(2);
  const Matrix X = random_matrix(stream, 9, 4);
  const Matrix Z = random_matrix(stream, 9, 20);
  AdmmYStep factor(4, 20);
  factor.solve(X, Z, 0.4, 20000);
  const Matrix Y = factor.Y();
  ASSERT_GT((Y.array() == 0).count(), 0) << "no entry at its bound: the multiplier was not tested";
  for (const double eta : {4.0, 0.1}) {
    factor.solve(X, Z, eta, 2);
    EXPECT_LT((factor.Y() - Y).norm(), 1e-9) << "eta = " << eta;
  }
}

TEST(AdmmYStep, SquaredErrorIsTheErrorAlsoForAnExactFit) {
  Stream stream = test_stream(3);
  const Matrix X = random_matrix(stream, 9, 3);
  const Matrix exact = X * random_matrix(stream, 3, 70);
  for (const double noise : {0.0, 1e-9, 0.1}) {
    const Matrix Z = exact + random_matrix(stream, 9, 70, 0, noise);
    AdmmYStep factor(3, 70);
    factor.solve(X, Z, 0.05, 3000);
    const double wanted = (Z - X * factor.Y()).squaredNorm();
    EXPECT_NEAR(factor.squared_error(X, Z), wanted, 1e-6 * wanted) << "noise " << noise;
  }
}

TEST(AdmmYStep, SavedAndLoadedGoesOnToTheSameBytes) {
  Stream stream = test_stream(4);
  const Matrix X = random_matrix(stream, 6, 3);
  const Matrix Z = random_matrix(stream, 6, 5);
  AdmmYStep factor(3, 5);
  factor.solve(X, Z, 0.4, 3);
  ByteWriter out;
  factor.save(out);
  const Bytes saved = out.take();
  AdmmYStep other(3, 5);
  ByteReader in(saved);
  other.load(in);
  ASSERT_TRUE(in.status());
  EXPECT_TRUE(other.in_range());
  factor.solve(X, Z, 0.7, 3);
  other.solve(X, Z, 0.7, 3);
  EXPECT_TRUE(factor.Y() == other.Y());
}

}  // namespace
}  // namespace ppdnmf::nmf
