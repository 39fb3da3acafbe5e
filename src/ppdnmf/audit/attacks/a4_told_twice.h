// A4 on sums: two parts of one sum under the same masks open their difference. A relay tells its children every total a
// second time, another one, and hopes that somebody computes and contributes twice.
#ifndef PPDNMF_AUDIT_ATTACKS_A4_TOLD_TWICE_H_
#define PPDNMF_AUDIT_ATTACKS_A4_TOLD_TWICE_H_

#include <cstddef>
#include <vector>

#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/view.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// What the relay sends: every total, and a different one under the same number.
[[nodiscard]] Deviation telling_twice(AgentId relay);

// Parts that reached the coalition's one member, and how many of them were a second, different one of a sum.
struct PartCount {
  std::size_t all = 0;
  std::size_t second = 0;
};
[[nodiscard]] PartCount count_parts(const AttackerView& view);

// What two parts under the same masks say: by how much the numbers differ.
[[nodiscard]] std::vector<double> opened_difference(const protocol::Words& first, const protocol::Words& second);

// The share of parts that were sent twice, differently, for one sum.
[[nodiscard]] Result<Trial> told_twice_trial(const AuditSetup& setup, std::uint64_t seed);
// Of a replier that does it: whether the difference of its numbers was found.
[[nodiscard]] Result<Trial> careless_part_trial(std::uint64_t seed);

// Its rows of the audit's table.
void plan_telling_twice(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A4_TOLD_TWICE_H_
