#include <ppdnmf/nmf/admm_y_step.h>

#include <gtest/gtest.h>

#include <Eigen/LU>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/test_matrices.h>
#include <ppdnmf/nmf/test_threads.h>

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
    AdmmYStep factor(4, data::view(Z));
    Direct direct(4, columns);
    for (int n = 0; n < 3; ++n) {
      factor.solve(X, 0.4, 7);
      direct.solve(X, Z, 0.4, 7);
    }
    EXPECT_LE((factor.Y() - direct.Y).norm(), 1e-11 * direct.Y.norm()) << columns << " columns";
  }
}

TEST(AdmmYStep, ColumnsDoNotSeeEachOther) {
  Stream stream = test_stream(1);
  const Matrix X = random_matrix(stream, 9, 5);
  const Matrix Z = random_matrix(stream, 9, 130);
  AdmmYStep all(5, data::view(Z));
  all.solve(X, 0.4, 9);
  for (Index column = 0; column < Z.cols(); ++column) {
    AdmmYStep one(5, data::own(Z.col(column)));
    one.solve(X, 0.4, 9);
    ASSERT_LE((one.Y() - all.Y().col(column)).norm(), 1e-13) << "column " << column;
  }
}

TEST(AdmmYStep, AnotherEtaLeavesAFixedPointWhereItIs) {
  Stream stream = test_stream(2);
  const Matrix X = random_matrix(stream, 9, 4);
  const Matrix Z = random_matrix(stream, 9, 20);
  AdmmYStep factor(4, data::view(Z));
  factor.solve(X, 0.4, 20000);
  const Matrix Y = factor.Y();
  ASSERT_GT((Y.array() == 0).count(), 0) << "no entry at its bound: the multiplier was not tested";
  for (const double eta : {4.0, 0.1}) {
    factor.solve(X, eta, 2);
    EXPECT_LT((factor.Y() - Y).norm(), 1e-9) << "eta = " << eta;
  }
}

TEST(AdmmYStep, SquaredErrorIsTheErrorAlsoForAnExactFit) {
  Stream stream = test_stream(3);
  const Matrix X = random_matrix(stream, 9, 3);
  const Matrix exact = X * random_matrix(stream, 3, 70);
  for (const double noise : {0.0, 1e-9, 0.1}) {
    const Matrix Z = exact + random_matrix(stream, 9, 70, 0, noise);
    AdmmYStep factor(3, data::view(Z));
    factor.solve(X, 0.05, 3000);
    const double wanted = (Z - X * factor.Y()).squaredNorm();
    EXPECT_NEAR(factor.squared_error(), wanted, 1e-6 * wanted) << "noise " << noise;
  }
}

TEST(AdmmYStep, SavedAndLoadedGoesOnToTheSameBytes) {
  Stream stream = test_stream(4);
  const Matrix X = random_matrix(stream, 6, 3);
  const Matrix Z = random_matrix(stream, 6, 5);
  AdmmYStep factor(3, data::view(Z));
  factor.solve(X, 0.4, 3);
  ByteWriter out;
  factor.save(out);
  const Bytes saved = out.take();
  AdmmYStep other(3, data::view(Z));
  ByteReader in(saved);
  other.load(in);
  ASSERT_TRUE(in.status());
  EXPECT_TRUE(other.in_range());
  factor.solve(X, 0.7, 3);
  other.solve(X, 0.7, 3);
  EXPECT_TRUE(factor.Y() == other.Y());
}

TEST(AdmmYStep, MomentsAndErrorAreThoseOfTheScaledColumnsToTheBit) {
  Stream stream = test_stream(5);
  const Matrix Z = random_matrix(stream, 9, 70);
  const Matrix X = random_matrix(stream, 9, 3);
  const Matrix large = 0x1p40 * Z;
  AdmmYStep plain(3, data::view(Z));
  AdmmYStep scaled(3, data::view(large), 0x1p40);
  for (const double eta : {0.5, 0.2}) {
    plain.solve(X, eta, 7);
    scaled.solve(X, eta, 7);
  }
  EXPECT_TRUE(plain.Y() == scaled.Y());
  EXPECT_EQ(plain.squared_error(), scaled.squared_error());
  EXPECT_EQ(plain.squared_norm(), scaled.squared_norm());
  const Moments m = scaled.moments();
  EXPECT_TRUE(m.S == Matrix(Z * plain.Y().transpose()));
  EXPECT_TRUE(m.T == Matrix(plain.Y() * plain.Y().transpose()));
  EXPECT_EQ(m.squared_error, plain.squared_error());
}

// Several leaves: y's are the same to the bit as in one, sums but for their last digits, and threads change nothing.
TEST(AdmmYStep, LeavesAndThreadsDoNotChangeY) {
  Stream stream = test_stream(6);
  const Matrix Z = random_matrix(stream, 1700, 333);
  const Matrix X = random_matrix(stream, 1700, 7);
  ASSERT_GT(data::leaves(1700, 333).size(), 2U);
  TestThreads threads;
  AdmmYStep alone(7, data::view(Z));
  AdmmYStep together(7, data::view(Z), 1, threads);
  alone.solve(X, 50, 5);
  together.solve(X, 50, 5);
  EXPECT_TRUE(alone.Y() == together.Y());
  EXPECT_TRUE(alone.moments().S == together.moments().S);
  EXPECT_TRUE(alone.moments().T == together.moments().T);
  EXPECT_EQ(alone.squared_error(), together.squared_error());
  EXPECT_LT((alone.moments().S - Z * alone.Y().transpose()).norm(), 1e-14 * alone.moments().S.norm());
  Direct direct(7, 333);
  direct.solve(X, Z, 50, 5);
  EXPECT_LE((alone.Y() - direct.Y).norm(), 1e-11 * direct.Y.norm());
  // A part of the columns that is small enough to be one leaf.
  const data::Range part{64, 76};
  ASSERT_EQ(data::leaves(1700, part.count).size(), 1U);
  AdmmYStep few(7, data::view(Z, part));
  few.solve(X, 50, 5);
  EXPECT_TRUE(few.Y() == alone.Y().middleCols(part.first, part.count));
}

TEST(AdmmYStep, OnAHoldersColumnsIsThatOfTheColumns) {
  Stream stream = test_stream(9);
  const Matrix Z = random_matrix(stream, 9, 70);
  const Matrix X = random_matrix(stream, 9, 3);
  const auto holder = dense_holder(4 * Z);
  holder->begin(3, 4);
  AdmmYStep one(3, data::view(Z));
  AdmmYStep other(*holder);
  EXPECT_EQ(other.moments().S.norm(), 0);
  for (const double eta : {0.5, 0.2}) {
    one.solve(X, eta, 7);
    other.solve(X, eta, 7);
  }
  EXPECT_TRUE(other.Y() == one.Y());
  EXPECT_TRUE(other.coordinates() == 4 * one.Y()) << "in units of the data";
  EXPECT_TRUE(other.moments().S == Matrix(Z * one.Y().transpose()));
  EXPECT_TRUE(other.moments().T == Matrix(one.Y() * one.Y().transpose()));
  EXPECT_EQ(other.moments().squared_error, one.squared_error());
}

}  // namespace
}  // namespace ppdnmf::nmf
