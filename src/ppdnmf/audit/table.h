// The audit's rows for a terminal and for machines.
#ifndef PPDNMF_AUDIT_TABLE_H_
#define PPDNMF_AUDIT_TABLE_H_

#include <string>
#include <vector>

#include <ppdnmf/audit/model/measurement.h>

namespace ppdnmf::audit {

// Lines of text, one per row, under a heading.
[[nodiscard]] std::string table_text(const std::vector<AuditRow>& rows);

// audit.json: {version, seed, quick, rows: [{attack, scheme, position, measure, value, low, high, baseline,
// threshold, found, epsilon, bound, seeds, accepted, broken}]}; epsilon and bound are null but for private runs.
struct AuditRecord {
  std::string version;
  std::uint64_t seed = 1;
  bool quick = false;
  double seconds = 0;
  std::vector<AuditRow> rows;
};
[[nodiscard]] std::string audit_json(const AuditRecord& record);

// What it came to, in a sentence: how many rows that a real run would accept are broken, and which.
[[nodiscard]] std::string verdict(const std::vector<AuditRow>& rows);

// What bound_of says; empty where it says nothing.
[[nodiscard]] std::string bound_text(const AuditRow& row);
// Three digits that fit their size: "0.412", "3.1e-07", "1".
[[nodiscard]] std::string number_text(double value);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_TABLE_H_
