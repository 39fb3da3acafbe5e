#include <ppdnmf/nmf/internal/row_products.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace ppdnmf::nmf::internal {
namespace {

constexpr Index kGroupedNumbers = Index{1} << 17;  // a second cache holds as many
constexpr Index kLongNumbers = Index{1} << 19;
constexpr Index kFewestGrouped = 64;
constexpr Index kRowsAtATime = 512;       // to group
constexpr std::size_t kColumnParts = 16;  // of about as many entries

Index band_rows(Index rank) { return std::max(kFewestGrouped, kGroupedNumbers / round_up(rank, kLanes)); }

// Where parts of the columns begin, and the end.
std::vector<Index> parts_of(const data::Block& block) {
  std::vector<Index> parts{0};
  const std::size_t entries = block.entries_before(block.count);
  for (std::size_t i = 1; i < kColumnParts; ++i) {
    Index m = parts.back();
    while (m < block.count && block.entries_before(m) * kColumnParts < i * entries) ++m;
    parts.push_back(m);
  }
  parts.push_back(block.count);
  return parts;
}

// Bands are multiplied with while the next one is grouped.
class Products {
 public:
  Products(const RowProducts& of, double* products)
      : of_(of),
        products_(products),
        groups_(round_up(of.X.cols(), kLanes) / kLanes),
        padded_(groups_ * kLanes),
        longest_(std::min(of.X.rows(), band_rows(of.X.cols()))),
        space_(of.room.sums),
        next_(of.room.next),
        gram_(Matrix::Zero(padded_, round_up(of.X.cols(), kTileColumns))),
        parts_(parts_of(of.block)) {
    space_.resize(std::max(space_.size(), numbers(2 * longest_ * padded_)));
    next_.resize(numbers(of.block.count));
    for (Index m = 0; m < of.block.count; ++m) next_[numbers(m)] = of.block.entries_before(m);
  }

  Matrix run(Executor& executor) {
    const Index rows = of_.X.rows();
    const std::size_t pieces = numbers((longest_ + kRowsAtATime - 1) / kRowsAtATime);
    const std::size_t tiles = numbers(gram_.cols() / kTileColumns);
    executor.for_each(pieces, [&](std::size_t i) { group(0, i); });
    for (Index first = 0; first < rows; first += longest_) {
      executor.for_each(kColumnParts + tiles + pieces, [&](std::size_t i) {
        if (i < kColumnParts) return multiply(first, i);
        if (i < kColumnParts + tiles) return square(first, i - kColumnParts);
        group(first + longest_, i - kColumnParts - tiles);
      });
    }
    return gram_.topLeftCorner(of_.X.cols(), of_.X.cols());
  }

 private:
  [[nodiscard]] Index end_of(Index first) const { return std::min(first + longest_, of_.X.rows()); }
  [[nodiscard]] double* band(Index first) const { return space_.data() + first / longest_ % 2 * longest_ * padded_; }

  // Some rows of the band that begins with row `first`, if there is one.
  void group(Index first, std::size_t piece) const {
    const Index from = static_cast<Index>(piece) * kRowsAtATime;
    const Index count = std::min(kRowsAtATime, end_of(first) - first - from);
    if (count > 0) group_rows(of_.X, first + from, count, groups_, longest_ * kLanes, band(first) + from * kLanes);
  }

  void multiply(Index first, std::size_t part) {
    const data::Block& block = of_.block;
    const Index end = end_of(first);
    for (Index m = parts_[part]; m < parts_[part + 1]; ++m) {
      double* const product = products_ + m * padded_;
      if (first == 0) std::memset(product, 0, numbers(padded_) * sizeof(double));
      const std::size_t from = next_[numbers(m)];
      const std::size_t last = block.entries_before(m + 1);
      std::size_t to = from;
      while (to < last && block.row[to] < end) ++to;
      if (to == from) continue;
      of_.lanes.gather(groups_, static_cast<long>(to - from), block.row + from, first, block.value + from, band(first),
                       longest_ * kLanes, product);
      next_[numbers(m)] = to;
    }
  }

  // Some columns of Xᵀ X.
  void square(Index first, std::size_t tile) {
    const Matrix& X = of_.X;
    const Index k = static_cast<Index>(tile) * kTileColumns;
    add_product(of_.lanes, groups_, end_of(first) - first, band(first), longest_ * kLanes,
                X.data() + k * X.rows() + first, X.rows(), std::min<Index>(kTileColumns, X.cols() - k),
                gram_.data() + k * padded_, padded_);
  }

  const RowProducts& of_;
  double* products_;
  Index groups_, padded_;
  Index longest_;                   // band, in rows
  LineVector& space_;               // two bands of X, grouped
  std::vector<std::size_t>& next_;  // entry of every column
  Matrix gram_;                     // padded
  std::vector<Index> parts_;
};

}  // namespace

bool RowProducts::is_long(Index rows, Index rank) { return rows * round_up(rank, kLanes) > kLongNumbers; }

bool RowProducts::pay(const data::Block& block, Index rank) {
  constexpr Index kFewestEntries = 8;  // of a column in a band
  const Index bands = block.rows / band_rows(rank) + 1;
  return is_long(block.rows, rank) &&
         block.entries_before(block.count) >= numbers(bands * block.count * kFewestEntries);
}

Matrix RowProducts::run(double* products, Executor& executor) const { return Products(*this, products).run(executor); }

}  // namespace ppdnmf::nmf::internal
