// Whether a member brings enough columns to the run that the consortium describes (protocol/column_minimum.h).
#ifndef PPDNMF_CONSORTIUM_COLUMNS_H_
#define PPDNMF_CONSORTIUM_COLUMNS_H_

#include "base/ids.h"
#include "base/result.h"
#include "consortium/check.h"

namespace ppdnmf {

// What member `self` asks before it takes part (hardened: with total = own), and again when it knows the number of
// all members' columns. Fails with kUsage, saying what to do, unless allow_few_columns names the member (hardened) or
// all other members (sum, where it is theirs that would be found out).
[[nodiscard]] Status check_columns(const CheckedConsortium& consortium, AgentId self, Index own, Index total);

}  // namespace ppdnmf

#endif  // PPDNMF_CONSORTIUM_COLUMNS_H_
