#include <ppdnmf/nmf/internal/column_descent.h>

#include <algorithm>
#include <utility>

namespace ppdnmf::nmf::internal {
namespace {

constexpr Index kDepthBlock = 256;  // rows of X^T Z at a time: six columns of them stay in the first cache
constexpr Index kRowBlock = kTileGroups * kLanes;  // rows of Z Y^T at a time
// A panel has so many columns that its numbers stay in the last cache between X^T Z and Z Y^T, but not so few that S is
// walked over too often.
constexpr Index kPanelUnit = 24;
constexpr Index kPanelNumbers = Index{1} << 18;
constexpr Index kSmallestPanel = 48;
constexpr Index kLargestPanel = 240;

// A leaf that is little longer than a panel is one.
Index panel_columns(Index rows, Index count) {
  const Index panel = std::clamp(kPanelNumbers / rows / kPanelUnit * kPanelUnit, kSmallestPanel, kLargestPanel);
  return std::max<Index>(1, count <= panel + panel / 2 ? count : panel);
}

std::size_t numbers(Index count) { return static_cast<std::size_t>(count); }

}  // namespace

ColumnStep::ColumnStep(const ColumnLanes& lanes_, const Matrix& X_, int sweeps_, double part_, double extrapolation_,
                       bool moments_)
    : lanes(lanes_),
      X(X_),
      sweeps(sweeps_),
      part(part_),
      extrapolation(extrapolation_),
      moments(moments_),
      grouped(X_),
      quadratic(gram(lanes_, X_, grouped)) {}

ColumnDescent::ColumnDescent(const ColumnStep& step, const Leaf& leaf)
    : step_(step),
      leaf_(leaf),
      inverse_(1 / leaf.scale),
      rows_(step.X.rows()),
      rank_(step.X.cols()),
      panel_(panel_columns(rows_, leaf.range.count)),
      XtZ_(step.grouped.groups() * kLanes, round_up(panel_, kTileColumns)),
      s_(numbers(rank_ * kBlock)),
      x_(numbers(round_up(rank_, kPartialSums) * kBlock)),
      Y_grouped_(numbers(step.grouped.groups() * panel_ * kLanes)),
      Y_rows_(panel_, rank_),
      T_(Matrix::Zero(step.grouped.groups() * kLanes, round_up(rank_, kTileColumns))) {}

Moments ColumnDescent::run(Matrix& Y, const Matrix& before) {
  data::Scratch scratch;
  for (Index done = 0; done < leaf_.range.count; done += panel_) {
    const Index count = std::min(panel_, leaf_.range.count - done);
    const Index first = leaf_.range.first + done;
    const data::Block block = leaf_.columns.lend({first, count}, scratch);
    double* const y = Y.data() + first * rank_;
    multiply(block);
    solve(block, y, leaf_.constants + done);
    if (!step_.moments) continue;
    extrapolate(count, y, before.data() + first * rank_);
    add_moments(block);
  }
  return {take_S(), T_.topLeftCorner(rank_, rank_), squared_error_};
}

void ColumnDescent::multiply(const data::Block& block) {
  XtZ_.setZero();
  const GroupedColumns& X = step_.grouped;
  if (!block.dense()) {
    for (Index m = 0; m < block.count; ++m) {
      const std::size_t from = block.entries_before(m);
      const auto entries = static_cast<long>(block.entries_before(m + 1) - from);
      step_.lanes.gather(X.groups(), entries, block.row + from, block.value + from, X.from_row(0), X.group_stride(),
                         XtZ_.data() + m * XtZ_.rows());
    }
    return;
  }
  for (Index row = 0; row < rows_; row += kDepthBlock) {
    add_product(step_.lanes, X.groups(), std::min(kDepthBlock, rows_ - row), X.from_row(row), X.group_stride(),
                block.values + row, rows_, block.count, XtZ_.data(), XtZ_.rows());
  }
}

void ColumnDescent::solve(const data::Block& block, double* Y, const double* constants) {
  const LaneProblem problem = step_.quadratic.problem();
  for (Index first = 0; first < block.count; first += kBlock) {
    const Index columns = std::min<Index>(kBlock, block.count - first);
    if (columns < kBlock) {
      std::fill(s_.begin(), s_.end(), 0);
      std::fill(x_.begin(), x_.end(), 0);
    }
    for (Index i = 0; i < columns; ++i) {
      for (Index k = 0; k < rank_; ++k) {
        s_[numbers(k * kBlock + i)] = XtZ_(k, first + i) * inverse_;
        x_[numbers(k * kBlock + i)] = Y[(first + i) * rank_ + k];
      }
    }
    step_.lanes.descend(problem, s_.data(), x_.data(), step_.sweeps, step_.part);
    double values[kBlock];
    step_.lanes.quadratic(problem, s_.data(), x_.data(), values);
    for (Index i = 0; i < columns; ++i) {
      double* const y = Y + (first + i) * rank_;
      for (Index k = 0; k < rank_; ++k) y[k] = x_[numbers(k * kBlock + i)];
      squared_error_ += column_error(block, first + i, constants[first + i], values[i], y);
    }
  }
}

// The cheap formula loses its digits where the fit is nearly exact. Each column decides for itself.
double ColumnDescent::column_error(const data::Block& block, Index column, double constant, double quadratic,
                                   const double* y) {
  constexpr double kDigitsLost = 1e-8;
  const double cheap = constant + quadratic;
  if (cheap > kDigitsLost * constant) return cheap;
  const double* const z = data::dense_column(block, column, space_);
  column_.resize(numbers(rows_));
  for (Index l = 0; l < rows_; ++l) column_[numbers(l)] = z[l] * inverse_;
  return step_.lanes.residual(rows_, rank_, step_.X.data(), y, column_.data());
}

void ColumnDescent::extrapolate(Index count, const double* Y, const double* before) {
  for (Index m = 0; m < count; ++m) {
    for (Index k = 0; k < rank_; ++k) {
      const double y = Y[m * rank_ + k];
      const double further = std::max(y + step_.extrapolation * (y - before[m * rank_ + k]), 0.0);
      Y_rows_(m, k) = further;
      Y_grouped_[numbers(k / kLanes * panel_ * kLanes + m * kLanes + k % kLanes)] = further;
    }
  }
}

void ColumnDescent::add_moments(const data::Block& block) {
  const Index groups = step_.grouped.groups();
  add_product(step_.lanes, groups, block.count, Y_grouped_.data(), panel_ * kLanes, Y_rows_.data(), panel_, rank_,
              T_.data(), T_.rows());
  if (!block.dense()) {
    S_grouped_.resize(numbers(groups * rows_ * kLanes));
    for (Index m = 0; m < block.count; ++m) {
      const std::size_t from = block.entries_before(m);
      const auto entries = static_cast<long>(block.entries_before(m + 1) - from);
      step_.lanes.scatter(groups, entries, block.row + from, block.value + from, Y_grouped_.data() + m * kLanes,
                          panel_ * kLanes, S_grouped_.data(), step_.grouped.group_stride());
    }
    return;
  }
  if (S_.size() == 0) {
    Z_grouped_.resize(numbers(kRowBlock * panel_));
    S_ = Matrix::Zero(round_up(rows_, kLanes), round_up(rank_, kTileColumns));
  }
  for (Index row = 0; row < rows_; row += kRowBlock) {
    const Index rows_in_groups = gather_rows(block, row);
    add_product(step_.lanes, rows_in_groups, block.count, Z_grouped_.data(), panel_ * kLanes, Y_rows_.data(), panel_,
                rank_, &S_(row, 0), S_.rows());
  }
}

// Some rows of a panel, grouped, once for all components: in Z they lie far apart.
Index ColumnDescent::gather_rows(const data::Block& block, Index row) {
  const Index rows = std::min(kRowBlock, rows_ - row);
  const Index whole = rows / kLanes;
  const Index rest = rows % kLanes;
  for (Index m = 0; m < block.count; ++m) {
    const double* column = block.values + m * rows_ + row;
    double* to = Z_grouped_.data() + m * kLanes;
    for (Index g = 0; g < whole; ++g) std::copy_n(column + g * kLanes, kLanes, to + g * panel_ * kLanes);
    if (rest == 0) continue;
    std::copy_n(column + whole * kLanes, rest, to + whole * panel_ * kLanes);
    std::fill_n(to + whole * panel_ * kLanes + rest, kLanes - rest, 0);
  }
  return whole + (rest > 0 ? 1 : 0);
}

Matrix ColumnDescent::take_S() {
  if (S_grouped_.empty()) {
    if (S_.size() == 0) return Matrix::Zero(rows_, rank_);
    if (S_.rows() != rows_) return S_.topLeftCorner(rows_, rank_) * inverse_;
    S_.conservativeResize(Eigen::NoChange, rank_);  // cuts off the padding where it is
    if (inverse_ != 1) S_ *= inverse_;
    return std::move(S_);
  }
  Matrix S(rows_, rank_);
  for (Index k = 0; k < rank_; ++k) {
    const double* const lane = S_grouped_.data() + k / kLanes * step_.grouped.group_stride() + k % kLanes;
    for (Index l = 0; l < rows_; ++l) S(l, k) = lane[l * kLanes] * inverse_;
  }
  return S;
}

}  // namespace ppdnmf::nmf::internal
