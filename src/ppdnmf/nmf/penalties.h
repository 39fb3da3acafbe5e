// Parameters that need no tuning: every agent takes them from the curvature of its own problem (docs/mathematics.md).
#ifndef PPDNMF_NMF_PENALTIES_H_
#define PPDNMF_NMF_PENALTIES_H_

#include <cstdint>

#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf {

// kappa = trace(Y Y^T) / K, the mean curvature of ||Z - X Y||^2 / 2 in X. At least kSmallestCurvature, so that an agent
// whose data are zero still has penalties. Data are of size one (`data_scale`), so a floor can be a number.
inline constexpr double kSmallestCurvature = 1e-6;
[[nodiscard]] double left_curvature(const Matrix& Y);
[[nodiscard]] double left_curvature_of(const Matrix& T);  // the same from T = Y Y^T
// trace(X^T X) / K, with the same floor.
[[nodiscard]] double right_curvature(const Matrix& X);

// mu = 0.3 kappa and eta = 0.1 trace(X^T X) / K.
[[nodiscard]] double automatic_mu(double kappa);
[[nodiscard]] double automatic_eta(const Matrix& X);

// The real weight g = sqrt(gamma kappa) that makes rho_ij = g_i g_j the geometric mean of both curvatures. gamma rises
// geometrically fiftyfold over iterations 1..last, progress first and agreement at the end: from 0.03 to 1.5 on
// graphs of diameter 4 or less, and in proportion to the diameter on wider ones, where agreement has farther to go.
[[nodiscard]] double automatic_weight(double kappa, std::uint32_t diameter, int iteration, int last_iteration);

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_PENALTIES_H_
