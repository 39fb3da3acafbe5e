#include <ppdnmf/audit/attacks/a12_probing.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <ppdnmf/audit/model/honest_sum.h>
#include <ppdnmf/nmf/penalties.h>

namespace ppdnmf::audit {
namespace {

// Above any sum of weights in a small neighbourhood, below what a question may hold.
constexpr std::int64_t kProbe = std::int64_t{1} << 27;

const OwnQuery& own_query(const MemberView& member, protocol::Round round) {
  return *std::find_if(member.queries.begin(), member.queries.end(),
                       [&](const OwnQuery& query) { return query.round == round; });
}

AgentId singled_out(const std::vector<AgentId>& neighbours, protocol::Round round) {
  return neighbours[(round.bcd + round.admm) % neighbours.size()];
}

}  // namespace

std::function<std::vector<protocol::Message>(AgentId, AgentId, const protocol::Message&)> probing(AgentId prober, const protocol::Graph& graph) {
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

double trace_from_weight(const AttackerView& view, const WeightClaim& first) {
  const protocol::RunSettings& s = view.settings;
  const double g = static_cast<double>(first.weight) / s.g_scale;
  const double unit = nmf::automatic_weight(1, s.diameter, 1, s.bcd);
  return g * g / (unit * unit) * static_cast<double>(s.rank);
}

}  // namespace ppdnmf::audit
