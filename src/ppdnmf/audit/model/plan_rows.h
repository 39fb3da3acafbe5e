// How the rows of the audit's table are put together, for the attacks that plan them.
#ifndef PPDNMF_AUDIT_MODEL_PLAN_ROWS_H_
#define PPDNMF_AUDIT_MODEL_PLAN_ROWS_H_

#include <functional>
#include <utility>
#include <vector>

#include <ppdnmf/audit/model/measurement.h>
#include <ppdnmf/audit/model/setups.h>

namespace ppdnmf::audit {

// All that is to be measured, in the order of the table. Each attack adds its own rows (attacks/, listed in plan.cc).
class Plan {
 public:
  explicit Plan(bool quick) : quick_(quick) {}

  // How many seeds a row gets: `full` in a whole audit, `quick` in a quick one.
  [[nodiscard]] int seeds(int full, int quick) const { return quick_ ? quick : full; }
  // Nothing where there are no seeds.
  void add(AuditRow row, int count, std::function<Result<Trial>(std::uint64_t)> trial) {
    if (count > 0) out_.push_back({std::move(row), count, std::move(trial)});
  }
  // A row about a setup: its position, and whether a real run would accept it.
  [[nodiscard]] static AuditRow row(const char* attack, const AuditSetup& s, const char* measure, Measure kind);
  [[nodiscard]] static AuditRow row(const char* attack, const char* scheme, const char* position, const char* measure,
                                    Measure kind, bool accepted);
  // The same row where a protection is switched off, under a name that says so: no real run would accept it.
  [[nodiscard]] static AuditRow switched_off(AuditRow row, const char* scheme);
  [[nodiscard]] std::vector<Measurement> take() { return std::move(out_); }

 private:
  bool quick_;
  std::vector<Measurement> out_;
};

// The smallest network of the scheme `sum`, with the fewest columns, that a real run accepts.
[[nodiscard]] AuditSetup smallest_sum();

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_MODEL_PLAN_ROWS_H_
