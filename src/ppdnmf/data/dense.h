// Columns that lie in memory as one dense matrix.
#ifndef PPDNMF_DATA_DENSE_H_
#define PPDNMF_DATA_DENSE_H_

#include <vector>

#include <ppdnmf/data/columns.h>

namespace ppdnmf::data {

// Columns that own their matrix.
[[nodiscard]] SharedColumns own(Matrix Z);

// Columns of a matrix that somebody else owns, without copying: Z outlives them and does not change.
[[nodiscard]] SharedColumns view(const Matrix& Z);
[[nodiscard]] SharedColumns view(const Matrix& Z, const Range& range);  // within Z (checked)
SharedColumns view(Matrix&& Z) = delete;
SharedColumns view(Matrix&& Z, const Range& range) = delete;

// counts[i] columns of Z for holder i, one after the other, as views; the counts add up to Z's columns (checked).
[[nodiscard]] std::vector<SharedColumns> split(const Matrix& Z, const std::vector<Index>& counts);
std::vector<SharedColumns> split(Matrix&& Z, const std::vector<Index>& counts) = delete;

}  // namespace ppdnmf::data

#endif  // PPDNMF_DATA_DENSE_H_
