#include <ppdnmf/consortium/columns.h>

#include <algorithm>

#include <ppdnmf/consortium/run_settings.h>
#include <ppdnmf/protocol/column_minimum.h>
#include <ppdnmf/protocol/opening_checks.h>
#include <ppdnmf/protocol/own_columns.h>

namespace ppdnmf::consortium {
namespace {

bool may_have_few(const Consortium& content, std::size_t member) {
  const auto& names = content.allow_few_columns;
  return std::find(names.begin(), names.end(), content.members[member].identity.name()) != names.end();
}

}  // namespace

Status check_columns(const CheckedConsortium& consortium, AgentId self, Index own, std::optional<Index> total) {
  if (own < 1) return error(ErrorCode::kInvalidData, "the data have no columns: every member needs one at least");
  const Consortium& content = consortium.content();
  if (content.throw_away_seed) return {};
  const auto allowed = [&](std::size_t member) { return may_have_few(content, member); };
  bool all_others = true;
  for (std::size_t i = 0; i < content.members.size(); ++i) all_others = all_others && (i == self.value || allowed(i));
  const protocol::Settings& s = content.settings;
  // All members would refuse the opening, and all would have paid for it.
  const bool opens_moments = s.epsilon && s.columns && protocol::scheme_of(s) == protocol::SchemeKind::kMoments;
  if (opens_moments && static_cast<double>(own) > protocol::kColumnsAbout * static_cast<double>(*s.columns)) {
    return error(ErrorCode::kInvalidData,
                 "these data alone have {} columns, and the consortium file says that all members have about {}: make "
                 "a file with a number for `columns` that is nearer. Nothing was sent or debited",
                 own, *s.columns);
  }
  protocol::ColumnMinimum minimum =
      protocol::column_minimum(protocol::scheme_of(s), content.rows, s.rank, s.min_columns);
  if (allowed(self.value)) minimum.of_each = 0;
  if (all_others || !total) minimum.of_others = 0;
  return check_columns(minimum, own, total.value_or(own));
}

Status check_crowd(const CheckedConsortium& consortium, AgentId self, const data::SharedColumns& columns,
                   const std::vector<std::string>& row_names, std::optional<double> cap) {
  const Consortium& content = consortium.content();
  if (content.throw_away_seed || may_have_few(content, self.value)) return {};
  PPDNMF_TRY(const protocol::RunSettings settings, run_settings(consortium));
  return protocol::check_crowd(columns, settings, row_names, cap);
}

}  // namespace ppdnmf::consortium
