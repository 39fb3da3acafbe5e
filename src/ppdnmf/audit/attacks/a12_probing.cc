#include <ppdnmf/audit/attacks/a12_probing.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <ppdnmf/audit/model/honest_sum.h>
#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/setups.h>

namespace ppdnmf::audit {
namespace {

// Above any sum of weights in a small neighbourhood, below what a question may hold.
constexpr std::int64_t kProbe = std::int64_t{1} << 27;

const OwnQuery& own_query(const MemberView& member, protocol::Round round) {
  return *std::find_if(member.queries.begin(), member.queries.end(),
                       [&](const OwnQuery& query) { return query.round == round; });
}

AgentId singled_out(const std::vector<AgentId>& neighbours, protocol::Round round) {
  return neighbours[(round.iteration + round.admm) % neighbours.size()];
}

}  // namespace

Deviation probing(AgentId prober, const protocol::Graph& graph) {
  return [prober, neighbours = graph.neighbours(prober)](AgentId from, AgentId to, const protocol::Message& message) {
    protocol::Message out = message;
    auto* query = std::get_if<protocol::Query>(&out.body);
    if (from == prober && query != nullptr && to == singled_out(neighbours, query->round)) {
      std::memcpy(query->payload.data() + query->payload.size() - sizeof kProbe, &kProbe, sizeof kProbe);
    }
    return std::vector{out};
  };
}

std::vector<WeightClaim> read_probes(const AttackerView& view) {
  const std::vector<AgentId>& neighbours = view.graph.neighbours(view.self());
  std::vector<WeightClaim> claims;
  for (const OpenedSum& sum : view.alone().opened) {
    const AgentId of = singled_out(neighbours, sum.round);
    if (!view.settings.common_weights()) {
      // sum_k G_k + kProbe G_j
      claims.push_back({of, sum.round, sum.values.back() / kProbe, {}});
      continue;
    }
    // The question itself is known to the prober: sum_k s_k u_k - s_j u_i' - ..., u_i' what it said there.
    double factors = 0;
    for (const AgentId k : neighbours) factors += factor_of(view, view.self(), k);
    const double own = -static_cast<double>(own_query(view.alone(), sum.round).minus_u.back());
    const double factor = factor_of(view, view.self(), of);
    const double mean =
        (static_cast<double>(sum.values.back()) - factor * static_cast<double>(kProbe) + (factors - factor) * own) /
        factors;
    claims.push_back({of, sum.round, 0, {std::llround(mean)}});
  }
  return claims;
}

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

void plan_probing(Plan& plan) {
  for (const bool bare : {true, false}) {
    const AuditSetup s{kHardened, "ring", 4, 20, 20, 8, 3, false, bare};
    plan.add(Plan::row("A12", s, bare ? "share of single weights read" : "share of single entries of u read",
                       Measure::kShare),
             plan.seeds(bare ? 20 : 100, 3), [s](std::uint64_t seed) { return probing_trial(s, seed); });
  }
}

}  // namespace ppdnmf::audit
