// A14: rare rows. If row l is zero in all of the others' columns but one, row l of their S is z_l yᵀ of that column:
// its y in every exchange, for an X that is known. A curious agent solves for the column, however many others there
// are.
#ifndef PPDNMF_AUDIT_ATTACKS_A14_RARE_ROWS_H_
#define PPDNMF_AUDIT_ATTACKS_A14_RARE_ROWS_H_

#include <ppdnmf/audit/model/least_squares.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// The column behind this row, in units of the data, of a run of the scheme sum with exact totals; nothing if the row is
// empty. Where several columns stand behind it, about their sum, each times its entry in the row.
[[nodiscard]] Vector column_behind_row(const AttackerView& view, Index row);

// The columns behind a row that `columns` of the others have (two or three): fitted to the row of all exchanges, with
// the holder simulated, from `starts` starts. Empty if none explains what was seen.
[[nodiscard]] Matrix columns_behind_row(const AttackerView& view, Index row, Index columns, int starts,
                                        std::uint64_t seed);

// The same under the Poisson loss, whose rows tell y but for its size, and z_l: the column fitted to the row of the
// first exchanges, with the holder simulated, from `starts` starts.
[[nodiscard]] Vector poisson_column_behind_row(const AttackerView& view, Index row, int starts, std::uint64_t seed);

// The same from the final X alone, in any scheme: where the X step has come to rest, row l of X is z_l yᵀ T⁻¹, with T
// taken to be that of one's own columns, but for its size. So y follows, and X y is the column as X explains it.
[[nodiscard]] Vector column_from_X(const AttackerView& view, Index row);

// How much of what was seen in the row a column leaves unexplained, if it alone stood behind it: a part of the norm.
[[nodiscard]] double unexplained_of_row(const AttackerView& view, Index row, const Vector& column);

// ||z - a v|| / ||z|| with the best a: how near a claim's shape is.
[[nodiscard]] double shape_error(const Vector& truth, const Vector& claim);

// Counts in which `behind` of the others' columns have row 0; of z_0 |z|, added up over them, the first has `share`
// (0: all the same).
struct RareRow {
  Index behind = 1;
  double share = 0;
  protocol::CrowdKind crowd = protocol::CrowdKind::kOff;  // kBlank, kDrop: what a real run can do about it
};
[[nodiscard]] AuditProblem rare_row_problem(const AuditSetup& setup, const RareRow& row, std::uint64_t seed);

// The error of the first of the columns behind the row, against the best guess without it.
[[nodiscard]] Result<Trial> rare_row_trial(const AuditSetup& setup, const RareRow& row, std::uint64_t seed);

// Its rows of the audit's table.
void plan_rare_rows(Plan& plan);
void plan_poisson_rare_rows(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A14_RARE_ROWS_H_
