#include <ppdnmf/audit/model/honest_sum.h>

#include <algorithm>

#include <ppdnmf/base/result.h>
#include <ppdnmf/protocol/neighbours/edge_factors.h>

namespace ppdnmf::audit {

double factor_of(const AttackerView& view, AgentId a, AgentId b) {
  return view.settings.common_weights() ? protocol::neighbours::edge_factor(view.settings.factors, a, b) : 1;
}

protocol::Round round_of(const protocol::RunSettings& settings, int round) {
  return {static_cast<std::uint32_t>(round / settings.admm_x + 1),
          static_cast<std::uint32_t>(round % settings.admm_x + 1)};
}

HonestSum honest_sum(const AttackerView& view, AgentId id, protocol::Round round) {
  const MemberView& member = view.members.at(id);
  const Index size = view.settings.rows * view.settings.rank;
  const OpenedSum* sum = opened_in(member, round);
  PPDNMF_CHECK(sum != nullptr);
  const std::vector<std::int64_t> u = own_u(member, round, size);
  const std::vector<AgentId>& neighbours = view.graph.neighbours(id);
  HonestSum out{Vector(size), 0};
  if (view.settings.common_weights()) {
    for (const AgentId j : neighbours) out.weights += factor_of(view, id, j);
  } else {
    out.weights = static_cast<double>(sum->values.back());  // the slot of secret weights
  }
  // sum_j m_j (u_j - u_i) + u_i sum_j m_j, less what the coalition itself put in.
  for (Index t = 0; t < size; ++t) {
    const auto k = static_cast<std::size_t>(t);
    out.weighted(t) = static_cast<double>(sum->values[k]) + out.weights * static_cast<double>(u[k]);
  }
  for (const AgentId j : neighbours) {
    if (!view.has(j)) continue;
    const MemberView& friendly = view.members.at(j);
    const auto reply = std::find_if(friendly.replies.begin(), friendly.replies.end(),
                                    [&](const OwnReply& r) { return r.round == round && r.asker == id; });
    PPDNMF_CHECK(reply != friendly.replies.end());
    const auto weight = static_cast<double>(reply->weight);
    for (Index t = 0; t < size; ++t) {
      out.weighted(t) -= weight * static_cast<double>(reply->u[static_cast<std::size_t>(t)]);
    }
    out.weights -= weight;
  }
  return out;
}

}  // namespace ppdnmf::audit
