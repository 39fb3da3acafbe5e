#include "consortium/columns.h"

#include <algorithm>

#include "protocol/column_minimum.h"

namespace ppdnmf {

Status check_columns(const CheckedConsortium& consortium, AgentId self, Index own, Index total) {
  const Consortium& content = consortium.content();
  const AgreedSettings& s = content.settings;
  const bool sum = s.exchange == AgreedExchange::kSum;
  const ExchangeKind exchange = sum                                        ? ExchangeKind::kSum
                                : s.exchange == AgreedExchange::kAsPrinted ? ExchangeKind::kAsPrinted
                                                                           : ExchangeKind::kHardened;
  const auto allowed = [&](std::size_t member) {
    const auto& names = content.allow_few_columns;
    return std::find(names.begin(), names.end(), content.members[member].identity.name()) != names.end();
  };
  bool all_others = true;
  for (std::size_t i = 0; i < content.members.size(); ++i) all_others = all_others && (i == self.value || allowed(i));
  if (sum ? all_others : allowed(self.value)) return {};
  return check_columns(column_minimum(exchange, s.rows, s.rank, s.min_columns), own, total);
}

}  // namespace ppdnmf
