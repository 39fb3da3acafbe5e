// How much of a direction is one column's.
//
// A factor X of rank r comes to hold the r leading directions of Z Zᵀ. Of a direction u all columns together have
// sum_j (uᵀz_j)², and the largest part of it that column j has for any u in the span of the leading ones is its
// leverage
//   h_j = sum_k (u_kᵀz_j)² / lambda_k,   Z Zᵀ u_k = lambda_k u_k,  k = 1 .. r.
// It is 1 for a column that is like no other and large enough to be among them, and they add up to r at most. X fits a
// column better than it would have without it by about that part (docs/threat_model.md, A15).
#ifndef PPDNMF_NMF_LEVERAGE_H_
#define PPDNMF_NMF_LEVERAGE_H_

#include <vector>

#include <ppdnmf/data/columns.h>

namespace ppdnmf::nmf {

// That of every column among all of them, for so many leading directions (at most the number of rows counts; checked
// to be positive); directions below 1e-10 of the first count as none. Of more than 512 columns with more than 256 rows
// (or 65536 rows) they are found by repeated multiplication, to about a hundredth. The same bytes however the columns
// are kept, and on every machine.
[[nodiscard]] std::vector<double> leverages(const data::Columns& columns, Index directions);

// Whether some of the columns show that none of all has a leverage above `part`. False says nothing, and is the answer
// where there are few columns. With A and lambda_r of some columns, h_j among all is at most 2 zᵀ (A + lambda_r I)⁻¹ z,
// since more columns only add to Z Zᵀ (Weyl). Of many columns it takes a small part of the time of leverages().
[[nodiscard]] bool surely_none_leads(const data::Columns& columns, Index directions, double part);

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_LEVERAGE_H_
