#include <ppdnmf/nmf/second_moments.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <vector>

#include <ppdnmf/nmf/internal/three_factors.h>
#include <ppdnmf/nmf/internal/unit_factor.h>
#include <ppdnmf/nmf/internal/widest_cone.h>
#include <ppdnmf/nmf/products.h>

namespace ppdnmf::nmf {
namespace {

constexpr double kSlack = 10;  // how far below zero the cone's vectors may go, in standard deviations of an entry of G
constexpr int kPowerSteps = 100;

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
  const double noise = size > 0 ? options.noise / size : 0;

  std::vector<Matrix> starts;
  for (int n = 0; n < options.starts; ++n) starts.push_back(start(n));
  std::vector<internal::ThreeFactors> found(starts.size());
  executor.for_each(found.size(), [&](std::size_t n) {
    PPDNMF_CHECK(starts[n].rows() == G.rows() && starts[n].cols() == options.rank);
    found[n] = internal::fit_three_factors(H, starts[n], executor);
  });
  const auto best = std::min_element(found.begin(), found.end(),
                                     [](const auto& a, const auto& b) { return a.misfit < b.misfit; });
  SpanAndFactor out{std::move(best->X), {}, {}};
  out.U = Eigen::HouseholderQR<Matrix>(out.X).householderQ() * Matrix::Identity(G.rows(), options.rank);
  const double largest =
      std::max(largest_eigenvalue(H), noise * std::sqrt(2 * static_cast<double>(G.rows())));
  const double slack = largest > 0 ? kSlack * noise * std::sqrt(0.5) / largest : 0;
  const Eigen::VectorXd inside = out.U.transpose() * out.X.rowwise().sum();
  const Matrix A = internal::widest_cone(out.U, inside, slack, executor);
  if (A.size() > 0) {
    const Matrix before = out.X;
    out.X = (out.U * A).cwiseMax(0);
    internal::normalise_columns(out.X, before);
  }
  out.T = size * internal::fit_middle(H, out.X, executor);
  return out;
}

}  // namespace ppdnmf::nmf
