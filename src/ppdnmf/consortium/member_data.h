// A member's own data, held against what the consortium agreed on.
#ifndef PPDNMF_CONSORTIUM_MEMBER_DATA_H_
#define PPDNMF_CONSORTIUM_MEMBER_DATA_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <ppdnmf/base/result.h>
#include <ppdnmf/consortium/consortium.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/io/validate.h>

namespace ppdnmf::consortium {

// The table with its rows in the consortium's order and under the consortium's names, checked as check_nonnegative
// does. Rows are put in order by name where both sides have names; where only one has, they are taken as they stand and
// a note says so, as it does where there are more columns than a private run counts on. `file` is for sentences. Fails
// with kInvalidData: another number of rows, a row that is missing, unknown or there twice (each with its name and how
// many more there are), or as check_nonnegative.
[[nodiscard]] Result<io::CheckedTable> arrange_rows(io::Table table, std::string_view file, bool clip_negative,
                                                    const Consortium& consortium);

// Whether X can be gone on from. Fails with kUsage: another shape than the run's X, an entry that is negative or no
// number.
[[nodiscard]] Status check_start_matrix(const Matrix& X, const Consortium& consortium);

// Holds what the operator gave against consortium.start_from. Fails with kUsage if one is there without the other, if
// it is another X than the file's, or as check_start_matrix.
[[nodiscard]] Status check_start_from(const std::optional<Matrix>& X, const Consortium& consortium);

// The known columns of a file, with their rows in the consortium's order. Fails as io::read_known_columns and
// protocol::check_known do.
[[nodiscard]] Result<std::shared_ptr<const nmf::KnownColumns>> read_known(const std::string& file,
                                                                          const Consortium& consortium);
// Holds what the operator gave, or null, against consortium.known. Fails with kUsage if one is there without the other,
// or if they are others than the file's.
[[nodiscard]] Status check_known(const nmf::KnownColumns* known, const Consortium& consortium);

}  // namespace ppdnmf::consortium

#endif  // PPDNMF_CONSORTIUM_MEMBER_DATA_H_
