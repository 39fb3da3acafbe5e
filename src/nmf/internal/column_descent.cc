#include "nmf/internal/column_descent.h"

#include <algorithm>

namespace ppdnmf::internal {
namespace {

constexpr Index kDepthBlock = 256;  // rows of X^T Z at a time: six columns of them stay in the first cache
constexpr Index kRowBlock = kTileGroups * kLanes;  // rows of Z Y^T at a time
// A panel has so many columns that its numbers stay in the last cache between X^T Z and Z Y^T, but not so few that S is
// walked over too often.
constexpr Index kPanelUnit = 24;
constexpr Index kPanelNumbers = Index{1} << 18;
constexpr Index kSmallestPanel = 48;
constexpr Index kLargestPanel = 240;

Index panel_columns(Index rows) {
  return std::clamp(kPanelNumbers / rows / kPanelUnit * kPanelUnit, kSmallestPanel, kLargestPanel);
}

std::size_t numbers(Index count) { return static_cast<std::size_t>(count); }

}  // namespace

ColumnDescent::ColumnDescent(const LaneFunctions& lanes, const Matrix& Z, const Eigen::VectorXd& squared_norms,
                             const ColumnStep& step)
    : lanes_(lanes),
      Z_(Z),
      squared_norms_(squared_norms),
      step_(step),
      panel_(panel_columns(Z.rows())),
      X_(step.X),
      quadratic_(gram(lanes, step.X, X_)),
      XtZ_(X_.groups() * kLanes, round_up(panel_, kTileColumns)),
      s_(numbers(step.X.cols() * kBlock)),
      x_(numbers(round_up(step.X.cols(), kPartialSums) * kBlock)),
      Y_grouped_(numbers(X_.groups() * panel_ * kLanes)),
      Y_rows_(panel_, step.X.cols()),
      Z_grouped_(numbers(kRowBlock * panel_)),
      S_(Matrix::Zero(round_up(Z.rows(), kLanes), round_up(step.X.cols(), kTileColumns))),
      T_(Matrix::Zero(X_.groups() * kLanes, round_up(step.X.cols(), kTileColumns))) {}

Moments ColumnDescent::run(Matrix& start, const Matrix& before) {
  for (Index first = 0; first < Z_.cols(); first += panel_) {
    const Index count = std::min(panel_, Z_.cols() - first);
    multiply(first, count);
    solve(first, count, start);
    if (!step_.moments) continue;
    extrapolate(first, count, start, before);
    add_moments(first, count);
  }
  const Index K = step_.X.cols();
  return {S_.topLeftCorner(Z_.rows(), K), T_.topLeftCorner(K, K), squared_error_};
}

void ColumnDescent::multiply(Index first, Index count) {
  XtZ_.setZero();
  for (Index row = 0; row < Z_.rows(); row += kDepthBlock) {
    add_product(lanes_, X_.groups(), std::min(kDepthBlock, Z_.rows() - row), X_.from_row(row), X_.group_stride(),
                &Z_(row, first), Z_.rows(), count, XtZ_.data(), XtZ_.rows());
  }
}

void ColumnDescent::solve(Index first, Index count, Matrix& Y) {
  const Index K = Y.rows();
  const LaneProblem problem = quadratic_.problem();
  for (Index block = 0; block < count; block += kBlock) {
    const Index columns = std::min<Index>(kBlock, count - block);
    if (columns < kBlock) {
      std::fill(s_.begin(), s_.end(), 0);
      std::fill(x_.begin(), x_.end(), 0);
    }
    for (Index i = 0; i < columns; ++i) {
      for (Index k = 0; k < K; ++k) {
        s_[numbers(k * kBlock + i)] = XtZ_(k, block + i);
        x_[numbers(k * kBlock + i)] = Y(k, first + block + i);
      }
    }
    lanes_.descend(problem, s_.data(), x_.data(), step_.sweeps, step_.part);
    double values[kBlock];
    lanes_.quadratic(problem, s_.data(), x_.data(), values);
    for (Index i = 0; i < columns; ++i) {
      for (Index k = 0; k < K; ++k) Y(k, first + block + i) = x_[numbers(k * kBlock + i)];
      squared_error_ += column_error(first + block + i, values[i], Y);
    }
  }
}

// The cheap formula loses its digits where the fit is nearly exact. Each column decides for itself.
double ColumnDescent::column_error(Index column, double quadratic, const Matrix& Y) const {
  constexpr double kDigitsLost = 1e-8;
  const double cheap = squared_norms_[column] + quadratic;
  if (cheap > kDigitsLost * squared_norms_[column]) return cheap;
  return lanes_.residual(Z_.rows(), Y.rows(), step_.X.data(), &Y(0, column), &Z_(0, column));
}

void ColumnDescent::extrapolate(Index first, Index count, const Matrix& Y, const Matrix& before) {
  for (Index m = 0; m < count; ++m) {
    for (Index k = 0; k < Y.rows(); ++k) {
      const double y = Y(k, first + m);
      const double further = std::max(y + step_.extrapolation * (y - before(k, first + m)), 0.0);
      Y_rows_(m, k) = further;
      Y_grouped_[numbers(k / kLanes * panel_ * kLanes + m * kLanes + k % kLanes)] = further;
    }
  }
}

void ColumnDescent::add_moments(Index first, Index count) {
  const Index K = step_.X.cols();
  add_product(lanes_, X_.groups(), count, Y_grouped_.data(), panel_ * kLanes, Y_rows_.data(), panel_, K, T_.data(),
              T_.rows());
  for (Index row = 0; row < Z_.rows(); row += kRowBlock) {
    const Index groups = gather_rows(row, first, count);
    add_product(lanes_, groups, count, Z_grouped_.data(), panel_ * kLanes, Y_rows_.data(), panel_, K, &S_(row, 0),
                S_.rows());
  }
}

// Some rows of a panel, grouped, once for all components: in Z they lie far apart.
Index ColumnDescent::gather_rows(Index row, Index first, Index count) {
  const Index rows = std::min(kRowBlock, Z_.rows() - row);
  const Index whole = rows / kLanes;
  const Index rest = rows % kLanes;
  for (Index m = 0; m < count; ++m) {
    const double* column = &Z_(row, first + m);
    double* to = Z_grouped_.data() + m * kLanes;
    for (Index g = 0; g < whole; ++g) std::copy_n(column + g * kLanes, kLanes, to + g * panel_ * kLanes);
    if (rest == 0) continue;
    std::copy_n(column + whole * kLanes, rest, to + whole * panel_ * kLanes);
    std::fill_n(to + whole * panel_ * kLanes + rest, kLanes - rest, 0);
  }
  return whole + (rest > 0 ? 1 : 0);
}

}  // namespace ppdnmf::internal
