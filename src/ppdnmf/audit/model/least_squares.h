// Levenberg-Marquardt with a prior: what an attacker uses to find numbers that would explain what it saw.
#ifndef PPDNMF_AUDIT_MODEL_LEAST_SQUARES_H_
#define PPDNMF_AUDIT_MODEL_LEAST_SQUARES_H_

#include <functional>
#include <vector>

#include <ppdnmf/data/matrix.h>

namespace ppdnmf::audit {

using Vector = Eigen::VectorXd;

// What is to be explained: observed = model(parameters) + noise, with parameters that are likely near `mean`.
struct FitProblem {
  std::function<Vector(const Vector& parameters)> model;
  std::function<Matrix(const Vector& parameters, const Vector& at)> jacobian;  // `at`: the model there
  Vector observed;
  Vector deviation;  // of the noise, one per observation, positive
  Vector mean;       // of the prior
  Matrix precision;  // of the prior: inverse covariance of `block` parameters after each other, for every block
  Vector rest;       // precisions of the parameters after the last whole block
  Vector least;      // no parameter falls below; may be -infinity
};

struct FitResult {
  Vector parameters;
  double cost = 0;  // squares of (model - observed) / deviation, plus the prior's; per observation
  int steps = 0;    // evaluations of the Jacobian
};

// From `start`, with the deviations multiplied by each of `annealing` in turn (the last should be 1), at most `steps`
// Jacobians each. Deterministic.
[[nodiscard]] FitResult fit(const FitProblem& problem, const Vector& start, const std::vector<double>& annealing,
                            int steps);

// The square roots of the mean squared errors of the parameters if the model were linear around `parameters`: what no
// unbiased use of these observations improves on.
[[nodiscard]] Vector linear_bound(const FitProblem& problem, const Vector& parameters);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_MODEL_LEAST_SQUARES_H_
