#include <ppdnmf/protocol/column_minimum.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace ppdnmf::protocol {

ColumnMinimum column_minimum(SchemeKind scheme, Index rows, Index rank, Index per_agent) {
  switch (scheme) {
    case SchemeKind::kHardened:
      return {std::max(per_agent, rank), 0};
    case SchemeKind::kSum:
    case SchemeKind::kMoments:
      return {0, std::max(kFewestColumnsOfOthers, 2 * rows)};
    case SchemeKind::kAsPrinted:
      break;
  }
  return {};
}

Status check_columns(const ColumnMinimum& minimum, Index own, Index total) {
  if (own < minimum.of_each) {
    return error(
        ErrorCode::kInvalidData,
        "these data have {} columns, and fewer than {} can be found out from what is exchanged: join with more "
        "columns, choose `scheme=sum`, or have the members allow it by name in allow_few_columns",
        own, minimum.of_each);
  }
  if (total - own < minimum.of_others) {
    return error(ErrorCode::kInvalidData,
                 "the other members have {} columns together, and fewer than {} could be found out from the totals: "
                 "wait for members with more columns, leave out rows, or have all other members allow it by name in "
                 "allow_few_columns",
                 total - own, minimum.of_others);
  }
  return {};
}

std::vector<std::string> few_column_notes(const ColumnMinimum& minimum, const std::vector<Index>& columns) {
  std::vector<std::string> notes;
  std::vector<std::size_t> few;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i] < minimum.of_each) few.push_back(i);
  }
  if (!few.empty() && columns.size() > 1) {
    constexpr std::size_t kShown = 10;
    const auto shown = few.begin() + static_cast<std::ptrdiff_t>(std::min(few.size(), kShown));
    const std::string more = few.size() > kShown ? fmt::format(" and {} more", few.size() - kShown) : "";
    notes.push_back(fmt::format(
        "Agent{} {}{} {} fewer than {} columns, few enough to be found out from what others see; a real run refuses "
        "that unless its consortium allows it.",
        few.size() == 1 ? "" : "s", fmt::join(few.begin(), shown, ", "), more, few.size() == 1 ? "has" : "have",
        minimum.of_each));
  }
  const Index total = std::accumulate(columns.begin(), columns.end(), Index{0});
  const Index others = columns.empty() ? 0 : total - *std::max_element(columns.begin(), columns.end());
  if (columns.size() > 1 && others < minimum.of_others) {
    notes.push_back(fmt::format(
        "All agents but the largest have {} columns together, where totals hide their columns from {} on; a real run "
        "refuses that unless its consortium allows it.",
        others, minimum.of_others));
  }
  return notes;
}

}  // namespace ppdnmf::protocol
