// Columns of which some entries are missing.
//
// In a matrix a missing entry is NaN. Columns lend it as a zero, so that sums over entries are sums over what is there;
// whoever computes with columns asks for their gaps besides.
#ifndef PPDNMF_DATA_GAPS_H_
#define PPDNMF_DATA_GAPS_H_

#include <span>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/data/nonzeros.h>

namespace ppdnmf::data {

// Columns of which some entries may be NaN. Where none is they are the columns themselves.
[[nodiscard]] SharedColumns gappy(SharedColumns columns);
// As view and split (data/dense.h) of a matrix that may have NaN. Where it has none they are the same.
[[nodiscard]] SharedColumns gappy_view(const Matrix& Z);
[[nodiscard]] SharedColumns gappy_view(const Matrix& Z, const Range& range);
[[nodiscard]] std::vector<SharedColumns> gappy_split(const Matrix& Z, const std::vector<Index>& counts);
[[nodiscard]] SharedColumns gappy_view(const Nonzeros& Z, const Range& range);
SharedColumns gappy_view(Matrix&& Z) = delete;
SharedColumns gappy_view(Matrix&& Z, const Range& range) = delete;
std::vector<SharedColumns> gappy_split(Matrix&& Z, const std::vector<Index>& counts) = delete;

[[nodiscard]] bool has_gaps(const Columns& columns);
// How many of the columns have each row, and how many entries there are.
[[nodiscard]] std::vector<double> present_counts(const Columns& columns);
[[nodiscard]] double present_entries(const Columns& columns);

// Fails with kInvalidData, naming it, if a column lacks every row.
[[nodiscard]] Status check_no_empty_column(const Columns& columns);
// The same if no column has a row; `counts`: of everybody's columns together.
[[nodiscard]] Status check_no_empty_row(std::span<const double> counts);

}  // namespace ppdnmf::data

#endif  // PPDNMF_DATA_GAPS_H_
