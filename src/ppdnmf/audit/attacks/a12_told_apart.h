// A12 on sums: a relay tells one child another total than everybody else. The child then works on another X, and the
// next total, less what the relay expected, says what that made of its numbers: a question put to one agent alone.
#ifndef PPDNMF_AUDIT_ATTACKS_A12_TOLD_APART_H_
#define PPDNMF_AUDIT_ATTACKS_A12_TOLD_APART_H_

#include <cstdint>
#include <memory>
#include <vector>

#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/view.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// What a relay that is the root of the tree needs for it.
struct ToldApart {
  AgentId relay;
  AgentId child;
  std::uint32_t number = 0;  // of the sum whose total the child is told wrong
  Digest chain{};  // that everybody else's next part carries: the relay passes the child's off as one of these
  std::shared_ptr<protocol::Words> next =
      std::make_shared<protocol::Words>();  // the next total as the relay came to know it; empty: never
};
[[nodiscard]] Deviation telling_apart(const ToldApart& attack);

// The chain of a part of the sum after `number` that reached the coalition's one member; zeros if none did.
[[nodiscard]] Digest chain_after(const AttackerView& view, std::uint32_t number);

// Whether a sum opened after its members had been told different totals.
[[nodiscard]] Result<Trial> told_apart_trial(const AuditSetup& setup, bool masked, std::uint64_t seed);

// Its rows of the audit's table.
void plan_telling_apart(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A12_TOLD_APART_H_
