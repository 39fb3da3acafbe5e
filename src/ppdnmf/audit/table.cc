#include <ppdnmf/audit/table.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

namespace ppdnmf::audit {

std::string number_text(double value) {
  if (value == 0) return "0";
  if (std::abs(value) < 1e-3 || std::abs(value) >= 1e5) return fmt::format("{:.1e}", value);
  return fmt::format("{:.3g}", value);
}

std::string bound_text(const AuditRow& row) {
  const std::optional<double> bound = bound_of(row);
  return bound ? number_text(*bound) : "";
}

std::string table_text(const std::vector<AuditRow>& rows) {
  std::size_t scheme = 8;
  std::size_t position = 8;
  std::size_t measure = 7;
  for (const AuditRow& row : rows) {
    scheme = std::max(scheme, row.scheme.size());
    position = std::max(position, row.position.size());
    measure = std::max(measure, row.measure.size());
  }
  const auto line = [&](const auto& attack, const auto& of, const auto& who, const auto& what, const auto& value,
                        const auto& baseline, const auto& threshold, const auto& bound, const auto& seeds,
                        const auto& accepted, const auto& broken) {
    return fmt::format("{:7}  {:{}}  {:{}}  {:{}}  {:>8}  {:>8}  {:>9}  {:>5}  {:>5}  {:8}  {}\n", attack, of, scheme,
                       who, position, what, measure, value, baseline, threshold, bound, seeds, accepted, broken);
  };
  std::string out = line("attack", "scheme", "attacker", "measure", "value", "baseline", "threshold", "bound", "seeds",
                         "accepted", "broken");
  for (const AuditRow& row : rows) {
    out += line(row.attack, row.scheme, row.position, row.measure, number_text(row.value), number_text(row.baseline),
                number_text(row.threshold), bound_text(row), row.seeds, row.accepted ? "yes" : "no",
                row.broken ? "BROKEN" : "no");
  }
  return out;
}

std::string audit_json(const AuditRecord& record) {
  using Json = nlohmann::ordered_json;
  Json rows = Json::array();
  for (const AuditRow& row : record.rows) {
    rows.push_back({{"attack", row.attack},
                    {"scheme", row.scheme},
                    {"position", row.position},
                    {"measure", row.measure},
                    {"value", row.value},
                    {"low", row.low},
                    {"high", row.high},
                    {"baseline", row.baseline},
                    {"threshold", row.threshold},
                    {"found", row.found},
                    {"epsilon", row.epsilon > 0 ? Json(row.epsilon) : Json(nullptr)},
                    {"bound", bound_of(row) ? Json(*bound_of(row)) : Json(nullptr)},
                    {"seeds", row.seeds},
                    {"accepted", row.accepted},
                    {"broken", row.broken}});
  }
  const Json out = {{"version", record.version},
                    {"seed", record.seed},
                    {"quick", record.quick},
                    {"seconds", record.seconds},
                    {"rows", rows}};
  return out.dump(2) + "\n";
}

std::string verdict(const std::vector<AuditRow>& rows) {
  std::set<std::string> broken;
  std::size_t accepted = 0;
  std::size_t count = 0;
  for (const AuditRow& row : rows) {
    if (!row.accepted) continue;
    ++accepted;
    if (!row.broken) continue;
    ++count;
    broken.insert(row.attack);
  }
  if (broken.empty()) {
    return fmt::format("None of the {} settings that a real run would accept fell to an attack.", accepted);
  }
  return fmt::format("Of {} settings that a real run would accept, {} fell: {}.", accepted, count,
                     fmt::join(broken, ", "));
}

}  // namespace ppdnmf::audit
