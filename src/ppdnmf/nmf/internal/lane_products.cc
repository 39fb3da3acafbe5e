#include <ppdnmf/nmf/internal/lane_products.h>

#include <algorithm>
#include <cstring>

#include <ppdnmf/base/parts.h>
#include <ppdnmf/nmf/far_executor.h>
#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/nmf/prepared_x.h>

namespace ppdnmf::nmf::internal {

void group_rows(const Matrix& X, Index row, Index count, Index groups, Index group_stride, double* to) {
  for (Index k = 0; k < groups * kLanes; ++k) {
    double* const lane = to + k / kLanes * group_stride + k % kLanes;
    for (Index l = 0; l < count; ++l) lane[l * kLanes] = k < X.cols() ? X(row + l, k) : 0;
  }
}

// Some rows at a time: the lanes of a group have their lines of the cache in common.
void group_all_rows(const Matrix& X, double* to, Executor& executor) {
  constexpr std::size_t kAtATime = 512;
  const Index groups = round_up(X.cols(), kLanes) / kLanes;
  for_each_part(executor, numbers(X.rows()), kAtATime, [&](std::size_t, std::size_t first, std::size_t count) {
    const auto row = static_cast<Index>(first);
    group_rows(X, row, static_cast<Index>(count), groups, X.rows() * kLanes, to + row * kLanes);
  });
}

GroupedColumns::GroupedColumns(const Matrix& X, Executor& executor, LineVector* room)
    : rows_(X.rows()), groups_(round_up(X.cols(), kLanes) / kLanes), room_(room) {
  LineVector& values = room_ != nullptr ? *room_ : own_;
  values.resize(numbers(groups_ * rows_ * kLanes));
  group_all_rows(X, values.data(), executor);
}

GroupedColumns::GroupedColumns(const double* grouped, Index rows, Index rank)
    : rows_(rows), groups_(round_up(rank, kLanes) / kLanes), room_(nullptr), given_(grouped) {}

void add_product(const ColumnLanes& lanes, Index groups, Index depth, const double* A, Index group_stride,
                 const double* b, Index b_stride, Index count, double* C, Index column_stride) {
  for (Index j = 0; j < count; j += kTileColumns) {
    const double* columns[kTileColumns];
    for (Index q = 0; q < kTileColumns; ++q) columns[q] = b + std::min(j + q, count - 1) * b_stride;
    for (Index g = 0; g < groups; g += kTileGroups) {
      lanes.tile(std::min<Index>(kTileGroups, groups - g), depth, A + g * group_stride, group_stride, columns,
                 C + j * column_stride + g * kLanes, column_stride);
    }
  }
}

Matrix gram(const ColumnLanes& lanes, const Matrix& X, const GroupedColumns& grouped, Executor& executor) {
  Matrix padded = Matrix::Zero(grouped.groups() * kLanes, round_up(X.cols(), kTileColumns));
  for_each_part(executor, numbers(X.cols()), kTileColumns, [&](std::size_t, std::size_t first, std::size_t count) {
    const auto k = static_cast<Index>(first);
    add_product(lanes, grouped.groups(), X.rows(), grouped.from_row(0), grouped.group_stride(), X.data() + k * X.rows(),
                X.rows(), static_cast<Index>(count), padded.data() + k * padded.rows(), padded.rows());
  });
  return padded.topLeftCorner(X.cols(), X.cols());
}

LaneQuadratic::LaneQuadratic(const Matrix& T, Index held)
    : size_(T.rows()),
      padded_(round_up(size_, kPartialSums)),
      T_(static_cast<std::size_t>(size_ * padded_)),
      inverse_(static_cast<std::size_t>(size_)) {
  constexpr double kNothing = 1e-14;
  const double least = kNothing * T.diagonal().maxCoeff();
  for (long k = 0; k < size_; ++k) {
    for (long j = 0; j < size_; ++j) T_[static_cast<std::size_t>(k * padded_ + j)] = T(j, k);
    inverse_[static_cast<std::size_t>(k)] = k >= held && T(k, k) > least ? 1 / T(k, k) : 0;
  }
}

namespace {

// A copy of a length that the compiler knows takes a few instructions instead of a call.
void copy_block(const double* from, Index count, double* to) {
  if (count == kBlock) {
    std::memcpy(to, from, kBlock * sizeof(double));
  } else {
    std::copy_n(from, count, to);
  }
}

// Rows first to end - 1.
void descend_some_rows(const ColumnLanes& lanes, const LaneProblem& problem, const Matrix& S, int sweeps, double part,
                       Index begin, Index end, Matrix& X) {
  std::vector<double> s(static_cast<std::size_t>(problem.size * kBlock));
  std::vector<double> x(static_cast<std::size_t>(problem.padded * kBlock));
  for (Index first = begin; first < end; first += kBlock) {
    const Index count = std::min<Index>(kBlock, end - first);
    if (count < kBlock) {
      std::fill(s.begin(), s.end(), 0);
      std::fill(x.begin(), x.end(), 0);
    }
    for (Index k = 0; k < X.cols(); ++k) {
      copy_block(&S(first, k), count, s.data() + k * kBlock);
      copy_block(&X(first, k), count, x.data() + k * kBlock);
    }
    lanes.descend(problem, s.data(), x.data(), sweeps, part);
    for (Index k = 0; k < X.cols(); ++k) copy_block(x.data() + k * kBlock, count, &X(first, k));
  }
}

}  // namespace

void descend_rows(const ColumnLanes& lanes, const Matrix& T, const Matrix& S, int sweeps, double part, Matrix& X,
                  Executor& executor, Index held) {
  if (auto* const far = dynamic_cast<FarExecutor*>(&executor)) {
    if (far->descend_rows({T, S, sweeps, part, held}, X)) return;
  }
  constexpr Index kRowsAtATime = 64 * kBlock;  // worth handing to a thread
  static_assert(kRowsTogether % kRowsAtATime == 0);
  const LaneQuadratic quadratic(T, held);
  const LaneProblem problem = quadratic.problem();
  const auto work = [&](std::size_t i) {
    const Index first = static_cast<Index>(i) * kRowsAtATime;
    descend_some_rows(lanes, problem, S, sweeps, part, first, std::min(X.rows(), first + kRowsAtATime), X);
  };
  const auto pieces = static_cast<std::size_t>((X.rows() + kRowsAtATime - 1) / kRowsAtATime);
  if (pieces == 1) return work(0);
  executor.for_each(pieces, work);
}

}  // namespace ppdnmf::nmf::internal

namespace ppdnmf::nmf {

std::size_t numbers_of_prepared(Index rows, Index rank) {
  return internal::numbers(rows * internal::round_up(rank, internal::kLanes));
}

Matrix prepare_X(const Matrix& X, double* grouped, Executor& executor) {
  internal::group_all_rows(X, grouped, executor);
  return internal::gram(automatic_lanes(), X, internal::GroupedColumns(grouped, X.rows(), X.cols()), executor);
}

void descend_rows_here(const RowProblem& problem, Matrix& X, Executor& executor) {
  internal::descend_rows(automatic_lanes(), problem.T, problem.S, problem.sweeps, problem.part, X, executor,
                         problem.held);
}

}  // namespace ppdnmf::nmf
