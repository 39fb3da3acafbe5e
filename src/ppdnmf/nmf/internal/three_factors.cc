#include <ppdnmf/nmf/internal/three_factors.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include <ppdnmf/nmf/internal/lane_products.h>
#include <ppdnmf/nmf/internal/unit_factor.h>
#include <ppdnmf/nmf/lanes.h>

namespace ppdnmf::nmf::internal {
namespace {

constexpr int kSteps = 100;
constexpr int kMiddleSteps = 30;   // of M, in every step
constexpr int kLastMiddle = 200;   // and for the misfit that starts are compared by
constexpr int kFactorSweeps = 20;  // of X, in every step
constexpr double kRidge = 1e-9;    // keeps what is inverted definite

// G X, the rows dealt out to the threads; every number is one sum from top to bottom.
Matrix times_factor(const Matrix& G, const Matrix& X, Executor& executor) {
  constexpr Index kAtATime = 32 * kTileColumns;
  const GroupedColumns grouped(X);
  Matrix product(grouped.groups() * kLanes, round_up(G.cols(), kTileColumns));
  product.setZero();
  const ColumnLanes& lanes = automatic_lanes();
  executor.for_each(static_cast<std::size_t>((G.cols() + kAtATime - 1) / kAtATime), [&](std::size_t i) {
    const Index first = static_cast<Index>(i) * kAtATime;
    add_product(lanes, grouped.groups(), G.rows(), grouped.from_row(0), grouped.group_stride(), &G(0, first), G.rows(),
                std::min(kAtATime, G.cols() - first), &product(0, first), product.rows());
  });
  return product.topLeftCorner(X.cols(), G.cols()).transpose();
}

Matrix symmetric(const Matrix& M) { return (M + M.transpose()) / 2; }

// What M's descent needs to know: ||G - X M Xᵀ||² = ||G||² - 2 <M, B> + <M, A M A>.
struct MiddleProblem {
  Matrix A;  // Xᵀ X
  Matrix B;  // Xᵀ G X
};

double misfit(const MiddleProblem& p, const Matrix& M) { return (M.array() * (p.A * M * p.A - 2 * p.B).array()).sum(); }

Matrix first_middle(const MiddleProblem& p) {
  const Matrix ridge = p.A + kRidge * Matrix::Identity(p.A.rows(), p.A.cols());
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(ridge);
  const double least = kRidge * solver.eigenvalues().maxCoeff();
  const Matrix inverse = solver.eigenvectors() * solver.eigenvalues().cwiseMax(least).cwiseInverse().asDiagonal() *
                         solver.eigenvectors().transpose();
  return symmetric(inverse * p.B * inverse).cwiseMax(0);
}

// Accelerated projected gradient steps for M >= 0.
Matrix improve_middle(const MiddleProblem& p, Matrix M, int steps) {
  const double norm = Eigen::SelfAdjointEigenSolver<Matrix>(p.A, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
  if (!(norm > 0)) return M;
  const double step = 1 / (norm * norm);
  Matrix ahead = M;
  double t = 1;
  for (int n = 0; n < steps; ++n) {
    const Matrix next = symmetric((ahead - step * (p.A * ahead * p.A - p.B)).cwiseMax(0));
    const double after = (1 + std::sqrt(1 + 4 * t * t)) / 2;
    ahead = next + (t - 1) / after * (next - M);
    M = next;
    t = after;
  }
  return M;
}

}  // namespace

Matrix fit_middle(const Matrix& G, const Matrix& X, Executor& executor) {
  const MiddleProblem problem{X.transpose() * X, symmetric(X.transpose() * times_factor(G, X, executor))};
  return improve_middle(problem, first_middle(problem), kLastMiddle);
}

ThreeFactors fit_three_factors(const Matrix& G, const Matrix& X0, Executor& executor) {
  Matrix X = X0.cwiseAbs2();
  normalise_columns(X, X);
  Matrix M;
  MiddleProblem problem;
  Matrix GX;
  const auto look = [&] {
    GX = times_factor(G, X, executor);
    problem = {X.transpose() * X, symmetric(X.transpose() * GX)};
  };
  look();
  M = first_middle(problem);
  for (int n = 0; n < kSteps; ++n) {
    M = improve_middle(problem, std::move(M), kMiddleSteps);
    // For M Xᵀ = Y fixed: X from Y Yᵀ and G Yᵀ. Half of the step is taken, since Y holds X as well.
    Matrix T = symmetric(M * problem.A * M);
    T.diagonal().array() += kRidge * T.trace();
    Matrix next = X;
    descend_rows(automatic_lanes(), T, GX * M, kFactorSweeps, 0, next, executor);
    normalise_columns(next, X);
    const Matrix before = X;
    X = (X + next) / 2;
    normalise_columns(X, before);
    look();
  }
  M = improve_middle(problem, std::move(M), kLastMiddle);
  return {std::move(X), misfit(problem, M)};
}

}  // namespace ppdnmf::nmf::internal
