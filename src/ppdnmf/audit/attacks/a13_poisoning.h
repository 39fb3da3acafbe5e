// A13: a replier that claims an absurd number in the weight slot raises the asker's weight, which never falls again and
// spreads to the asker's neighbours.
#ifndef PPDNMF_AUDIT_ATTACKS_A13_POISONING_H_
#define PPDNMF_AUDIT_ATTACKS_A13_POISONING_H_

#include <functional>
#include <vector>

#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

// What the poisoner sends (plain integers): its answers of one BCD iteration claim `claim` more than its weight.
[[nodiscard]] std::function<std::vector<protocol::Message>(AgentId, AgentId, const protocol::Message&)> poisoning(AgentId poisoner,
                                                                                              std::uint32_t bcd,
                                                                                              std::int64_t claim);

// The same where weights are common: its part of the sum from which the first one is made, or the total if it is the
// root of the tree, has `claim` more.
[[nodiscard]] std::function<std::vector<protocol::Message>(AgentId, AgentId, const protocol::Message&)> poisoning_sums(AgentId poisoner,
                                                                                                   double claim);

// The same in the exchange sum, whose parts are S, T and the squared error: in sum `number` the poisoner's part has
// `moments` more in every entry of S, and its squared error is less by `error_less`: a step that looks so good that
// none after it is taken.
struct PoisonedPart {
  std::uint32_t number = 0;
  double moments = 0;
  double error_less = 0;
};
[[nodiscard]] std::function<std::vector<protocol::Message>(AgentId, AgentId, const protocol::Message&)> poisoning_part(
    AgentId poisoner, const protocol::RunSettings& settings, const PoisonedPart& poison);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A13_POISONING_H_
