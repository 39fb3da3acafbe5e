// Whether a sum of independent terms contains a given one, when terms are Gaussian with a mean and covariance that are
// known from samples.
#ifndef PPDNMF_AUDIT_MODEL_LIKELIHOOD_RATIO_H_
#define PPDNMF_AUDIT_MODEL_LIKELIHOOD_RATIO_H_

#include <ppdnmf/audit/model/least_squares.h>

namespace ppdnmf::audit {

class LikelihoodRatio {
 public:
  // `samples`: one per column. `ridge`, a part of the mean variance, is added to every direction's, and so is `noise`:
  // a variance, of what the sum carries beside its terms over their number.
  LikelihoodRatio(const Matrix& samples, double ridge, double noise = 0);

  // 2 <d, D> - <d, d> in the metric of the inverse covariance, d being a term's and D the sum's difference from what
  // was expected: larger if the sum contains the term.
  [[nodiscard]] double score(const Vector& term, const Vector& sum) const;
  [[nodiscard]] const Vector& mean() const { return mean_; }

 private:
  [[nodiscard]] double inner(const Vector& a, const Vector& b) const;
  Vector mean_;
  Matrix directions_;  // orthonormal, one per column
  Vector variances_;
  double ridge_;
};

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_MODEL_LIKELIHOOD_RATIO_H_
