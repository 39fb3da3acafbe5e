#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>
#include <utility>

#include <ppdnmf/base/random.h>
#include <ppdnmf/nmf/internal/leading_eigenvectors.h>

namespace ppdnmf::nmf::internal {
namespace {

Matrix random(Index rows, Index columns) {
  Stream stream(Seed::from_number(7), 'r');
  Matrix out(rows, columns);
  for (Index t = 0; t < out.size(); ++t) out.data()[t] = stream.normal();
  return out;
}

// Symmetric, with these eigenvalues.
Matrix with_eigenvalues(const Eigen::VectorXd& values) {
  const Index n = values.size();
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random(n, n)).householderQ();
  const Matrix A = Q * values.asDiagonal() * Q.transpose();
  return (A + A.transpose()) / 2;
}

Matrix projector(const Matrix& vectors) { return vectors * vectors.transpose(); }

Matrix written_out(const Matrix& A, Index count) {
  return projector(Eigen::SelfAdjointEigenSolver<Matrix>(A).eigenvectors().rightCols(count));
}

TEST(LeadingEigenvectors, SpanWhatThoseOfTheWholeProblemSpan) {
  for (const Index n : {3, 20, 101}) {
    const Matrix Z = random(n, 3 * n).cwiseAbs();
    const Matrix A = Z * Z.transpose();
    for (const Index count : {Index{1}, n / 3, n}) {
      const Leading found = leading_eigenvectors(A, count);
      EXPECT_LT((projector(found.vectors) - written_out(A, count)).norm(), 1e-9) << n << ' ' << count;
      EXPECT_LT((A * found.vectors - found.vectors * (found.vectors.transpose() * A * found.vectors)).norm(),
                1e-10 * A.norm());
    }
  }
}

TEST(LeadingEigenvectors, HoldFarBelowTheFirst) {
  Eigen::VectorXd values(60);
  for (Index k = 0; k < 60; ++k) values(k) = std::pow(0.7, static_cast<double>(k));
  const Matrix A = with_eigenvalues(values);
  EXPECT_LT((projector(leading_eigenvectors(A, 20).vectors) - written_out(A, 20)).norm(), 1e-8);
}

// Where starts could fall together: equal eigenvalues, few that are not zero, a diagonal matrix, nothing at all.
TEST(LeadingEigenvectors, OfEqualEigenvaluesAreABasis) {
  Eigen::VectorXd values = Eigen::VectorXd::Ones(50);
  values.tail(20).setConstant(3);
  Matrix with_few = Matrix::Zero(40, 40);
  with_few.topLeftCorner(3, 3) << 2, 1, 0, 1, 2, 0, 0, 0, 5;
  for (const auto& [A, count] : {std::pair<Matrix, Index>{with_eigenvalues(values), 20},
                                 {with_few, 3},
                                 {with_few, 12},
                                 {Matrix(values.asDiagonal()), 20},
                                 {Matrix::Zero(9, 9), 2},
                                 {Matrix::Identity(9, 9), 4}}) {
    const Leading found = leading_eigenvectors(A, count);
    const Matrix inner = found.vectors.transpose() * A * found.vectors;
    EXPECT_LT((found.vectors.transpose() * found.vectors - Matrix::Identity(count, count)).norm(), 1e-12);
    EXPECT_NEAR(inner.trace(), found.values.sum(), 1e-11);
    EXPECT_LT((A * found.vectors - found.vectors * inner).norm(), 1e-11);
  }
}

}  // namespace
}  // namespace ppdnmf::nmf::internal
