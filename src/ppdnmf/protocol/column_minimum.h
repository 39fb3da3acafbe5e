// How many columns must stand behind what others see of an agent. The one place where these numbers are.
//
// Attacks that fit columns to what was opened find all of few columns and none of many (docs/threat_model.md). What is
// few depends on the scheme:
//   hardened     an agent's own numbers enter sums over a neighbourhood, one U per agent: each agent needs `per_agent`
//                columns, and not fewer than the rank, since fewer leave their mark as a plane in its first U
//   sum          totals over many rounds come close to Z Z^T of all others, rows (rows + 1) / 2 numbers. Behind them
//                must be several times as many unknowns: 2 rows columns are rows 2 rows, four times as many
//   as printed   no number of columns helps
#ifndef PPDNMF_PROTOCOL_COLUMN_MINIMUM_H_
#define PPDNMF_PROTOCOL_COLUMN_MINIMUM_H_

#include <cstdint>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::protocol {

// No run has more columns in all; a total above it is somebody's invention.
inline constexpr Index kMaxColumns = Index{1} << 40;

inline constexpr Index kFewestColumnsPerAgent = 20;
inline constexpr Index kFewestColumnsOfOthers = 40;

struct ColumnMinimum {
  Index of_each = 0;    // columns of every agent; 0: no such rule
  Index of_others = 0;  // columns of all agents but any one; 0: no such rule
};

// `per_agent` is what the members agreed on; it can only be raised by the rank.
[[nodiscard]] ColumnMinimum column_minimum(SchemeKind scheme, Index rows, Index rank,
                                           Index per_agent = kFewestColumnsPerAgent);

// What an agent of a real run asks before it sends anything that depends on its data but the number of columns: `own`
// columns of `total`. Fails with kInvalidData, saying what to do. What the members allowed by name is the caller's to
// know: an agent with few columns that may have them, or, of the rule about others, all others.
[[nodiscard]] Status check_columns(const ColumnMinimum& minimum, Index own, Index total);

// The same for a network whose columns are all known, as warnings. At most one sentence for each rule.
[[nodiscard]] std::vector<std::string> few_column_notes(const ColumnMinimum& minimum,
                                                        const std::vector<Index>& columns);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_COLUMN_MINIMUM_H_
