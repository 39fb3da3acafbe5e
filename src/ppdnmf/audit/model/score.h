// How near a claim of an attacker is to the truth. Attacks never call this: it is given the truth.
#ifndef PPDNMF_AUDIT_MODEL_SCORE_H_
#define PPDNMF_AUDIT_MODEL_SCORE_H_

#include <span>
#include <vector>

#include <ppdnmf/data/matrix.h>

namespace ppdnmf::audit {

// ||truth - claim|| / ||truth|| over columns, each column of the truth with the claim's column that makes the whole
// smallest: an attacker need not know which column is whose. Missing columns of the claim count as zero.
[[nodiscard]] double column_error(const Matrix& truth, const Matrix& claim);

// ||truth - claim|| / ||truth|| as they stand.
[[nodiscard]] double relative_error_of(const Matrix& truth, const Matrix& claim);

// How far the columns of `vectors` stick out of the span of the columns of `basis` (any basis): the norm of what is
// outside over the norm of all, the largest over the columns.
[[nodiscard]] double outside_of(const Matrix& vectors, const Matrix& basis);

// The probability that a member's score is larger than a stranger's; equal ones count half.
[[nodiscard]] double area_under_curve(std::span<const double> members, std::span<const double> strangers);

// A mean with the ends of its 95 % confidence interval (Student's, since seeds are few), and the median.
struct Estimate {
  double mean = 0;
  double low = 0;
  double high = 0;
  double median = 0;
};
[[nodiscard]] Estimate estimate(std::span<const double> values);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_MODEL_SCORE_H_
