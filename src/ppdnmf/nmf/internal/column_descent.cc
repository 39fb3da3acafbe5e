#include <ppdnmf/nmf/internal/column_descent.h>

#include <algorithm>
#include <cstring>

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

}  // namespace

ColumnStep::ColumnStep(const ColumnLanes& lanes_, const YStep& step, int sweeps_, double part_)
    : lanes(lanes_),
      X(step.X),
      sweeps(sweeps_),
      part(part_),
      extrapolation(step.extrapolation),
      moments(step.moments),
      groups(round_up(X.cols(), kLanes) / kLanes),
      weights(step.weights),
      added(step.added),
      shrink(step.shrink != nullptr ? Matrix(step.shrink->transpose() * *step.shrink) : Matrix()),
      quadratic(with_squares(gram_with(step), step.weights)) {}

Matrix ColumnStep::gram_with(const YStep& step) {
  const Matrix* given = step.gram;
  if (given == nullptr && step.prepared != nullptr) {
    grouped.emplace(step.prepared->grouped, X.rows(), X.cols());
    given = &step.prepared->gram;
  } else if (given == nullptr) {
    grouped.emplace(X, step.executor, step.room);
  }
  Matrix product = given != nullptr ? *given : gram(lanes, X, *grouped, step.executor);
  if (step.added != nullptr) product += *step.added;
  return product;
}

Matrix with_squares(Matrix T, const Weights& weights) {
  for (std::size_t k = 0; k < weights.square.size(); ++k)
    T(static_cast<Index>(k), static_cast<Index>(k)) += weights.square[k];
  return T;
}

ColumnDescent::ColumnDescent(const ColumnStep& step, const Leaf& leaf)
    : step_(step),
      leaf_(leaf),
      inverse_(1 / leaf.scale),
      rows_(step.X.rows()),
      rank_(step.X.cols()),
      panel_(panel_columns(rows_, leaf.range.count)),
      XtZ_(step.groups * kLanes, round_up(step.grouped ? panel_ : 0, kTileColumns)),
      s_(numbers(rank_ * kBlock)),
      x_(numbers(round_up(rank_, kPartialSums) * kBlock)),
      Y_grouped_(numbers(step.groups * panel_ * kLanes), 0.0),
      Y_rows_(panel_, rank_),
      T_(Matrix::Zero(step.groups * kLanes, round_up(rank_, kTileColumns))) {}

void ColumnDescent::run(Matrix& Y, const Matrix& before, Moments& out) {
  data::Scratch scratch;
  if (leaf_.leaves_S) {
    out.S.resize(0, 0);
  } else {
    out.S.resize(rows_, rank_);
  }
  const Index padded = step_.groups * kLanes;
  for (Index done = 0; done < leaf_.range.count; done += panel_) {
    const Index count = std::min(panel_, leaf_.range.count - done);
    const Index first = leaf_.range.first + done;
    const data::Block block = leaf_.columns.lend({first, count}, scratch);
    double* const y = Y.data() + first * rank_;
    double* const ys = leaf_.leaves_S && leaf_.ys != nullptr ? leaf_.ys + done * padded : nullptr;
    if (step_.grouped) multiply_block(step_.lanes, *step_.grouped, block, XtZ_);
    solve(block, step_.grouped ? XtZ_.data() : ys, y, leaf_.constants + done);
    if (!step_.moments) continue;
    extrapolate(count, y, before.data() + first * rank_, ys);
    add_moments(block, done + count == leaf_.range.count, out.S);
  }
  if (!S_grouped_.empty()) {
    take_grouped(out.S);
  } else if (!S_begun_ && !leaf_.leaves_S) {
    out.S.setZero();
  }
  out.T = T_.topLeftCorner(rank_, rank_);
  out.squared_error = squared_error_;
}

void multiply_block(const ColumnLanes& lanes, const GroupedColumns& X, const data::Block& block, Matrix& XtZ) {
  XtZ.setZero();
  if (!block.dense()) {
    for (Index m = 0; m < block.count; ++m) {
      const std::size_t from = block.entries_before(m);
      const auto entries = static_cast<long>(block.entries_before(m + 1) - from);
      lanes.gather(X.groups(), entries, block.row + from, 0, block.value + from, X.from_row(0), X.group_stride(),
                   XtZ.data() + m * XtZ.rows());
    }
    return;
  }
  for (Index row = 0; row < block.rows; row += kDepthBlock) {
    add_product(lanes, X.groups(), std::min(kDepthBlock, block.rows - row), X.from_row(row), X.group_stride(),
                block.values + row, block.rows, block.count, XtZ.data(), XtZ.rows());
  }
}

void ColumnDescent::solve(const data::Block& block, const double* XtZ, double* Y, const double* constants) {
  const Index padded = step_.groups * kLanes;
  const LaneProblem problem = step_.quadratic.problem();
  const bool weighed = step_.weights.any();
  for (Index first = 0; first < block.count; first += kBlock) {
    const Index columns = std::min<Index>(kBlock, block.count - first);
    if (columns < kBlock) {
      std::fill(s_.begin(), s_.end(), 0);
      std::fill(x_.begin(), x_.end(), 0);
    }
    for (Index i = 0; i < columns; ++i) {
      for (Index k = 0; k < rank_; ++k) {
        s_[numbers(k * kBlock + i)] =
            XtZ[(first + i) * padded + k] * inverse_ - (weighed ? step_.weights.linear[numbers(k)] : 0);
        x_[numbers(k * kBlock + i)] = Y[(first + i) * rank_ + k];
      }
    }
    step_.lanes.descend(problem, s_.data(), x_.data(), step_.sweeps, step_.part);
    double values[kBlock];
    step_.lanes.quadratic(problem, s_.data(), x_.data(), values);
    for (Index i = 0; i < columns; ++i) {
      double* const y = Y + (first + i) * rank_;
      for (Index k = 0; k < rank_; ++k) y[k] = x_[numbers(k * kBlock + i)];
      const double penalties = weighed ? twice_penalty(y) : 0;
      squared_error_ += column_error(block, first + i, constants[first + i], values[i] - penalties, y);
    }
  }
}

// What the quadratic problem has beside ||z - X y||².
double ColumnDescent::twice_penalty(const double* y) const {
  double sum = 0;
  for (Index k = 0; k < rank_; ++k)
    sum += y[k] * (2 * step_.weights.linear[numbers(k)] + step_.weights.square[numbers(k)] * y[k]);
  return sum;
}

// The cheap formula loses its digits where the fit is nearly exact. Each column decides for itself.
double ColumnDescent::column_error(const data::Block& block, Index column, double constant, double quadratic,
                                   const double* y) {
  constexpr double kDigitsLost = 1e-8;
  const double cheap = constant + quadratic;
  if (cheap > kDigitsLost * constant) return cheap;
  // Sparse data may have many columns without an entry, for which no walk over all rows is needed.
  if (constant == 0 && std::all_of(y, y + rank_, [](double value) { return value == 0; })) return 0;
  // In units of the data: to multiply y by a power of two gives the same bits as to divide the column by it.
  y_.resize(numbers(rank_));
  for (Index k = 0; k < rank_; ++k) y_[numbers(k)] = y[k] * leaf_.scale;
  const double* const z = data::dense_column(block, column, space_);
  const double residual = step_.lanes.residual(rows_, rank_, step_.X.data(), y_.data(), z) * inverse_ * inverse_;
  if (step_.added == nullptr) return residual;
  double more = 0;
  for (Index k = 0; k < rank_; ++k) {
    for (Index j = 0; j < rank_; ++j) more += (*step_.added)(j, k) * y[j] * y[k];
  }
  return residual + more;
}

void ColumnDescent::extrapolate(Index count, const double* Y, const double* before, double* ys) {
  const Index padded = step_.groups * kLanes;
  for (Index m = 0; m < count; ++m) {
    for (Index k = 0; k < rank_; ++k) {
      const double y = Y[m * rank_ + k];
      const double further = std::max(y + step_.extrapolation * (y - before[m * rank_ + k]), 0.0);
      Y_rows_(m, k) = further;
      Y_grouped_[numbers(k / kLanes * panel_ * kLanes + m * kLanes + k % kLanes)] = further;
      if (ys != nullptr) ys[m * padded + k] = further;
    }
  }
}

void ColumnDescent::add_moments(const data::Block& block, bool last, Matrix& S) {
  const Index groups = step_.groups;
  add_product(step_.lanes, groups, block.count, Y_grouped_.data(), panel_ * kLanes, Y_rows_.data(), panel_, rank_,
              T_.data(), T_.rows());
  if (leaf_.leaves_S) return;
  if (block.dense()) return add_dense(block, last, S);
  if (S_grouped_.empty()) S_grouped_.assign(numbers(groups * rows_ * kLanes), 0.0);
  for (Index m = 0; m < block.count; ++m) {
    const std::size_t from = block.entries_before(m);
    const auto entries = static_cast<long>(block.entries_before(m + 1) - from);
    step_.lanes.scatter(groups, entries, block.row + from, block.value + from, Y_grouped_.data() + m * kLanes,
                        panel_ * kLanes, S_grouped_.data(), rows_ * kLanes);
  }
}

// A few rows at a time: they stay in the first cache, and S needs no padding.
void ColumnDescent::add_dense(const data::Block& block, bool last, Matrix& S) {
  const double unit = last ? inverse_ : 1;
  Z_grouped_.resize(numbers(kRowBlock * panel_));
  S_rows_.resize(kRowBlock, round_up(rank_, kTileColumns));
  for (Index row = 0; row < rows_; row += kRowBlock) {
    const Index rows = std::min(kRowBlock, rows_ - row);
    const Index rows_in_groups = gather_rows(block, row);
    S_rows_.setZero();
    if (S_begun_) S_rows_.topLeftCorner(rows, rank_) = S.middleRows(row, rows);
    add_product(step_.lanes, rows_in_groups, block.count, Z_grouped_.data(), panel_ * kLanes, Y_rows_.data(), panel_,
                rank_, S_rows_.data(), S_rows_.rows());
    S.middleRows(row, rows) = S_rows_.topLeftCorner(rows, rank_) * unit;
  }
  S_begun_ = true;
}

// Some rows of a panel, grouped, once for all components: in Z they lie far apart.
Index ColumnDescent::gather_rows(const data::Block& block, Index row) {
  const Index rows = std::min(kRowBlock, rows_ - row);
  const Index whole = rows / kLanes;
  const Index rest = rows % kLanes;
  for (Index m = 0; m < block.count; ++m) {
    const double* column = block.values + m * rows_ + row;
    double* to = Z_grouped_.data() + m * kLanes;
    // The next rows of this column lie where no processor expects them.
    for (Index l = kRowBlock; l < 2 * kRowBlock; l += kLanes) __builtin_prefetch(column + l);
    for (Index g = 0; g < whole; ++g)
      std::memcpy(to + g * panel_ * kLanes, column + g * kLanes, kLanes * sizeof(double));
    if (rest == 0) continue;
    std::copy_n(column + whole * kLanes, rest, to + whole * panel_ * kLanes);
    std::fill_n(to + whole * panel_ * kLanes + rest, kLanes - rest, 0);
  }
  return whole + (rest > 0 ? 1 : 0);
}

void ColumnDescent::take_grouped(Matrix& S) const {
  for (Index k = 0; k < rank_; ++k) {
    const double* const lane = S_grouped_.data() + k / kLanes * rows_ * kLanes + k % kLanes;
    for (Index l = 0; l < rows_; ++l) S(l, k) = lane[l * kLanes] * inverse_;
  }
}

}  // namespace ppdnmf::nmf::internal
