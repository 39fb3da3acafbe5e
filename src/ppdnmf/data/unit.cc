#include <ppdnmf/data/unit.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <ppdnmf/data/far.h>
#include <ppdnmf/data/internal/rescaled.h>
#include <ppdnmf/data/sums.h>

namespace ppdnmf::data {
namespace {

// The largest entry comes first, so that no square is too large or too small for a double.
struct Length {
  double largest = 1;
  double length = 1;
};

// Depends on the column alone, not on where it lies: in a private run one column more may not change another one, not
// even in its last digit.
Length length_of(const Block& block, Index m, ColumnNorm norm) {
  double largest = 0;
  for_entries(block, m, [&](Index /*row*/, double z) { largest = std::max(largest, z); });
  if (!(largest > 0)) return {};
  const auto entry = [&](double z) { return z / largest; };
  if (norm == ColumnNorm::kL1) return {largest, paired_column_sum(block, m, entry)};
  const auto square = [&](double z) { return entry(z) * entry(z); };
  return {largest, std::sqrt(paired_column_sum(block, m, square))};
}

class UnitColumns final : public ColumnsOver {
 public:
  UnitColumns(SharedColumns columns, ColumnNorm norm) : ColumnsOver(std::move(columns)) {
    lengths_.reserve(static_cast<std::size_t>(count()));
    walk(source(), {0, count()}, [&](const Block& block, const Range& range) {
      for (Index m = 0; m < block.count; ++m) {
        Length length = length_of(block, m, norm);
        length.length *= std::sqrt(static_cast<double>(columns_of_person(range.first + m)));  // exact for one
        lengths_.push_back(length);
      }
    });
  }

  [[nodiscard]] Block lend(const Range& range, Scratch& scratch) const override {
    return internal::rescaled(source(), range, scratch, [&](Index m, double z) {
      const auto [largest, length] = lengths_[static_cast<std::size_t>(m)];
      return z / largest / length;
    });
  }

  void restore_units(Matrix& Y) const override {
    for (Index m = 0; m < Y.cols(); ++m) {
      const auto [largest, length] = lengths_[static_cast<std::size_t>(m)];
      Y.col(m) *= largest * length;
    }
    ColumnsOver::restore_units(Y);
  }

 private:
  std::vector<Length> lengths_;
};

}  // namespace

SharedColumns unit_columns(SharedColumns columns, ColumnNorm norm) {
  if (const FarColumns* const far = as_far(*columns)) return far->far_unit(norm);
  return std::make_shared<UnitColumns>(std::move(columns), norm);
}

}  // namespace ppdnmf::data
