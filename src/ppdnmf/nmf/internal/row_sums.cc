#include <ppdnmf/nmf/internal/row_sums.h>

#include <algorithm>
#include <cstring>

namespace ppdnmf::nmf::internal {
namespace {

constexpr Index kBandNumbers = Index{1} << 16;  // sums of a leaf: half of a second cache
constexpr Index kFewestRows = 64;

// One band after the other, from top to bottom: where a column's entries go on is remembered.
class BandSums {
 public:
  BandSums(const RowSums& sums, Index rank, Index first_row, Index longest)
      : sums_(sums), rank_(rank), padded_(sums.groups * kLanes), size_(longest * padded_) {
    std::size_t levels = 1;
    while ((std::size_t{1} << (levels - 1)) < sums.leaves.size()) ++levels;
    space_.resize(levels * numbers(size_));
    next_.reserve(numbers(sums.block.count));
    for (Index m = 0; m < sums.block.count; ++m) {
      const int* const begin = sums.block.row + sums.block.entries_before(m);
      const int* const end = sums.block.row + sums.block.entries_before(m + 1);
      next_.push_back(static_cast<std::size_t>(
          (first_row == 0 ? begin : std::lower_bound(begin, end, static_cast<int>(first_row))) - sums.block.row));
    }
  }

  void run(Index first, Index end, Matrix& S) {
    first_ = first;
    end_ = end;
    add_leaves(0, sums_.leaves.size(), space_.data());
    take(sums_.leaves.size() == 1 ? sums_.unit : 1, S);
  }

 private:
  // The tree of data::add_up, from left to right.
  void add_leaves(std::size_t first, std::size_t count, double* sums) {
    if (count == 1) return add_leaf(sums_.leaves[first], sums);
    double* const right = sums + size_;
    add_leaves(first, count / 2, sums);
    add_leaves(first + count / 2, count / 2, right);
    sums_.lanes.join((end_ - first_) * padded_, right, count == 2 ? sums_.unit : 1, sums);
  }

  void add_leaf(const data::Range& leaf, double* sums) {
    const data::Block& block = sums_.block;
    std::memset(sums, 0, numbers((end_ - first_) * padded_) * sizeof(double));
    for (Index m = leaf.first; m < leaf.first + leaf.count; ++m) {
      const std::size_t from = next_[numbers(m)];
      const std::size_t last = block.entries_before(m + 1);
      std::size_t to = from;
      while (to < last && block.row[to] < end_) ++to;
      if (to == from) continue;
      sums_.lanes.spread(sums_.groups, static_cast<long>(to - from), block.row + from, first_, block.value + from,
                         sums_.Y + m * padded_, sums);
      next_[numbers(m)] = to;
    }
  }

  // A few rows at a time: S has them far apart.
  void take(double unit, Matrix& S) const {
    constexpr Index kAtATime = 16;
    for (Index row = first_; row < end_; row += kAtATime) {
      const Index rows = std::min(kAtATime, end_ - row);
      const double* const from = space_.data() + (row - first_) * padded_;
      for (Index k = 0; k < rank_; ++k) {
        for (Index i = 0; i < rows; ++i) S(row + i, k) = from[i * padded_ + k] * unit;
      }
    }
  }

  const RowSums& sums_;
  Index rank_, padded_, size_;
  Index first_ = 0, end_ = 0;      // rows of the band at work
  LineVector space_;               // sums of a band, one of every level of the tree
  std::vector<std::size_t> next_;  // entry of every column
};

}  // namespace

std::vector<Index> bands_of(const data::Block& block, Index rank, std::size_t threads) {
  constexpr std::size_t kPerThread = 4;
  const Index most = std::max(kFewestRows, kBandNumbers / round_up(std::max<Index>(rank, 1), kLanes));
  std::vector<std::size_t> of_row(threads > 1 ? numbers(block.rows) : 0);
  const std::size_t entries = block.entries_before(block.count);
  for (std::size_t i = 0; i < entries && threads > 1; ++i) ++of_row[static_cast<std::size_t>(block.row[i])];
  const std::size_t share = threads > 1 ? entries / (kPerThread * threads) + 1 : entries + 1;
  std::vector<Index> bands{0};
  std::size_t in_band = 0;
  for (Index row = 0; row < block.rows; ++row) {
    const Index length = row - bands.back();
    if (length >= most || (length >= kFewestRows && in_band >= share)) {
      bands.push_back(row);
      in_band = 0;
    }
    if (threads > 1) in_band += of_row[numbers(row)];
  }
  bands.push_back(block.rows);
  return bands;
}

Matrix RowSums::run(Index rank, Executor& executor) const {
  Matrix S(block.rows, rank);
  const std::size_t count = bands.size() - 1;
  const auto longest = [&](std::size_t from, std::size_t to) {
    Index rows = 0;
    for (std::size_t i = from; i < to; ++i) rows = std::max(rows, bands[i + 1] - bands[i]);
    return rows;
  };
  const auto work = [&](std::size_t from, std::size_t to) {
    BandSums band(*this, rank, bands[from], longest(from, to));
    for (std::size_t i = from; i < to; ++i) band.run(bands[i], bands[i + 1], S);
  };
  if (executor.threads() == 1 || count == 1) {
    work(0, count);
  } else {
    executor.for_each(count, [&](std::size_t i) { work(i, i + 1); });
  }
  return S;
}

}  // namespace ppdnmf::nmf::internal
