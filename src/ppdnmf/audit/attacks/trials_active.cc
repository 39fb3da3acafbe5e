// A12 and A13.
#include <algorithm>
#include <cstdlib>

#include <ppdnmf/audit/attacks/a12_probing.h>
#include <ppdnmf/audit/attacks/a13_poisoning.h>
#include <ppdnmf/audit/model/setups.h>

namespace ppdnmf::audit {

Result<Trial> probing_trial(const AuditSetup& setup, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed, 6);
  problem.deviation = probing(kAttacker, problem.graph);
  PPDNMF_TRY(const Recording run, record(problem));
  int right = 0;
  int all = 0;
  for (const WeightClaim& claim : read_probes(run.view(kAttacker))) {
    for (const OwnReply& reply : run.all_of(claim.of).replies) {
      if (reply.asker != kAttacker || reply.round != claim.round) continue;
      ++all;
      right +=
          (claim.u.empty() ? reply.weight == claim.weight : std::abs(reply.u.back() - claim.u.back()) <= 1) ? 1 : 0;
    }
  }
  return Trial{all == 0 ? 0 : right / static_cast<double>(all), 0};
}

namespace {

Result<Trial> poisoned_curvature_trial(const AuditSetup& setup, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed);
  PPDNMF_TRY(const Recording clean, record(problem));
  constexpr double kClaim = 1e12;
  problem.deviation = poisoning_sums(kAttacker, kClaim);
  const auto poisoned = record(problem);
  if (!poisoned) return Trial{0, 1};
  return Trial{final_error(*poisoned, setup) / final_error(clean, setup), 1};
}

}  // namespace

Result<Trial> poisoning_trial(const AuditSetup& setup, std::uint64_t seed) {
  if (!setup.bare) return poisoned_curvature_trial(setup, seed);
  AuditProblem problem = problem_of(setup, seed, 30);
  const auto largest = [](const Recording& run) {
    std::int64_t weight = 0;
    for (std::uint32_t i = 1; i < run.graph().agents(); ++i) {
      weight = std::max(weight, run.all_of(AgentId{i}).replies.back().weight);
    }
    return static_cast<double>(weight);
  };
  PPDNMF_TRY(const Recording clean, record(problem));
  problem.deviation = poisoning(kAttacker, 1, std::int64_t{1} << 40);
  const auto poisoned = record(problem);
  if (!poisoned) return Trial{0, 1};  // the run ended with a sentence
  return Trial{largest(*poisoned) / largest(clean), 1};
}

}  // namespace ppdnmf::audit
