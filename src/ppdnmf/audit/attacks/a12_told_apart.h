// A12 on sums: a relay tells one child another total than everybody else. The child then works on another X, and the
// next total, less what the relay expected, says what that made of its numbers: a question put to one agent alone.
#ifndef PPDNMF_AUDIT_ATTACKS_A12_TOLD_APART_H_
#define PPDNMF_AUDIT_ATTACKS_A12_TOLD_APART_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <ppdnmf/audit/model/view.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::audit {

// What a relay that is the root of the tree needs for it.
struct ToldApart {
  AgentId relay;
  AgentId child;
  std::uint32_t number = 0;  // of the sum whose total the child is told wrong
  Digest chain{};  // on which everybody else's next part hangs: the relay passes the child's off as one of these
  std::shared_ptr<protocol::Words> next = std::make_shared<protocol::Words>();  // the next total as the relay came to know it; empty: never
};
[[nodiscard]] std::function<std::vector<protocol::Message>(AgentId, AgentId, const protocol::Message&)> telling_apart(
    const ToldApart& attack);

// The chain of a part of the sum after `number` that reached the coalition's one member; zeros if none did.
[[nodiscard]] Digest chain_after(const AttackerView& view, std::uint32_t number);
// The number of the first sum over an exchange; kNever if there was none.
[[nodiscard]] std::uint32_t first_exchange(const AttackerView& view);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A12_TOLD_APART_H_
