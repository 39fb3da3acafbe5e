// Columns seen in another way, without a copy: some of them, several one beside the other, without negative entries.
//
// For columns that are lent in the owner's units and know nothing of persons and weights, as those of a file.
#ifndef PPDNMF_DATA_VIEWS_H_
#define PPDNMF_DATA_VIEWS_H_

#include <cmath>
#include <limits>
#include <vector>

#include <ppdnmf/data/columns.h>

namespace ppdnmf::data {

// The columns of the range (within them, checked), with their gaps.
[[nodiscard]] SharedColumns part(SharedColumns columns, const Range& range);

// All columns from left to right. There is at least one, all have the same rows and are lent in the same way, dense or
// by their nonzero entries (checked); what they lack is not asked for (gappy, data/gaps.h, comes afterwards).
[[nodiscard]] SharedColumns beside(std::vector<SharedColumns> parts);

// Negative numbers and -0 become zero, so that equal data have equal bytes; NaN stays, of many bit patterns always the
// same.
[[nodiscard]] inline double clipped(double z) {
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  return z > 0 ? z : std::isnan(z) ? kMissing : 0.0;
}
// Every entry as it is lent.
[[nodiscard]] SharedColumns clipped(SharedColumns columns);

}  // namespace ppdnmf::data

#endif  // PPDNMF_DATA_VIEWS_H_
