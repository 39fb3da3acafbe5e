// The totals of a run of the scheme sum, less the attacker's own share: what it knows of all others together.
#ifndef PPDNMF_AUDIT_MODEL_TOTALS_H_
#define PPDNMF_AUDIT_MODEL_TOTALS_H_

#include <memory>
#include <vector>

#include <ppdnmf/audit/model/least_squares.h>
#include <ppdnmf/audit/model/view.h>
#include <ppdnmf/nmf/holder.h>

namespace ppdnmf::audit {

struct OthersTotals {
  std::vector<nmf::DescentRequest> requests;  // what everybody was asked, round by round
  std::vector<nmf::Moments> others;           // the answers of all but the attacker, added up
  std::shared_ptr<const nmf::Loss> loss;      // whose totals they are
};

// Of a coalition of one that saw a run of the scheme sum; the first `rounds` (all, if there are fewer).
[[nodiscard]] OthersTotals others_totals(const AttackerView& view, int rounds);

// The numbers of every round as they travel, one after the other, if these (scaled) columns were all that the others
// have: of squares S, the upper triangle of T and the squared error. Sums over columns: those of two lists add up.
[[nodiscard]] Vector moments_of(const std::vector<nmf::DescentRequest>& requests, const Matrix& columns, Index rank,
                                const std::shared_ptr<const nmf::Loss>& loss = nmf::loss_of({}));
[[nodiscard]] Vector moments_of(const OthersTotals& totals);

// The numbers of one round as they travel, and back; of squares.
[[nodiscard]] nmf::Moments moments_from(const std::vector<double>& values, Index rows, Index rank);
[[nodiscard]] std::vector<double> values_of(const nmf::Moments& moments);

// The number of the first sum over a round (not of the opening); protocol::kNever if there was none.
[[nodiscard]] std::uint32_t first_round(const AttackerView& view);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_MODEL_TOTALS_H_
