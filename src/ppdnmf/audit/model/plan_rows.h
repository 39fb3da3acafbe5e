// How the table's rows are put together, for whoever plans them (plan.cc, plan_private.cc).
#ifndef PPDNMF_AUDIT_MODEL_PLAN_ROWS_H_
#define PPDNMF_AUDIT_MODEL_PLAN_ROWS_H_

#include <functional>
#include <utility>
#include <vector>

#include <ppdnmf/audit/model/measurement.h>
#include <ppdnmf/audit/attacks/trials.h>

namespace ppdnmf::audit {

// What the rows of one attack share, and how many seeds it gets.
class Plan {
 public:
  explicit Plan(bool quick) : quick_(quick) {}

  [[nodiscard]] int seeds(int full, int quick) const { return quick_ ? quick : full; }
  void add(AuditRow row, int count, std::function<Result<Trial>(std::uint64_t)> trial) {
    if (count > 0) out_.push_back({std::move(row), count, std::move(trial)});
  }
  // A row about a setup: its position, and whether a real run would accept it.
  [[nodiscard]] static AuditRow row(const char* attack, const AuditSetup& s, const char* measure, Measure kind);
  [[nodiscard]] static AuditRow row(const char* attack, const char* exchange, const char* position, const char* measure,
                                    Measure kind, bool accepted);
  [[nodiscard]] std::vector<Measurement> take() { return std::move(out_); }

 private:
  bool quick_;
  std::vector<Measurement> out_;
};

// A8 and A9 on private runs, beside the same without noise.
void add_private(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_MODEL_PLAN_ROWS_H_
