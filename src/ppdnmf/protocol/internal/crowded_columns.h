// What crowd.cc makes of columns without a crowd.
#ifndef PPDNMF_PROTOCOL_INTERNAL_CROWDED_COLUMNS_H_
#define PPDNMF_PROTOCOL_INTERNAL_CROWDED_COLUMNS_H_

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include <ppdnmf/protocol/internal/entries.h>

namespace ppdnmf::protocol {

// Columns that were changed, in front of those that they were made from.
class CrowdedColumns final : public data::ColumnsOver {
 public:
  // `lacked`: rows, in rising order, that no column has any longer, in data where entries may be missing.
  CrowdedColumns(Entries Z, std::vector<double> factors, const std::vector<Index>& lacked, data::SharedColumns source)
      : ColumnsOver(std::move(source)), Z_(std::move(Z)), lent_(Z_.view()), factors_(std::move(factors)) {
    if (lacked.empty()) return;
    const data::Gaps gaps = ColumnsOver::gaps({0, count()});
    first_.push_back(0);
    for (Index m = 0; m < count(); ++m) {
      const auto missing = gaps.of(m);
      std::set_union(missing.begin(), missing.end(), lacked.begin(), lacked.end(), std::back_inserter(row_));
      first_.push_back(row_.size());
    }
  }

  [[nodiscard]] data::Block lend(const data::Range& range, data::Scratch& scratch) const override {
    return lent_->lend(range, scratch);
  }
  [[nodiscard]] data::Gaps gaps(const data::Range& range) const override {
    if (first_.empty()) return ColumnsOver::gaps(range);
    const std::size_t* const first = first_.data() + range.first;
    return {first, row_.data() + first[0]};
  }
  void restore_units(Matrix& Y) const override {
    for (Index m = 0; m < Y.cols(); ++m) {
      const double factor = factors_[static_cast<std::size_t>(m)];
      if (factor > 0) Y.col(m) /= factor;  // a column that became zero has zeros
    }
    ColumnsOver::restore_units(Y);
  }

 private:
  Entries Z_;
  data::SharedColumns lent_;  // a view of them
  std::vector<double> factors_;
  // As Gaps, where rows are lacked that the source has.
  std::vector<std::size_t> first_;
  std::vector<int> row_;
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_INTERNAL_CROWDED_COLUMNS_H_
