// The part of TOML that consortium files are written in, checked before toml++ sees them.
//
// toml++ 3.3 is a good parser of files that are meant well: hostile ones made it overflow its stack, fail its own
// assertions and reach undefined behaviour. So each line must be of a kind that our files have: a comment, [table] or
// [[table]], `name = value`, a line of a list, or base64 between """ and """. Names are small letters and '_'; there
// are no dotted or quoted names, inline tables, escapes, or letters beyond ASCII. Only a text that has its line to
// itself may hold every other letter of ASCII; toml++ does not look at those.
#ifndef PPDNMF_CONSORTIUM_INTERNAL_SUBSET_H_
#define PPDNMF_CONSORTIUM_INTERNAL_SUBSET_H_

#include <string_view>

#include <ppdnmf/base/result.h>

namespace ppdnmf::consortium::internal {

inline constexpr std::size_t kMaxLineBytes = 512;

// Fails with kInvalidData, naming the line.
[[nodiscard]] Status check_subset(std::string_view text);

}  // namespace ppdnmf::consortium::internal

#endif  // PPDNMF_CONSORTIUM_INTERNAL_SUBSET_H_
