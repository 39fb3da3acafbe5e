// Components beside components: which of them are the same.
#ifndef PPDNMF_NMF_MATCHING_H_
#define PPDNMF_NMF_MATCHING_H_

#include <vector>

#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf {

// Cosines between the columns of A (down) and those of B (across); 0 where one of them is all zero. A.rows() ==
// B.rows() (checked).
[[nodiscard]] Matrix cosines(const Matrix& A, const Matrix& B);

// For each row of `gain` a column of its own, so that the gains add up to the largest sum that is possible: exact, by
// shortest augmenting paths. -1 for the rows that are left over if there are more rows than columns: as many pairs are
// made as can be. Gains are finite (checked). The same gains give the same pairs.
[[nodiscard]] std::vector<Index> best_pairs(const Matrix& gain);

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_MATCHING_H_
