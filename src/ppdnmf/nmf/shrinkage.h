// Coordinates of columns that lack entries, held back where few entries speak for them (docs/mathematics.md, section
// 14): from totals alone, so that all who know them find the same.
#ifndef PPDNMF_NMF_SHRINKAGE_H_
#define PPDNMF_NMF_SHRINKAGE_H_

#include <ppdnmf/data/matrix.h>
#include <ppdnmf/nmf/loss.h>

namespace ppdnmf::nmf {

// R, rank x rank: a column that lacks entries has these further rows of X, with zeros in them, so that |R y|² is added
// to its squared error. RᵀR is the noise's variance times the inverse of the mean of y yᵀ over all columns, less what
// noise alone adds to that mean. T = sum of y yᵀ and the squared error are those of X, in scaled data. Empty: nothing
// is missing, or there is no saying.
[[nodiscard]] Matrix shrinkage(const Matrix& X, const Matrix& T, double squared_error, const Common& common);

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_SHRINKAGE_H_
