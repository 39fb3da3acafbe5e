// A1: the entries of an answer are multiples of the answering agent's weight, unless they are blinded. Their greatest
// common divisor is the weight, and then its factor is known, too.
#ifndef PPDNMF_AUDIT_ATTACKS_A1_COMMON_DIVISOR_H_
#define PPDNMF_AUDIT_ATTACKS_A1_COMMON_DIVISOR_H_

#include <vector>

#include <ppdnmf/audit/model/claims.h>
#include <ppdnmf/audit/model/view.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// One claim per neighbour and sum that a coalition of one opened. A sum over several neighbours is taken for an answer
// of each of them alone.
[[nodiscard]] std::vector<WeightClaim> common_divisors(const AttackerView& view);

// Its rows of the audit's table.
void plan_common_divisors(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A1_COMMON_DIVISOR_H_
