#include <ppdnmf/audit/attacks/a2_leaf_moments.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include <ppdnmf/audit/attacks/a2_leaf_steps.h>
#include <ppdnmf/audit/model/least_squares.h>
#include <ppdnmf/nmf/penalties.h>

namespace ppdnmf::audit {
namespace {

struct Solved {
  Matrix S, T, P;
  double misfit = 0;
};

// With mu given, the leaf's X and P follow from its U one after the other, and
//   U_m T - S = given_m + mu (X_m - P_m) - (mu + c_m) U_m
// is linear in S and T. S drops out of differences; P is what it was when the iteration began.
Solved solve(const std::vector<LeafStep>& steps, const Matrix& U_before, Matrix P, double mu) {
  const Index rows = steps.front().U.rows();
  const Index rank = steps.front().U.cols();
  const auto count = static_cast<Index>(steps.size());
  Matrix left(count * rows, rank);
  Matrix right(count * rows, rank);
  Matrix U = U_before;
  for (Index m = 0; m < count; ++m) {
    const LeafStep& step = steps[static_cast<std::size_t>(m)];
    const Matrix X = (U + P).cwiseMax(0);
    left.middleRows(m * rows, rows) = step.U;
    right.middleRows(m * rows, rows) = step.given + mu * (X - P) - (mu + step.c) * step.U;
    U = step.U;
    P += U - X;
  }
  Matrix left_mean = Matrix::Zero(rows, rank);
  Matrix right_mean = left_mean;
  for (Index m = 0; m < count; ++m) {
    left_mean += left.middleRows(m * rows, rows) / static_cast<double>(count);
    right_mean += right.middleRows(m * rows, rows) / static_cast<double>(count);
  }
  for (Index m = 0; m < count; ++m) {
    left.middleRows(m * rows, rows) -= left_mean;
    right.middleRows(m * rows, rows) -= right_mean;
  }
  Solved out;
  out.T = left.colPivHouseholderQr().solve(right);
  out.misfit = (left * out.T - right).norm();
  out.T = (out.T + out.T.transpose()).eval() / 2;
  out.S = left_mean * out.T - right_mean;
  out.P = P;
  return out;
}

// mu is the automatic one of T: the root of mu - 0.3 trace(T(mu))/K, by the secant method.
double find_mu(const protocol::RunSettings& s, const std::vector<LeafStep>& steps, const Matrix& U_before,
               const Matrix& P_times_mu) {
  if (s.mu) return *s.mu / (*s.data_scale * *s.data_scale);
  const auto gap = [&](double mu) {
    return nmf::automatic_mu(nmf::left_curvature_of(solve(steps, U_before, P_times_mu / mu, mu).T)) - mu;
  };
  double a = nmf::automatic_mu(nmf::kSmallestCurvature);
  double b = std::max(2 * a, nmf::automatic_mu(1));
  double gap_a = gap(a);
  double gap_b = gap(b);
  for (int step = 0; step < 60 && gap_a != gap_b && std::abs(gap_b) > 1e-13 * b; ++step) {
    const double next = std::max(nmf::automatic_mu(nmf::kSmallestCurvature), b - gap_b * (b - a) / (gap_b - gap_a));
    a = b;
    gap_a = gap_b;
    b = next;
    gap_b = gap(b);
  }
  return b;
}

Eigen::VectorXd column_of(const Matrix& S, const Matrix& T) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(T);
  const Index last = T.rows() - 1;
  const double squared = std::max(eigen.eigenvalues()(last), std::numeric_limits<double>::min());
  Vector y = std::sqrt(squared) * eigen.eigenvectors().col(last);
  if (y.sum() < 0) y = -y;
  return S * y / squared;
}

}  // namespace

std::optional<MomentClaim> leaf_moments(const AttackerView& view, AgentId leaf, const std::vector<WeightClaim>& claims,
                                        std::uint32_t last_iteration) {
  const protocol::RunSettings& s = view.settings;
  const std::vector<LeafStep> steps = replay_leaf(view, leaf, claims);
  Matrix U = view.X0;
  Matrix P_times_mu = Matrix::Zero(s.rows, s.rank);
  std::optional<MomentClaim> best;
  for (auto first = steps.begin(); first != steps.end() && first->round.iteration <= last_iteration;) {
    const auto end = std::find_if(first, steps.end(),
                                  [&](const LeafStep& x) { return x.round.iteration != first->round.iteration; });
    const std::vector<LeafStep> iteration(first, end);
    if (iteration.size() < 2) return best;
    const double mu = find_mu(s, iteration, U, P_times_mu);
    const Solved solved = solve(iteration, U, P_times_mu / mu, mu);
    U = iteration.back().U;
    P_times_mu = mu * solved.P;
    // Before the first Y step there is nothing to find; after it, the later the more has moved.
    if (solved.T.trace() > 1e-3 * static_cast<double>(s.rank)) {
      best = MomentClaim{first->round.iteration, solved.S, solved.T, column_of(solved.S, solved.T) * view.scale};
    }
    first = end;
  }
  return best;
}

}  // namespace ppdnmf::audit
