#include <ppdnmf/audit/model/likelihood_ratio.h>

#include <Eigen/Eigenvalues>

namespace ppdnmf::audit {

LikelihoodRatio::LikelihoodRatio(const Matrix& samples, double ridge, double noise) : mean_(samples.rowwise().mean()) {
  const Matrix centred = (samples.colwise() - mean_) / std::sqrt(static_cast<double>(samples.cols() - 1));
  // There are fewer samples than numbers in each: the eigenvectors come from the small product.
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(centred.transpose() * centred);
  const Vector& values = eigen.eigenvalues();
  const double largest = values(values.size() - 1);
  Index kept = 0;
  while (kept < values.size() && values(values.size() - 1 - kept) > 1e-10 * largest) ++kept;
  variances_ = values.tail(kept);
  directions_ = centred * eigen.eigenvectors().rightCols(kept) * variances_.cwiseSqrt().cwiseInverse().asDiagonal();
  ridge_ = ridge * centred.squaredNorm() / static_cast<double>(centred.rows()) + noise;
}

double LikelihoodRatio::score(const Vector& term, const Vector& sum) const {
  return 2 * inner(term, sum) - inner(term, term);
}

double LikelihoodRatio::inner(const Vector& a, const Vector& b) const {
  const Vector inside_a = directions_.transpose() * a;
  const Vector inside_b = directions_.transpose() * b;
  const double known = (inside_a.array() * inside_b.array() / (variances_.array() + ridge_)).sum();
  const double rest = a.dot(b) - inside_a.dot(inside_b);
  return known + rest / ridge_;
}

}  // namespace ppdnmf::audit
