#include <ppdnmf/audit/attacks/a9_private.h>

#include <ppdnmf/audit/model/likelihood_ratio.h>
#include <ppdnmf/audit/model/private_totals.h>

namespace ppdnmf::audit {

Vector membership_from_noisy_totals(const AttackerView& view, Index others_columns, const Matrix& candidates,
                                    const Matrix& reference) {
  constexpr double kRidge = 1e-3;  // the finest that other A9 rows use: reference columns do not span everything
  const PrivateTotals totals = private_totals(view);
  const auto part = [&](const Matrix& columns, Index m) {
    return bounded_parts(view, totals.requests, columns.col(m));
  };
  Matrix samples(totals.others.size(), reference.cols());
  for (Index m = 0; m < reference.cols(); ++m) samples.col(m) = part(reference, m);
  const auto terms = static_cast<double>(others_columns);
  // The noise is one for all terms of the sum: of each term's variance it is as many times smaller.
  const LikelihoodRatio ratio(samples, kRidge, totals.deviation * totals.deviation / terms);
  const Vector difference = totals.others - terms * ratio.mean();
  Vector scores(candidates.cols());
  for (Index m = 0; m < candidates.cols(); ++m) {
    scores(m) = ratio.score(part(candidates, m) - ratio.mean(), difference);
  }
  return scores;
}

double membership_knowing_all(const AttackerView& view, const Matrix& known, const Matrix& candidate) {
  const PrivateTotals totals = private_totals(view);
  const Vector left = totals.others - bounded_parts(view, totals.requests, known);
  const Vector way = bounded_parts(view, totals.requests, candidate);
  // Noise of many units is Gaussian to all digits. X hangs on the totals alone, so exchanges multiply.
  return (left.dot(way) - way.squaredNorm() / 2) / (totals.deviation * totals.deviation);
}

}  // namespace ppdnmf::audit
