#include <ppdnmf/audit/model/least_squares.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>

namespace ppdnmf::audit {
namespace {

// The prior's part of the normal equations: block by block, then the rest.
Vector prior_times(const FitProblem& p, const Vector& v) {
  Vector out(v.size());
  const Index block = p.precision.rows();
  Index at = 0;
  for (; block > 0 && at + block <= v.size() - p.rest.size(); at += block) {
    out.segment(at, block) = p.precision * v.segment(at, block);
  }
  out.tail(p.rest.size()) = p.rest.cwiseProduct(v.tail(p.rest.size()));
  return out;
}

void add_prior(const FitProblem& p, Matrix& normal) {
  const Index block = p.precision.rows();
  for (Index at = 0; block > 0 && at + block <= normal.rows() - p.rest.size(); at += block) {
    normal.block(at, at, block, block) += p.precision;
  }
  normal.diagonal().tail(p.rest.size()) += p.rest;
}

double cost_of(const FitProblem& p, const Vector& residual, const Vector& parameters, double noise) {
  const Vector offset = parameters - p.mean;
  const double data = residual.cwiseQuotient(p.deviation).squaredNorm() / (noise * noise);
  const double cost = data + offset.dot(prior_times(p, offset));
  return std::isfinite(cost) ? cost : std::numeric_limits<double>::infinity();
}

struct NormalEquations {
  Matrix matrix;
  Vector gradient;
};

NormalEquations normal_equations(const FitProblem& p, const Vector& parameters, const Vector& at, double noise) {
  Matrix J = p.jacobian(parameters, at);
  for (Index row = 0; row < J.rows(); ++row) J.row(row) /= p.deviation(row) * noise;
  const Vector residual = (at - p.observed).cwiseQuotient(p.deviation) / noise;
  NormalEquations out{Matrix::Zero(J.cols(), J.cols()), J.transpose() * residual + prior_times(p, parameters - p.mean)};
  out.matrix.selfadjointView<Eigen::Lower>().rankUpdate(J.transpose());
  out.matrix.triangularView<Eigen::StrictlyUpper>() = out.matrix.transpose();
  add_prior(p, out.matrix);
  return out;
}

// One stage: until the steps are used up, nothing improves, or improvements are small.
void descend(const FitProblem& p, double noise, int steps, FitResult& result) {
  constexpr double kSmallGain = 1e-4;
  constexpr double kMaxDamping = 1e8;
  Vector at = p.model(result.parameters);
  double cost = cost_of(p, at - p.observed, result.parameters, noise);
  double damping = 1e-3;
  for (int step = 0; step < steps && damping < kMaxDamping; ++step) {
    const NormalEquations equations = normal_equations(p, result.parameters, at, noise);
    ++result.steps;
    bool improved = false;
    bool small = false;
    while (!improved && damping < kMaxDamping) {
      Matrix damped = equations.matrix;
      damped.diagonal() += damping * equations.matrix.diagonal();
      const Vector next = (result.parameters - damped.selfadjointView<Eigen::Lower>().llt().solve(equations.gradient))
                              .cwiseMax(p.least);
      const Vector there = p.model(next);
      const double new_cost = cost_of(p, there - p.observed, next, noise);
      improved = new_cost < cost;
      damping = improved ? std::max(damping / 5, 1e-12) : damping * 6;
      if (!improved) continue;
      small = cost - new_cost < kSmallGain * cost;
      result.parameters = next;
      at = there;
      cost = new_cost;
    }
    if (small) break;
  }
  result.cost = cost / static_cast<double>(p.observed.size());
}

}  // namespace

FitResult fit(const FitProblem& problem, const Vector& start, const std::vector<double>& annealing, int steps) {
  FitResult result{start.cwiseMax(problem.least), 0, 0};
  for (const double noise : annealing) descend(problem, noise, steps, result);
  return result;
}

Vector linear_bound(const FitProblem& problem, const Vector& parameters) {
  const NormalEquations equations = normal_equations(problem, parameters, problem.model(parameters), 1);
  const Matrix covariance = equations.matrix.selfadjointView<Eigen::Lower>().ldlt().solve(
      Matrix::Identity(parameters.size(), parameters.size()));
  return covariance.diagonal().cwiseMax(0).cwiseSqrt();
}

}  // namespace ppdnmf::audit
