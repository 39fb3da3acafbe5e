// What a member of a coalition knows of its other neighbours together after one hardened round.
#ifndef PPDNMF_AUDIT_MODEL_HONEST_SUM_H_
#define PPDNMF_AUDIT_MODEL_HONEST_SUM_H_

#include <ppdnmf/audit/model/least_squares.h>
#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

struct HonestSum {
  Vector weighted;     // sum of m_j u_j over the neighbours outside the coalition, in quanta
  double weights = 0;  // sum of their m_j
};

// m_j is the edge's factor where weights are common (protocol/edge_factors.h), else the neighbour's secret weight.
[[nodiscard]] HonestSum honest_sum(const AttackerView& view, AgentId member, protocol::Round round);

// The factor of an edge; 1 where weights are secret.
[[nodiscard]] double factor_of(const AttackerView& view, AgentId a, AgentId b);

// The round with the number 0, 1, ... when no X step ends early.
[[nodiscard]] protocol::Round round_of(const protocol::RunSettings& settings, int round);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_MODEL_HONEST_SUM_H_
