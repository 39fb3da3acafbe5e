#include <ppdnmf/nmf/internal/row_sums.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include <ppdnmf/base/large_pages.h>
#include <ppdnmf/base/parts.h>

namespace ppdnmf::nmf::internal {
namespace {

constexpr Index kBandNumbers = Index{1} << 16;  // sums of a leaf: half of a second cache
constexpr Index kFewestRows = 64;

// Some bands, from top to bottom: where a column's entries go on is remembered.
class BandSums {
 public:
  BandSums(const RowSums& sums, Index rank, Index longest, BandRoom& room)
      : sums_(sums),
        rank_(rank),
        padded_(sums.groups * kLanes),
        size_(longest * padded_),
        space_(room.sums),
        next_(room.next) {
    of_branch_ = sums.leaves.size() / sums.bands.branches;
    levels_ = 1;
    while ((std::size_t{1} << (levels_ - 1)) < of_branch_) ++levels_;
    space_.resize(sums.bands.branches * levels_ * numbers(size_));
    next_.resize(numbers(sums.block.count));
  }

  void begin(std::size_t group) {
    const auto from = sums_.bands.next.begin() + static_cast<std::ptrdiff_t>(group * next_.size());
    std::copy_n(from, next_.size(), next_.begin());
  }

  void run(Index first, Index end, Matrix& S, Executor& executor) {
    first_ = first;
    end_ = end;
    const std::size_t branches = sums_.bands.branches;
    const auto work = [&](std::size_t i) { add_leaves(i * of_branch_, of_branch_, of_branch(i)); };
    if (branches == 1) {
      work(0);
      return take(first, end, S);
    }
    executor.for_each(branches, work);
    for_each_part(executor, numbers(end - first), kRowsAtATime, [&](std::size_t, std::size_t from, std::size_t count) {
      const auto row = static_cast<Index>(from);
      const auto rows = static_cast<Index>(count);
      for (std::size_t width = 1; width < branches; width *= 2) {
        for (std::size_t i = 0; i + width < branches; i += 2 * width)
          join(row, rows, of_branch(i + width), width * of_branch_ == 1, of_branch(i));
      }
      take(first + row, first + row + rows, S);
    });
  }

 private:
  static constexpr std::size_t kRowsAtATime = 256;

  [[nodiscard]] double* of_branch(std::size_t i) { return space_.data() + i * levels_ * numbers(size_); }

  // Some rows of the band. Sums of leaves are still in units of the data.
  void join(Index row, Index rows, const double* right, bool leaves, double* sums) const {
    sums_.lanes.join(rows * padded_, right + row * padded_, leaves ? sums_.unit : 1, sums + row * padded_);
  }

  // The tree of data::add_up, from left to right.
  void add_leaves(std::size_t first, std::size_t count, double* sums) {
    if (count == 1) return add_leaf(sums_.leaves[first], sums);
    double* const right = sums + size_;
    add_leaves(first, count / 2, sums);
    add_leaves(first + count / 2, count / 2, right);
    join(0, end_ - first_, right, count == 2, sums);
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
  void take(Index first, Index end, Matrix& S) const {
    constexpr Index kAtATime = 16;
    const double unit = sums_.leaves.size() == 1 ? sums_.unit : 1;
    for (Index row = first; row < end; row += kAtATime) {
      const Index rows = std::min(kAtATime, end - row);
      const double* const from = space_.data() + (row - first_) * padded_;
      for (Index k = 0; k < rank_; ++k) {
        for (Index i = 0; i < rows; ++i) S(row + i, k) = from[i * padded_ + k] * unit;
      }
    }
  }

  const RowSums& sums_;
  Index rank_, padded_, size_;
  std::size_t of_branch_ = 1, levels_ = 1;
  Index first_ = 0, end_ = 0;       // rows of the band at work
  LineVector& space_;               // sums of a band, for every branch one of every level of its tree
  std::vector<std::size_t>& next_;  // entry of every column
};

// Enough to keep so many threads busy; 1 if some have much more to do than others.
std::size_t branches_for(const data::Block& block, const std::vector<data::Range>& leaves, std::size_t threads) {
  constexpr std::size_t kPerThread = 2;
  constexpr double kUnequal = 1.25;
  std::size_t branches = 1;
  while (threads > 1 && branches < kPerThread * threads && branches < leaves.size()) branches *= 2;
  const std::size_t of_branch = leaves.size() / branches;
  std::size_t most = 0;
  for (std::size_t i = 0; i < branches; ++i) {
    const data::Range& last = leaves[(i + 1) * of_branch - 1];
    most = std::max(most,
                    block.entries_before(last.first + last.count) - block.entries_before(leaves[i * of_branch].first));
  }
  const auto equal = static_cast<double>(block.entries_before(block.count)) / static_cast<double>(branches);
  return branches >= threads && static_cast<double>(most) <= kUnequal * equal ? branches : 1;
}

// Where every column goes on at the first row of each group.
std::vector<std::size_t> entries_at(const data::Block& block, const Bands& bands) {
  std::vector<std::size_t> next;
  for (std::size_t group = 0; group + 1 < bands.groups.size(); ++group) {
    const Index row = bands.first[bands.groups[group]];
    for (Index m = 0; m < block.count; ++m) {
      const int* const end = block.row + block.entries_before(m + 1);
      const int* const at = std::lower_bound(block.row + block.entries_before(m), end, static_cast<int>(row));
      next.push_back(static_cast<std::size_t>(at - block.row));
    }
  }
  return next;
}

}  // namespace

Bands bands_of(const data::Block& block, const std::vector<data::Range>& leaves, Index rank, std::size_t threads) {
  constexpr std::size_t kPerThread = 2;  // the more groups, the more often all columns are gone through
  constexpr std::size_t kSmallPart = 16;
  const Index most = std::max(kFewestRows, kBandNumbers / round_up(std::max<Index>(rank, 1), kLanes));
  const std::size_t entries = block.entries_before(block.count);
  Bands bands{{0}, branches_for(block, leaves, threads), {0}, {}};
  const std::size_t groups = threads > 1 && bands.branches == 1 ? kPerThread * threads : 1;
  std::vector<std::size_t> of_row(numbers(block.rows));
  for (std::size_t i = 0; i < entries; ++i) ++of_row[static_cast<std::size_t>(block.row[i])];
  std::size_t before = 0;
  std::size_t in_band = 0;
  for (Index row = 0; row < block.rows; ++row) {
    const Index length = row - bands.first.back();
    const bool ends_group = length >= kFewestRows && before * groups >= bands.groups.size() * entries && groups > 1;
    // Rows with few entries do not push others out of the cache: more of them may go together.
    if (length >= 2 * most || (length >= most && in_band >= entries / kSmallPart) || ends_group) {
      bands.first.push_back(row);
      in_band = 0;
    }
    if (ends_group) bands.groups.push_back(bands.first.size() - 1);
    before += of_row[numbers(row)];
    in_band += of_row[numbers(row)];
  }
  bands.groups.push_back(bands.first.size());
  bands.first.push_back(block.rows);
  bands.next = entries_at(block, bands);
  return bands;
}

Matrix RowSums::run(Index rank, Executor& executor, Matrix used) const {
  Matrix S(std::move(used));
  if (S.size() != block.rows * rank) {
    S.resize(block.rows, rank);
    prefer_large_pages(S.data(), numbers(S.size()) * sizeof(double));
  }
  Index longest = 0;
  for (std::size_t i = 0; i + 1 < bands.first.size(); ++i)
    longest = std::max(longest, bands.first[i + 1] - bands.first[i]);
  std::vector<BandRoom>& rooms = *bands.rooms;
  std::mutex mutex;
  const auto work = [&](std::size_t group) {
    BandRoom room;
    {
      const std::lock_guard lock(mutex);
      if (!rooms.empty()) {
        room = std::move(rooms.back());
        rooms.pop_back();
      }
    }
    BandSums own(*this, rank, longest, room);
    own.begin(group);
    for (std::size_t i = bands.groups[group]; i < bands.groups[group + 1]; ++i)
      own.run(bands.first[i], bands.first[i + 1], S, executor);
    const std::lock_guard lock(mutex);
    rooms.push_back(std::move(room));
  };
  if (bands.groups.size() == 2) {
    work(0);
  } else {
    executor.for_each(bands.groups.size() - 1, work);
  }
  return S;
}

}  // namespace ppdnmf::nmf::internal
