#include <ppdnmf/protocol/own_columns.h>

#include <fmt/format.h>

#include <utility>

#include <ppdnmf/data/unit.h>
#include <ppdnmf/protocol/crowd.h>

namespace ppdnmf::protocol {
namespace {

data::SharedColumns normalised(data::SharedColumns columns, const RunSettings& s) {
  const std::optional<nmf::ColumnNorm> norm = s.privacy ? s.privacy->normalise : s.normalise;
  return norm ? data::unit_columns(std::move(columns), *norm) : columns;
}

// Moments open every cell of Z Zᵀ, other exact totals one sum per row.
CrowdRule rule_of(const RunSettings& s) {
  CrowdRule rule;
  rule.cells = s.scheme == SchemeKind::kMoments;
  return rule;
}

// What is against the rule; empty: nothing, or nobody asks.
std::string against_rule(const data::SharedColumns& columns, const RunSettings& s,
                         const std::vector<std::string>& row_names) {
  if (s.privacy || s.crowd == CrowdKind::kOff) return {};
  const CrowdRule rule = rule_of(s);
  const Crowd crowd = look_at_crowd(*normalised(columns, s), rule);
  return crowd.enough() ? "" : describe(crowd, rule, row_names);
}

}  // namespace

Result<data::SharedColumns> own_columns(data::SharedColumns columns, const RunSettings& s) {
  data::SharedColumns out = normalised(std::move(columns), s);
  if (s.privacy || s.crowd != CrowdKind::kBlank) return out;
  return with_crowd(std::move(out), rule_of(s));
}

std::optional<std::string> crowd_note(const data::SharedColumns& columns, const RunSettings& s,
                                      const std::vector<std::string>& row_names) {
  const std::string found = against_rule(columns, s, row_names);
  if (found.empty()) return std::nullopt;
  if (s.crowd == CrowdKind::kBlank)
    return fmt::format("{}: such rows were blanked, and such entries and columns lowered", found);
  return fmt::format("{}: whoever sees exact totals could find columns out, and a real run refuses", found);
}

Status check_crowd(const data::SharedColumns& columns, const RunSettings& s,
                   const std::vector<std::string>& row_names) {
  if (s.crowd == CrowdKind::kBlank) return own_columns(columns, s).map([](const auto&) {});
  const std::string found = against_rule(columns, s, row_names);
  if (found.empty()) return {};
  return error(ErrorCode::kInvalidData,
               "{}: another member could find columns out from exact totals. Nothing was sent. Agree on `epsilon`, on "
               "`normalise`, or on `crowd=blank`, or leave out such rows and columns",
               found);
}

}  // namespace ppdnmf::protocol
