#include <ppdnmf/nmf/penalties.h>

#include <algorithm>
#include <cmath>

namespace ppdnmf::nmf {

double left_curvature(const Matrix& Y) {
  return std::max(kSmallestCurvature, Y.squaredNorm() / static_cast<double>(Y.rows()));
}

double left_curvature_of(const Matrix& T) {
  return std::max(kSmallestCurvature, T.trace() / static_cast<double>(T.rows()));
}

double right_curvature(const Matrix& X) {
  return std::max(kSmallestCurvature, X.squaredNorm() / static_cast<double>(X.cols()));
}

double automatic_mu(double kappa) { return 0.3 * kappa; }
double automatic_eta(const Matrix& X) { return 0.1 * right_curvature(X); }

double automatic_weight(double kappa, std::uint32_t diameter, int iteration, int last_iteration) {
  constexpr double kFirst = 0.03;
  constexpr double kLast = 1.5;
  constexpr double kSmallDiameter = 4;
  const double width = std::max(1.0, diameter / kSmallDiameter);
  const double fraction = last_iteration > 1 ? static_cast<double>(iteration - 1) / (last_iteration - 1) : 1;
  const double gamma = width * kFirst * std::pow(kLast / kFirst, std::min(fraction, 1.0));
  return std::sqrt(gamma * kappa);
}

}  // namespace ppdnmf::nmf
