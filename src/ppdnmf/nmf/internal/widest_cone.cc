#include <ppdnmf/nmf/internal/widest_cone.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <vector>

#include <ppdnmf/base/random.h>
#include <ppdnmf/nmf/internal/vertex_climb.h>

namespace ppdnmf::nmf::internal {
namespace {

constexpr std::size_t kConeStarts = 3;
constexpr int kRounds = 20;
constexpr double kEnough = 1e-4;  // of the logarithm of the volume, in a round

struct Cone {
  Matrix A;
  double volume = -std::numeric_limits<double>::infinity();  // log |det A|
};

// The way that is orthogonal to all columns of `others`, one less than there are rows.
Vector normal_to(const Matrix& others) {
  const Index K = others.rows();
  if (K == 1) return Vector::Ones(1);
  const Eigen::HouseholderQR<Matrix> qr(others);
  return qr.householderQ() * Vector(Vector::Unit(K, K - 1));
}

Matrix all_but(const Matrix& A, Index k) {
  Matrix others(A.rows(), A.cols() - 1);
  others << A.leftCols(k), A.rightCols(A.cols() - k - 1);
  return others;
}

// The vertex farthest from the plane gᵀa = 0, on either side.
Vector farthest(VertexClimb& climb, const Vector& g) {
  const Vector one = climb.climb(g);
  const Vector other = climb.climb(-g);
  return std::abs(g.dot(one)) >= std::abs(g.dot(other)) ? one : other;
}

// Every vector as far as can be from those before it, in some direction that they leave.
Matrix first_vectors(VertexClimb& climb, Index K, std::uint64_t number) {
  constexpr std::uint8_t kPurpose = 'W';
  Stream stream(Seed::from_number(0), kPurpose, 0, number);
  Matrix A(K, K);
  for (Index k = 0; k < K; ++k) {
    Vector g(K);
    for (Index t = 0; t < K; ++t) g(t) = stream.uniform() - 0.5;
    if (k > 0) {
      const Matrix Q = Eigen::HouseholderQR<Matrix>(A.leftCols(k)).householderQ() * Matrix::Identity(K, k);
      g -= Q * (Q.transpose() * g);
    }
    A.col(k) = farthest(climb, g);
  }
  return A;
}

Cone widen(const Polytope& polytope, const Vector& inside, std::uint64_t number) {
  const Index K = inside.size();
  VertexClimb climb(polytope, inside);
  Cone cone{first_vectors(climb, K, number)};
  for (int round = 0; round < kRounds; ++round) {
    double volume = 0;
    for (Index k = 0; k < K; ++k) {
      const Vector g = normal_to(all_but(cone.A, k));
      const Vector better = farthest(climb, g);
      if (std::abs(g.dot(better)) > std::abs(g.dot(cone.A.col(k)))) cone.A.col(k) = better;
    }
    volume = Eigen::HouseholderQR<Matrix>(cone.A).logAbsDeterminant();
    if (!(volume - cone.volume >= kEnough)) break;
    cone.volume = volume;
  }
  return cone;
}

}  // namespace

Matrix widest_cone(const Matrix& U, const Eigen::VectorXd& inside, double slack, Executor& executor) {
  const Polytope polytope(U, slack);
  const double sum = polytope.total.dot(inside);
  if (!(sum > 0)) return {};
  std::vector<Cone> cones(kConeStarts);
  executor.for_each(kConeStarts, [&](std::size_t n) { cones[n] = widen(polytope, inside / sum, n); });
  Cone* best = nullptr;
  for (Cone& cone : cones) {
    if (cone.A.allFinite() && (best == nullptr || cone.volume > best->volume)) best = &cone;
  }
  return best == nullptr ? Matrix() : std::move(best->A);
}

}  // namespace ppdnmf::nmf::internal
