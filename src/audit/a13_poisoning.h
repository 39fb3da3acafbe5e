// A13: a replier that claims an absurd number in the weight slot raises the asker's weight, which never falls again and
// spreads to the asker's neighbours.
#ifndef PPDNMF_AUDIT_A13_POISONING_H_
#define PPDNMF_AUDIT_A13_POISONING_H_

#include <functional>
#include <vector>

#include "audit/view.h"

namespace ppdnmf {

// What the poisoner sends (plain integers): its answers of one BCD iteration claim `claim` more than its weight.
[[nodiscard]] std::function<std::vector<Message>(AgentId, AgentId, const Message&)> poisoning(AgentId poisoner,
                                                                                              std::uint32_t bcd,
                                                                                              std::int64_t claim);

}  // namespace ppdnmf

#endif  // PPDNMF_AUDIT_A13_POISONING_H_
