// One trial: a problem, one algorithm, and what was measured on the way. Pure and deterministic.
#ifndef PPDNMF_EXPERIMENT_TRIAL_H_
#define PPDNMF_EXPERIMENT_TRIAL_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/experiment/variant.h>

namespace ppdnmf::experiment {

struct TrialProblem {
  Matrix Z;                    // all columns, agent after agent
  std::vector<Index> columns;  // of each agent
  Index rank = 1;
  PaperParameters paper;
  std::uint64_t seed = 1;  // of the start, the graph (random:3) and the agents' secrets
  bool keep_pictures = false;
};

// After one iteration. `worst_agent_error` (every agent's X on everybody's data, the best Y for it, the largest
// error) is not a number where it was not measured: it costs more than the iteration. The centre's X counts as the only
// agent's.
struct CurvePoint {
  int iteration = 0;
  std::int64_t rounds = 0;
  double nmse = 0;
  double relative_error = 0;
  double disagreement = 0;
  double worst_agent_error = 0;
};

struct TrialOutcome {
  std::vector<CurvePoint> curve;  // one for each iteration
  // With keep_pictures: the first agent's X; and four columns: the first and the last column of Z as their owners
  // reconstruct them (X_i Y_i), then the same two in the best coordinates for the other one's X.
  Matrix basis;
  Matrix pictures;
};

// The iterations at which worst_agent_error is measured: 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, ... and
// the last.
[[nodiscard]] bool is_measured(int iteration, int last);

// Asked now and then; true: give up.
using StopQuestion = std::function<bool()>;

// Nothing if `stop` said so. Fails as Simulation and Factorization do.
[[nodiscard]] Result<std::optional<TrialOutcome>> run_trial(const TrialProblem& problem, const Variant& variant,
                                                            const StopQuestion& stop);

[[nodiscard]] Bytes encode(const TrialOutcome& outcome);
// Fails with kInvalidData if the bytes are not what `encode` gives.
[[nodiscard]] Result<TrialOutcome> decode_trial(ByteSpan bytes);

}  // namespace ppdnmf::experiment

#endif  // PPDNMF_EXPERIMENT_TRIAL_H_
