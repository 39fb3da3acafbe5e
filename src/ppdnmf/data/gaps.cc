#include <ppdnmf/data/gaps.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/internal/rescaled.h>

namespace ppdnmf::data {
namespace {

class GappyColumns final : public ColumnsOver {
 public:
  explicit GappyColumns(SharedColumns columns) : ColumnsOver(std::move(columns)) {
    first_.push_back(0);
    walk(source(), {0, count()}, [&](const Block& block, const Range&) {
      for (Index m = 0; m < block.count; ++m) {
        for_entries(block, m, [&](Index l, double z) {
          if (std::isnan(z)) row_.push_back(static_cast<int>(l));
        });
        first_.push_back(row_.size());
      }
    });
  }

  [[nodiscard]] bool complete() const { return row_.empty(); }
  [[nodiscard]] Block lend(const Range& range, Scratch& scratch) const override {
    return internal::rescaled(source(), range, scratch, [](Index, double z) { return std::isnan(z) ? 0 : z; });
  }
  [[nodiscard]] Gaps gaps(const Range& range) const override {
    const std::size_t* const first = first_.data() + range.first;
    return {first, row_.data() + first[0]};
  }

 private:
  std::vector<std::size_t> first_;  // of every column, and the end
  std::vector<int> row_;
};

}  // namespace

SharedColumns gappy(SharedColumns columns) {
  PPDNMF_CHECK(columns->rows() <= std::numeric_limits<int>::max());
  auto with_gaps = std::make_shared<GappyColumns>(columns);
  if (with_gaps->complete()) return columns;
  return with_gaps;
}

SharedColumns gappy_view(const Nonzeros& Z, const Range& range) { return gappy(view(Z, range)); }

SharedColumns gappy_view(const Matrix& Z) { return gappy(view(Z)); }

SharedColumns gappy_view(const Matrix& Z, const Range& range) { return gappy(view(Z, range)); }

std::vector<SharedColumns> gappy_split(const Matrix& Z, const std::vector<Index>& counts) {
  std::vector<SharedColumns> parts = split(Z, counts);
  for (SharedColumns& part : parts) part = gappy(std::move(part));
  return parts;
}

bool has_gaps(const Columns& columns) { return !columns.gaps({0, columns.count()}).none(); }

std::vector<double> present_counts(const Columns& columns) {
  std::vector<double> counts(static_cast<std::size_t>(columns.rows()), static_cast<double>(columns.count()));
  const Gaps gaps = columns.gaps({0, columns.count()});
  for (Index m = 0; m < columns.count(); ++m) {
    for (const int row : gaps.of(m)) --counts[static_cast<std::size_t>(row)];
  }
  return counts;
}

double present_entries(const Columns& columns) {
  const std::vector<double> counts = present_counts(columns);
  return std::accumulate(counts.begin(), counts.end(), 0.0);  // whole numbers: exact
}

Status check_no_empty_column(const Columns& columns) {
  const Gaps gaps = columns.gaps({0, columns.count()});
  for (Index m = 0; m < columns.count(); ++m) {
    if (static_cast<Index>(gaps.of(m).size()) < columns.rows()) continue;
    return error(ErrorCode::kInvalidData, "all entries of column {} are missing: leave it out", m + 1);
  }
  return {};
}

Status check_no_empty_row(std::span<const double> counts) {
  for (std::size_t l = 0; l < counts.size(); ++l) {
    if (counts[l] > 0) continue;
    return error(ErrorCode::kInvalidData, "all entries of row {} are missing, in everybody's columns: leave it out",
                 l + 1);
  }
  return {};
}

}  // namespace ppdnmf::data
