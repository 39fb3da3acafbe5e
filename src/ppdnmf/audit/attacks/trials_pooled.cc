// A7 and A11.
#include <algorithm>
#include <cstdlib>
#include <limits>

#include <ppdnmf/audit/attacks/a7_pooled_parts.h>
#include <ppdnmf/audit/attacks/a7_pooled_sums.h>
#include <ppdnmf/audit/model/samples.h>
#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/totals.h>
#include <ppdnmf/protocol/isolation.h>
#include <ppdnmf/protocol/spanning_tree.h>
#include <ppdnmf/sim/topology.h>

namespace ppdnmf::audit {
namespace {

constexpr std::uint32_t kAgents = 10;
constexpr std::uint32_t kMostColluders = 5;

// The factor to a thousandth of its largest entry, and the weight where it is secret.
bool is_true(const Recording& run, const WeightClaim& claim) {
  const OwnReply& reply = run.all_of(claim.of).replies.front();
  std::int64_t largest = 0;
  std::int64_t off = 0;
  for (std::size_t t = 0; t < claim.u.size(); ++t) {
    largest = std::max(largest, std::abs(reply.u[t]));
    off = std::max(off, std::abs(claim.u[t] - reply.u[t]));
  }
  return 1000 * off <= largest;
}

}  // namespace

Result<Trial> pooled_trial(bool below, std::uint64_t seed) {
  const std::string topology = seed % 2 == 0 ? "random:4" : "random:3";
  AuditSetup setup{protocol::ExchangeKind::kHardened, topology, kAgents, 4, 4, 6, 2, false, false};
  const AuditProblem problem = problem_of(setup, seed, 1);
  PPDNMF_TRY(const Recording run, record(problem));
  const std::vector<protocol::Isolation> printed = protocol::isolation(problem.graph, protocol::ExchangeKind::kHardened);
  std::vector<std::uint32_t> fewest(kAgents, std::numeric_limits<std::uint32_t>::max());
  for (std::uint32_t set = 1; set < 1U << kAgents; ++set) {
    std::vector<AgentId> coalition;
    for (std::uint32_t i = 0; i < kAgents; ++i) {
      if (((set >> i) & 1U) != 0) coalition.push_back(AgentId{i});
    }
    if (coalition.size() > kMostColluders) continue;
    for (const WeightClaim& claim : pooled_sums(run.view(coalition), protocol::Round{1, 1})) {
      const auto helpers = static_cast<std::uint32_t>(coalition.size() - 1);
      if (is_true(run, claim)) fewest[claim.of.value] = std::min(fewest[claim.of.value], helpers);
    }
  }
  double count = 0;
  for (std::uint32_t j = 0; j < kAgents; ++j) {
    // Larger coalitions were not tried: an agent that needs one is only known not to fall below.
    const bool reachable = printed[j].colluders < kMostColluders;
    if (below && fewest[j] < printed[j].colluders) ++count;
    if (!below && reachable && fewest[j] != printed[j].colluders) ++count;
  }
  return Trial{count / kAgents, 0};
}

Result<Trial> pooled_totals_trial(std::uint32_t honest, std::uint64_t seed) {
  const AuditSetup setup{protocol::ExchangeKind::kSum, "random:3", 6, 20, 20, 10, 3, false, false};
  AuditProblem problem = problem_of(setup, seed, 2);
  problem.masks = true;
  PPDNMF_TRY(const Recording run, record(problem));
  // The target is a leaf of the tree; its parent colludes, and so do all others but `honest` - 1.
  const std::vector<protocol::TreePlace> tree = protocol::spanning_tree(problem.graph);
  std::uint32_t target = 0;
  while (!tree[target].children.empty() || !tree[target].parent) ++target;
  std::vector<AgentId> coalition{*tree[target].parent};
  for (std::uint32_t i = 0; coalition.size() < setup.agents - honest; ++i) {
    if (i != target && AgentId{i} != coalition.front()) coalition.push_back(AgentId{i});
  }
  const AttackerView view = run.view(coalition);
  nmf::DescentRequest first;
  first.X = run.X0();
  first.restart = true;
  const Vector truth = moments_of({first}, problem.Z[target] / run.scale(), setup.rank);
  const Vector guess = moments_of({first}, problem.Z[coalition.front().value] / run.scale(), setup.rank);
  const auto claim = pooled_part(view, AgentId{target});
  if (!claim) return error(ErrorCode::kInternal, "the target's part did not reach its parent");
  return Trial{std::min(1e9, relative_error_of(truth, *claim)), relative_error_of(truth, guess)};
}

}  // namespace ppdnmf::audit
