#include <ppdnmf/data/unit.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <ppdnmf/data/sums.h>

namespace ppdnmf::data {
namespace {

// The largest entry comes first, so that no square is too large or too small for a double.
struct Length {
  double largest = 1;
  double length = 1;
};

Length length_of(const double* z, Index rows, Index column, ColumnNorm norm) {
  const double largest = *std::max_element(z, z + rows);
  if (!(largest > 0)) return {};
  const auto entry = [&](Index l) { return z[l] / largest; };
  // Where the sum of a column begins depends on where the column lies, as it always did.
  if (norm == ColumnNorm::kL1) return {largest, paired_sum(rows, column * rows % 2, entry)};
  const auto square = [&](Index l) { return entry(l) * entry(l); };
  return {largest, std::sqrt(paired_sum(rows, 0, square))};
}

class UnitColumns final : public Columns {
 public:
  UnitColumns(SharedColumns columns, ColumnNorm norm)
      : Columns(columns->rows(), columns->count()), columns_(std::move(columns)) {
    lengths_.reserve(static_cast<std::size_t>(count()));
    std::vector<double> space;
    walk(*columns_, {0, count()}, [&](const Block& block, const Range& range) {
      for (Index m = 0; m < block.count; ++m) {
        Length length = length_of(dense_column(block, m, space), block.rows, range.first + m, norm);
        length.length *= std::sqrt(static_cast<double>(columns_->columns_of_person(range.first + m)));  // exact for one
        lengths_.push_back(length);
      }
    });
  }

  [[nodiscard]] Block lend(const Range& range, Scratch& scratch) const override {
    Scratch of_source;
    Block block = columns_->lend(range, of_source);
    const auto before = [&](Index m) {
      return block.dense() ? static_cast<std::size_t>(m * block.rows) : block.entries_before(m);
    };
    const double* const from = block.dense() ? block.values : block.value;
    scratch.values.resize(before(block.count));
    double* const to = scratch.values.data();
    for (Index m = 0; m < block.count; ++m) {
      const auto [largest, length] = lengths_[static_cast<std::size_t>(range.first + m)];
      for (std::size_t i = before(m); i < before(m + 1); ++i) to[i] = from[i] / largest / length;
    }
    (block.dense() ? block.values : block.value) = to;
    return block;
  }

  void restore_units(Matrix& Y) const override {
    for (Index m = 0; m < Y.cols(); ++m) {
      const auto [largest, length] = lengths_[static_cast<std::size_t>(m)];
      Y.col(m) *= largest * length;
    }
    columns_->restore_units(Y);
  }
  [[nodiscard]] Index columns_of_person(Index column) const override { return columns_->columns_of_person(column); }

 private:
  SharedColumns columns_;
  std::vector<Length> lengths_;
};

}  // namespace

SharedColumns unit_columns(SharedColumns columns, ColumnNorm norm) {
  return std::make_shared<UnitColumns>(std::move(columns), norm);
}

}  // namespace ppdnmf::data
