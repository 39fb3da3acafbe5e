#include <ppdnmf/protocol/own_columns.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <utility>

#include <ppdnmf/data/cap.h>
#include <ppdnmf/data/unit.h>
#include <ppdnmf/data/weights.h>
#include <ppdnmf/protocol/crowd.h>

namespace ppdnmf::protocol {
namespace {

data::SharedColumns entering(data::SharedColumns columns, const RunSettings& s, std::optional<double> cap) {
  const std::optional<nmf::ColumnNorm> norm = s.privacy ? s.privacy->normalise : s.normalise;
  if (norm) columns = data::unit_columns(std::move(columns), *norm);
  if (cap) columns = data::capped_columns(std::move(columns), *cap);
  if (s.privacy) return columns;  // what one column adds is bounded, and nobody may count more often
  return data::weighed(std::move(columns), s.loss == nmf::LossKind::kPoisson ? 1 : 2);
}

// Moments open every cell of Z Zᵀ, other exact totals one sum per row; a search opens these of resampled columns. X has
// as many directions as components; of a search nobody knows how many these will be.
CrowdRule rule_of(const RunSettings& s) {
  CrowdRule rule = s.searches() ? resampled_crowd() : CrowdRule();
  rule.cells = s.scheme == SchemeKind::kMoments;
  rule.directions = s.searches() ? 0 : s.rank;
  return rule;
}

// What is against the rule; empty: nothing, or nobody asks.
std::string against_rule(const data::SharedColumns& columns, const RunSettings& s,
                         const std::vector<std::string>& row_names, std::optional<double> cap) {
  if (s.privacy || s.crowd == CrowdKind::kOff) return {};
  const CrowdRule rule = rule_of(s);
  Crowd crowd = look_at_crowd(*entering(columns, s, cap), rule);
  if (s.cap && !cap) crowd = {std::move(crowd.thin), {}, {}, {}, {}};
  return crowd.enough() ? "" : describe(crowd, rule, row_names);
}

}  // namespace

Result<data::SharedColumns> own_columns(data::SharedColumns columns, const RunSettings& s, std::optional<double> cap) {
  if (s.searches() && !s.privacy && !columns->in_memory()) {
    return error(
        ErrorCode::kUsage,
        "a search for the rank draws copies of the columns, and these stay on disk: give one `rank`, or search "
        "on a part of the columns that fits into memory");
  }
  if (s.cap && !cap) return columns;
  data::SharedColumns out = entering(std::move(columns), s, cap);
  if (s.privacy || s.crowd != CrowdKind::kBlank) return out;
  return with_crowd(std::move(out), rule_of(s));
}

std::vector<Index> rows_to_drop(const data::SharedColumns& own, const RunSettings& s) {
  return rows_to_drop(*own, rule_of(s));
}

Result<data::SharedColumns> without_rows(data::SharedColumns own, const std::vector<Index>& rows,
                                         const RunSettings& s) {
  return without_rows(std::move(own), rows, rule_of(s));
}

std::vector<Index> rows_dropped_for_all(const std::vector<data::SharedColumns>& agents, const RunSettings& s) {
  std::set<Index> all;
  if (!s.drops_rows()) return {};
  for (const data::SharedColumns& columns : agents) {
    const std::vector<Index> own = rows_to_drop(entering(columns, s, std::nullopt), s);  // a cap makes no zeros
    all.insert(own.begin(), own.end());
  }
  return {all.begin(), all.end()};
}

std::string dropped_list(const std::vector<Index>& rows, const std::vector<std::string>& row_names) {
  std::vector<std::string> names;
  for (const Index row : rows) {
    const auto n = static_cast<std::size_t>(row);
    names.push_back(n < row_names.size() ? row_names[n] : fmt::format("{}", row + 1));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string dropped_note(const std::vector<Index>& rows, const std::vector<std::string>& row_names) {
  std::string list = list_rows(rows, row_names);
  list.front() = 'R';
  return fmt::format("{} {} dropped for all agents, since some agent has few columns there: X is zero in {}.", list,
                     rows.size() == 1 ? "was" : "were", rows.size() == 1 ? "it" : "them");
}

std::optional<std::string> crowd_note(const data::SharedColumns& columns, const RunSettings& s,
                                      const std::vector<std::string>& row_names, std::optional<double> cap) {
  const std::string found = against_rule(columns, s, row_names, cap);
  if (found.empty()) return std::nullopt;
  if (s.crowd == CrowdKind::kBlank)
    return fmt::format("{}: such rows were blanked, and such entries and columns lowered", found);
  if (s.crowd == CrowdKind::kDrop)
    return fmt::format("{}: rows of few columns were dropped for all agents, and such entries and columns lowered",
                       found);
  return fmt::format("{}: whoever sees exact totals could find columns out, and a real run refuses", found);
}

Status check_crowd(const data::SharedColumns& columns, const RunSettings& s, const std::vector<std::string>& row_names,
                   std::optional<double> cap) {
  if (s.crowd == CrowdKind::kBlank) return own_columns(columns, s, cap).map([](const auto&) {});
  if (s.crowd == CrowdKind::kDrop) {
    if (s.cap && !cap) return {};
    const data::SharedColumns own = entering(columns, s, cap);
    return without_rows(own, rows_to_drop(own, s), s).map([](const auto&) {});
  }
  const std::string found = against_rule(columns, s, row_names, cap);
  if (found.empty()) return {};
  return error(ErrorCode::kInvalidData,
               "{}: another member could find columns out from exact totals. {} Agree on `epsilon`, on "
               "`normalise`, on `crowd=blank` or drop, or leave out such rows and columns",
               found, cap ? "Nothing but the counts for `cap` was sent." : "Nothing was sent.");
}

}  // namespace ppdnmf::protocol
