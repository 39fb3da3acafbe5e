// A member's own data, held against what the consortium agreed on.
#ifndef PPDNMF_CONSORTIUM_MEMBER_DATA_H_
#define PPDNMF_CONSORTIUM_MEMBER_DATA_H_

#include <string_view>

#include "base/result.h"
#include "consortium/consortium.h"
#include "io/table.h"
#include "io/validate.h"

namespace ppdnmf {

// The table with its rows in the consortium's order and under the consortium's names, checked as check_nonnegative
// does. Rows are put in order by name where both sides have names; where only one has, they are taken as they stand and
// a note says so. `file` is for sentences. Fails with kInvalidData: another number of rows, a row that is missing,
// unknown or there twice (each with its name and how many more there are), or as check_nonnegative.
[[nodiscard]] Result<CheckedTable> arrange_rows(Table table, std::string_view file, bool clip_negative,
                                                const AgreedSettings& settings);

}  // namespace ppdnmf

#endif  // PPDNMF_CONSORTIUM_MEMBER_DATA_H_
