#include <ppdnmf/nmf/second_moments.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <vector>

#include <ppdnmf/nmf/internal/lane_products.h>
#include <ppdnmf/nmf/internal/three_factors.h>
#include <ppdnmf/nmf/internal/unit_factor.h>
#include <ppdnmf/nmf/internal/widest_cone.h>
#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/nmf/products.h>

namespace ppdnmf::nmf {
namespace {

// How far below zero the cone's vectors may go, in standard deviations of an entry of G: with less, cones are too
// narrow where noise is low.
constexpr double kSlack = 20;
constexpr int kPowerSteps = 100;
// How much more than chance alone entries are taken to differ from the profile. Chosen on counts made from COSMIC's
// signatures: with 1 noise is lower, yet cones are narrower; from 3 to 10 nothing is worse than without the profile.
constexpr double kTrust = 8;
constexpr double kMaxNoise = 1e6;  // beside the largest entry of G: beyond, nothing is left to find anyway

// The largest eigenvalue of a matrix that is nonnegative, or nearly; some smaller number if it is neither.
double largest_eigenvalue(const Matrix& G) {
  Eigen::VectorXd v = Eigen::VectorXd::Ones(G.rows()).normalized();
  double value = 0;
  for (int n = 0; n < kPowerSteps; ++n) {
    const Eigen::VectorXd next = G.selfadjointView<Eigen::Upper>() * v;
    value = v.dot(next);
    const double length = next.norm();
    if (!(length > 0)) break;
    v = next / length;
  }
  return value;
}

// Pulls entries off the diagonal towards h hᵀ / sum(h), h the sums of rows: sums that are hardly noisy where single
// entries are. An entry p of that profile is taken to be the mean of numbers with variance c p, c being what remains of
// the differences when the noise is taken off; so where a row has next to nothing, noise is not taken for data.
void pull_to_profile(Matrix& H, double noise) {
  const Eigen::VectorXd h = H.rowwise().sum().cwiseMax(0);
  const double all = h.sum();
  const double variance = noise * noise / 2;
  if (!(all > 0 && variance > 0)) return;
  double excess = 0;
  double profile = 0;
  const auto for_all = [&](const auto& visit) {
    for (Index j = 0; j < H.cols(); ++j) {
      for (Index i = 0; i < j; ++i) visit(H(i, j), h(i) * h(j) / all, H(j, i));
    }
  };
  for_all([&](double entry, double p, double) {
    excess += (entry - p) * (entry - p) - variance;
    profile += p;
  });
  const double c = profile > 0 ? kTrust * std::max(0.0, excess) / profile : 0;
  for_all([&](double& entry, double p, double& mirrored) {
    const double own = c * p;
    entry = mirrored = p + own / (own + variance) * (entry - p);
  });
}

// The X >= 0 nearest to V in the metric of T, what T weighs least being raised. To set what is negative in V to zero is
// farther off: other components can make up for it. Without the raise, a part of T's mean diagonal, a component that T
// hardly weighs could go anywhere.
Matrix nearest_nonnegative(const Matrix& V, Matrix T, double raise, const Matrix& before, Executor& executor) {
  constexpr int kNearestSweeps = 100;
  constexpr double kNearestPart = 1e-8;
  if (!(T.trace() > 0)) return before;
  T.diagonal().array() += raise * T.trace() / static_cast<double>(T.cols());
  Matrix X = before;
  internal::descend_rows(automatic_lanes(), T, V * T, kNearestSweeps, kNearestPart, X, executor);
  internal::normalise_columns(X, before);
  return X;
}

// The norm of what noise alone is in G, beside a mean component: how far T is to be trusted.
double noise_beside_component(const Matrix& H, double noise, Index rank) {
  constexpr double kLeast = 0.2;
  constexpr double kMost = 0.5;
  const double norm = noise * std::sqrt(2 * static_cast<double>(H.rows()));
  const double component = H.trace() / static_cast<double>(rank);
  return component > 0 ? std::clamp(norm / component, kLeast, kMost) : kMost;
}

// X in the span of U with the widest cone, or as it was if there is none.
void widen_cone(const Matrix& H, double slack, double raise, SpanAndFactor& found, Executor& executor) {
  const Matrix before = found.X;
  const Matrix A = internal::widest_cone(found.U, found.U.transpose() * before.rowwise().sum(), slack, executor);
  if (A.size() > 0) {
    found.X = (found.U * A).cwiseMax(0);
    internal::normalise_columns(found.X, before);
  }
  found.T = internal::fit_middle(H, found.X, executor);
  const Matrix inside = found.U * (found.U.transpose() * found.X);
  found.X = nearest_nonnegative(inside, found.T, raise, found.X, executor);
  found.T = internal::fit_middle(H, found.X, executor);
}

}  // namespace

Result<SpanAndFactor> factor_second_moments(const Matrix& G, const SecondMomentsOptions& options,
                                            const std::function<Matrix(int)>& start, Executor& executor) {
  PPDNMF_CHECK(G.rows() == G.cols() && options.rank >= 1 && options.rank <= G.rows());
  PPDNMF_CHECK(options.starts >= 1 && options.noise >= 0);
  fix_product_blocking();
  Matrix H = G.triangularView<Eigen::Upper>();
  H.triangularView<Eigen::StrictlyLower>() = H.transpose();
  if (!H.allFinite()) return error(ErrorCode::kNumeric, "the second moments hold a number that is not finite");
  // Of size one, so that nothing below overflows.
  const double size = H.cwiseAbs().maxCoeff();
  if (size > 0) H /= size;
  const double noise = size > 0 ? std::min(options.noise / size, kMaxNoise) : 0;
  pull_to_profile(H, noise);

  std::vector<Matrix> starts;
  starts.reserve(static_cast<std::size_t>(options.starts));
  for (int n = 0; n < options.starts; ++n) starts.push_back(start(n));
  std::vector<internal::ThreeFactors> found(starts.size());
  executor.for_each(found.size(), [&](std::size_t n) {
    PPDNMF_CHECK(starts[n].rows() == G.rows() && starts[n].cols() == options.rank);
    found[n] = internal::fit_three_factors(H, starts[n], executor);
  });
  const auto best =
      std::min_element(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.misfit < b.misfit; });
  SpanAndFactor out{std::move(best->X), {}, {}};
  out.U = Eigen::HouseholderQR<Matrix>(out.X).householderQ() * Matrix::Identity(G.rows(), options.rank);
  const double largest = std::max(largest_eigenvalue(H), noise * std::sqrt(2 * static_cast<double>(G.rows())));
  const double slack = largest > 0 ? kSlack * noise * std::sqrt(0.5) / largest : 0;
  widen_cone(H, slack, noise_beside_component(H, noise, options.rank), out, executor);
  out.T *= size;
  return out;
}

}  // namespace ppdnmf::nmf
