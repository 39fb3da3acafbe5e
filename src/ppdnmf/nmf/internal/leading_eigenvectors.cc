#include <ppdnmf/nmf/internal/leading_eigenvectors.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <ppdnmf/base/random.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/nmf/products.h>

namespace ppdnmf::nmf::internal {
namespace {

using Eigen::VectorXd;

struct Tridiagonal {
  VectorXd diagonal, beside;

  [[nodiscard]] Index size() const { return diagonal.size(); }
  [[nodiscard]] Matrix times(const Matrix& X) const {
    const Index n = size();
    Matrix out = diagonal.asDiagonal() * X;
    out.topRows(n - 1) += beside.asDiagonal() * X.bottomRows(n - 1);
    out.bottomRows(n - 1) += beside.asDiagonal() * X.topRows(n - 1);
    return out;
  }
};

// T - s I as a product of triangles, with rows exchanged; pivots are at least `tiny`, so that it solves with an
// eigenvalue for s as well.
class Shifted {
 public:
  Shifted(const Tridiagonal& T, double s, double tiny) : rows_(static_cast<std::size_t>(T.size())) {
    const Index n = T.size();
    double pivot = T.diagonal(0) - s;
    double right = n > 1 ? T.beside(0) : 0;
    for (Index i = 0; i + 1 < n; ++i) {
      Row& row = rows_[static_cast<std::size_t>(i)];
      const double below = T.beside(i);
      const double next = T.diagonal(i + 1) - s;
      const double beyond = i + 2 < n ? T.beside(i + 1) : 0;
      if (std::abs(pivot) >= std::abs(below)) {
        pivot = at_least(pivot, tiny);
        row = {pivot, right, 0, below / pivot, false};
        pivot = next - row.factor * right;
        right = beyond;
      } else {
        row = {below, next, beyond, pivot / below, true};
        pivot = right - row.factor * next;
        right = -row.factor * beyond;
      }
    }
    rows_.back() = {at_least(pivot, tiny), 0, 0, 0, false};
  }

  void solve(Eigen::Ref<VectorXd> x) const {
    const auto n = static_cast<Index>(rows_.size());
    for (Index i = 0; i + 1 < n; ++i) {
      const Row& row = rows_[static_cast<std::size_t>(i)];
      if (row.exchanged) std::swap(x(i), x(i + 1));
      x(i + 1) -= row.factor * x(i);
    }
    for (Index i = n - 1; i >= 0; --i) {
      const Row& row = rows_[static_cast<std::size_t>(i)];
      if (i + 1 < n) x(i) -= row.right * x(i + 1);
      if (i + 2 < n) x(i) -= row.beyond * x(i + 2);
      x(i) /= row.pivot;
    }
  }

 private:
  struct Row {
    double pivot, right, beyond, factor;
    bool exchanged;
  };
  static double at_least(double pivot, double tiny) {
    return std::abs(pivot) < tiny ? std::copysign(tiny, pivot) : pivot;
  }
  std::vector<Row> rows_;
};

// Inverse iteration, each from a start of its own.
Matrix by_inverse_iteration(const Tridiagonal& T, const VectorXd& values, double largest) {
  constexpr int kSteps = 2;
  const double tiny = std::max(std::numeric_limits<double>::epsilon() * largest, 1e-150);
  Stream stream(Seed::from_number(0), 'e');
  Matrix X(T.size(), values.size());
  for (Index t = 0; t < X.size(); ++t) X.data()[t] = stream.normal();
  for (Index k = 0; k < values.size(); ++k) {
    const Shifted shifted(T, values(k), tiny);
    for (int step = 0; step < kSteps; ++step) {
      shifted.solve(X.col(k));
      X.col(k) /= X.col(k).cwiseAbs().maxCoeff();
    }
  }
  return Eigen::HouseholderQR<Matrix>(X).householderQ() * Matrix::Identity(X.rows(), X.cols());
}

// Whether orthonormal X spans the leading eigenvectors: T leads out of its span nowhere, and in it has the largest
// eigenvalues' sum.
bool spans_the_leading(const Tridiagonal& T, const Matrix& X, const VectorXd& values, double largest) {
  const double tolerance = 1e-13 * static_cast<double>(T.size()) * largest;
  const Matrix TX = T.times(X);
  const Matrix inner = X.transpose() * TX;
  return (TX - X * inner).norm() <= tolerance && std::abs(inner.trace() - values.sum()) <= tolerance;
}

}  // namespace

Leading leading_eigenvectors(const Matrix& A, Index count) {
  PPDNMF_CHECK(count > 0 && count <= A.rows());
  fix_product_blocking();
  if (A.rows() > 2 * count) {
    const Eigen::Tridiagonalization<Matrix> reduced(A);
    const Tridiagonal T{reduced.diagonal(), reduced.subDiagonal()};
    Eigen::SelfAdjointEigenSolver<Matrix> all;
    all.computeFromTridiagonal(T.diagonal, T.beside, Eigen::EigenvaluesOnly);
    const double largest = all.eigenvalues().cwiseAbs().maxCoeff();
    VectorXd values = all.eigenvalues().tail(count);
    const Matrix X = by_inverse_iteration(T, values, largest);
    // Among equal eigenvalues starts might fall together.
    if (spans_the_leading(T, X, values, largest)) return {reduced.matrixQ() * X, std::move(values)};
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> all(A);
  return {all.eigenvectors().rightCols(count), all.eigenvalues().tail(count)};
}

}  // namespace ppdnmf::nmf::internal
