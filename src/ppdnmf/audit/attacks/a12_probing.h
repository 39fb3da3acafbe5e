// A12: an asker that puts another number into the last slot of its question to one neighbour reads off the sum of all
// answers what that neighbour multiplies with. Where weights are secret and have a slot of their own, that is its
// weight; where they are common, it is a public factor, and the prober is left with the sum.
#ifndef PPDNMF_AUDIT_ATTACKS_A12_PROBING_H_
#define PPDNMF_AUDIT_ATTACKS_A12_PROBING_H_

#include <functional>
#include <optional>
#include <vector>

#include <ppdnmf/audit/attacks/a1_common_divisor.h>
#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

// What the prober sends instead of its questions (plain integers): every exchange singles out the next neighbour.
[[nodiscard]] std::function<std::vector<protocol::Message>(AgentId, AgentId, const protocol::Message&)> probing(AgentId prober,
                                                                                            const protocol::Graph& graph);

// What it then claims, one neighbour per exchange: secret weights, or (common weights) the last entry of that
// neighbour's u, as if the rest of the sum were like it.
[[nodiscard]] std::vector<WeightClaim> read_probes(const AttackerView& view);

// The first weight of an agent tells the trace of its Y Yᵀ (of scaled data), if it follows from that alone.
[[nodiscard]] double trace_from_weight(const AttackerView& view, const WeightClaim& first);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A12_PROBING_H_
