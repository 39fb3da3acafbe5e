// The paper's synthetic data: X 30 x 5 and Y 5 x 200 exponential, Gaussian noise of variance 3.6e-4, ten agents with
// four to forty columns each, mu = 0.1, eta = 1, g = 0.033, N_max = 1e6, thirty ADMM iterations.
#ifndef PPDNMF_TESTS_SCENARIO_PAPER_PROBLEM_H_
#define PPDNMF_TESTS_SCENARIO_PAPER_PROBLEM_H_

#include "tests/scenario/harness.h"
#include <ppdnmf/experiment/synthetic_data.h>

namespace ppdnmf::scenario {

// The paper's first experiment, with fewer iterations.
inline Problem paper_problem(std::uint64_t seed, nmf::Updates updates, int iterations = 60, int admm = 30) {
  const Matrix Z = experiment::make_synthetic_data(seed).Z;
  Problem problem{topology("random:3", 10, seed), {}, {}};
  Index first = 0;
  for (const Index count : experiment::synthetic_columns()) {
    problem.Z.emplace_back(Z.middleCols(first, count));
    first += count;
  }
  protocol::RunSettings& s = problem.config.settings;
  s.rows = 30;
  s.rank = 5;
  s.updates = updates;
  s.scheme = updates == nmf::Updates::kAsPrinted ? protocol::SchemeKind::kAsPrinted : protocol::SchemeKind::kHardened;
  s.y_first = false;
  s.local_rounds = 1;
  s.iterations = iterations;
  s.admm_x = admm;
  s.admm_y = admm;
  s.mu = 0.1;
  s.eta = 1;
  s.weight = 0.033;
  s.data_scale = 1;
  protocol::complete(s, problem.graph);
  problem.config.seed = seed;
  set_cipher(problem);
  return problem;
}

}  // namespace ppdnmf::scenario

#endif  // PPDNMF_TESTS_SCENARIO_PAPER_PROBLEM_H_
