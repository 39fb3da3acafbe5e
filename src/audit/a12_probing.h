// A12: an asker that puts another number into the extra slot of its question to one neighbour reads that neighbour's
// weight off the sum of all answers.
#ifndef PPDNMF_AUDIT_A12_PROBING_H_
#define PPDNMF_AUDIT_A12_PROBING_H_

#include <functional>
#include <optional>
#include <vector>

#include "audit/a1_common_divisor.h"
#include "audit/view.h"

namespace ppdnmf {

// What the prober sends instead of its questions (plain integers): every exchange singles out the next neighbour.
[[nodiscard]] std::function<std::vector<Message>(AgentId, AgentId, const Message&)> probing(AgentId prober,
                                                                                            const Graph& graph);

// The weights it then reads, one per exchange.
[[nodiscard]] std::vector<WeightClaim> read_probes(const AttackerView& view);

// The first weight of an agent tells the trace of its Y Yᵀ (of scaled data), if it follows from that alone.
[[nodiscard]] double trace_from_weight(const AttackerView& view, const WeightClaim& first);

}  // namespace ppdnmf

#endif  // PPDNMF_AUDIT_A12_PROBING_H_
