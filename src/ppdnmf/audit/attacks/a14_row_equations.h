// A14: what one row of the others' S says of the columns behind it, if their holder's Y steps are known to the sweep.
#ifndef PPDNMF_AUDIT_ATTACKS_A14_ROW_EQUATIONS_H_
#define PPDNMF_AUDIT_ATTACKS_A14_ROW_EQUATIONS_H_

#include <vector>

#include <ppdnmf/audit/model/least_squares.h>
#include <ppdnmf/audit/model/totals.h>

namespace ppdnmf::audit {

// One exchange of a column that alone has the row: everything is known but the column. All y are times the column's
// entry in the row, which is left out: Y steps are homogeneous.
struct RowExchange {
  Matrix X;
  Vector before, after;    // y where the Y step began, and where it ended
  std::vector<bool> told;  // components of `after` that the row determines; the others were extrapolated to zero
  int sweeps = 0;          // as nmf/squares.cc has them
  double part = 0;
};

// In the order of the exchanges. A row behind which several columns stand gives those of their sum, which is no column.
[[nodiscard]] std::vector<RowExchange> row_exchanges(const OthersTotals& totals, Index row);

// The sweeps of one column's Y step from `y`, for c = Xᵀz, with the derivatives of what comes out by c.
struct Swept {
  Vector y;
  Matrix by_c;
};
[[nodiscard]] Swept sweep_column(const Matrix& G, const Vector& c, const Vector& start, int sweeps, double part);

// z_l z for the column z that alone has row l: the vector from which every exchange's Y step leads to what was seen,
// by steps of Gauss and Newton in which exchanges that do not fit (a sweep more or less) soon count for nothing.
// `guess`: a column of the same population; directions of which the exchanges say nothing stay near it.
[[nodiscard]] Vector column_behind(const std::vector<RowExchange>& exchanges, const Vector& guess);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A14_ROW_EQUATIONS_H_
