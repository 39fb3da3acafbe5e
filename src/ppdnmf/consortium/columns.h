// Whether a member brings enough columns to the run that the consortium describes (protocol/column_minimum.h).
#ifndef PPDNMF_CONSORTIUM_COLUMNS_H_
#define PPDNMF_CONSORTIUM_COLUMNS_H_

#include <optional>

#include <ppdnmf/base/ids.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/consortium/check.h>

namespace ppdnmf::consortium {

// What member `self` asks before it takes part, when nobody knows `total`, the number of all members' columns, and
// again when it does. Fails with kInvalidData, saying what to do: without a column; with fewer than column_minimum says
// of each member, unless allow_few_columns names it; with fewer of all others, unless it names all of them, since it is
// theirs that would be found out. A throw-away run has nothing to protect and takes any number above zero.
[[nodiscard]] Status check_columns(const CheckedConsortium& consortium, AgentId self, Index own,
                                   std::optional<Index> total = std::nullopt);

}  // namespace ppdnmf::consortium

#endif  // PPDNMF_CONSORTIUM_COLUMNS_H_
