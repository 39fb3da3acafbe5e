// What joining is worth: columns that nobody has learned from, in the X of one agent alone, of the agents together, and
// of a centre that holds all the data. Pure and deterministic.
#ifndef PPDNMF_EXPERIMENT_JOINING_H_
#define PPDNMF_EXPERIMENT_JOINING_H_

#include <cstdint>
#include <optional>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/experiment/trial.h>

namespace ppdnmf::experiment {

// Relative errors of the held-out columns, each with its best nonnegative coordinates.
struct JoiningOutcome {
  std::vector<double> alone;  // with the X that each agent learns from its own columns
  double together = 0;        // with the worst agent's X of a network with the product's defaults
  double centre = 0;          // with the X that one machine learns from all training columns
  Index held_out = 0;         // columns
  Index rank_alone = 0;       // the smallest rank that an agent alone could reach with its columns
};

// Which of `columns` (of each agent) are held out: one in five of all, chosen by the seed, in rising order; every agent
// keeps at least half of its columns, and at least one. Fails with kUsage if nothing can be held out.
[[nodiscard]] Result<std::vector<Index>> choose_held_out(const std::vector<Index>& columns, std::uint64_t seed);

// All three learn with the product's defaults, in at most 100 iterations. An agent alone has few columns: its rank
// is what they allow, at most problem.rank. Nothing if `stop` said so. Fails as choose_held_out, Factorization and
// Simulation do.
[[nodiscard]] Result<std::optional<JoiningOutcome>> run_joining(const TrialProblem& problem, const StopQuestion& stop);

[[nodiscard]] Bytes encode(const JoiningOutcome& outcome);
[[nodiscard]] Result<JoiningOutcome> decode_joining(ByteSpan bytes);

}  // namespace ppdnmf::experiment

#endif  // PPDNMF_EXPERIMENT_JOINING_H_
