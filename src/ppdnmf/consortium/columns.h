// Whether a member brings enough columns to the run that the consortium describes (protocol/column_minimum.h).
#ifndef PPDNMF_CONSORTIUM_COLUMNS_H_
#define PPDNMF_CONSORTIUM_COLUMNS_H_

#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/ids.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/consortium/check.h>
#include <ppdnmf/data/columns.h>

namespace ppdnmf::consortium {

// What member `self` asks before it takes part, when nobody knows `total`, the number of all members' columns, and
// again when it does. Fails with kInvalidData, saying what to do: without a column; with fewer than column_minimum says
// of each member, unless allow_few_columns names it; with fewer of all others, unless it names all of them, since it is
// theirs that would be found out; of private moments with more than kColumnsAbout (protocol/opening_checks.h) times the
// columns that the file states. A throw-away run has nothing to protect and takes any number above zero.
[[nodiscard]] Status check_columns(const CheckedConsortium& consortium, AgentId self, Index own,
                                   std::optional<Index> total = std::nullopt);

// Whether the member's own columns have a crowd around them, where totals are exact (protocol/own_columns.h); asked
// before its first message, and again when a cap is known. Fails with kInvalidData unless allow_few_columns names the
// member; a throw-away run is not asked.
[[nodiscard]] Status check_crowd(const CheckedConsortium& consortium, AgentId self, const data::SharedColumns& columns,
                                 const std::vector<std::string>& row_names, std::optional<double> cap = std::nullopt);

}  // namespace ppdnmf::consortium

#endif  // PPDNMF_CONSORTIUM_COLUMNS_H_
