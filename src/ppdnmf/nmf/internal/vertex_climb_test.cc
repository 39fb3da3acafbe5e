#include <ppdnmf/nmf/internal/vertex_climb.h>

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>

#include <ppdnmf/nmf/internal/widest_cone.h>
#include <ppdnmf/nmf/test_matrices.h>

namespace ppdnmf::nmf::internal {
namespace {

Matrix basis_of(const Matrix& X) {
  return Eigen::HouseholderQR<Matrix>(X).householderQ() * Matrix::Identity(X.rows(), X.cols());
}

// Every pair of rows of three-dimensional U and the total fix a point; the best of those that lie in the polytope.
double best_by_trying_all(const Matrix& U, double slack, const Vector& c) {
  double best = -1e300;
  const Vector total = U.colwise().sum().transpose();
  for (Index i = 0; i < U.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      Eigen::Matrix3d B;
      B << total.transpose(), U.row(i), U.row(j);
      const Eigen::FullPivLU<Eigen::Matrix3d> lu(B);
      if (!lu.isInvertible()) continue;
      const Vector a = lu.solve(Eigen::Vector3d(1, -slack, -slack));
      if ((U * a).minCoeff() >= -slack - 1e-7) best = std::max(best, c.dot(a));
    }
  }
  return best;
}

TEST(VertexClimb, FindsTheBestOfAllVertices) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Stream stream = test_stream(seed);
    Matrix X = (random_matrix(stream, 9, 3).array() - 0.3).cwiseMax(0);
    if (seed % 4 == 1) X.row(8) = X.row(3);  // vertices on more rows than they need
    if (seed % 4 == 2) X.row(5).setZero();
    X.col(0).array() += 0.01;
    const Matrix U = basis_of(X);
    const Vector inside = U.transpose() * X.rowwise().sum();
    for (const double slack : {0.0, 0.02, 5.0}) {
      const Polytope polytope(U, slack);
      VertexClimb climb(polytope, inside / polytope.total.dot(inside));
      for (int n = 0; n < 6; ++n) {
        const Vector c = random_matrix(stream, 3, 1, -1, 1);
        const double best = best_by_trying_all(U, slack, c);
        const Vector a = climb.climb(c);
        EXPECT_NEAR(c.dot(a), best, 1e-6 * (1 + std::abs(best))) << seed << ' ' << slack << ' ' << n;
        EXPECT_GE((U * a).minCoeff(), -slack - 1e-7);
        EXPECT_NEAR(polytope.total.dot(a), 1, 1e-9);
      }
    }
  }
}

TEST(VertexClimb, TheWidestConeOfComponentsWithRowsOfTheirOwnIsTheirs) {
  Stream stream = test_stream(3);
  for (const Index rank : {1, 2, 7, 20}) {
    Matrix X = random_matrix(stream, 60, rank);
    X.topRows(rank) = Matrix::Identity(rank, rank);
    for (Index k = 0; k < rank; ++k) X.col(k) /= X.col(k).sum();
    const Matrix U = basis_of(X);
    const Matrix cone = U * widest_cone(U, U.transpose() * X.rowwise().sum(), 0, serial_executor());
    ASSERT_EQ(cone.cols(), rank);
    for (Index k = 0; k < rank; ++k) {
      double nearest = 1e300;
      for (Index j = 0; j < rank; ++j) nearest = std::min(nearest, (X.col(k) - cone.col(j)).norm());
      EXPECT_LT(nearest, 1e-6) << rank << ' ' << k;
    }
  }
}

}  // namespace
}  // namespace ppdnmf::nmf::internal
