#include <fmt/format.h>

#include <ppdnmf/audit/model/plan_rows.h>

namespace ppdnmf::audit {
namespace {

constexpr protocol::ExchangeKind kSum = protocol::ExchangeKind::kSum;
constexpr double kLargest = 8;  // of the epsilons: where it is switched off, any would do
constexpr double kOff = 0;

// The fewest columns that a real run accepts with as many rows as the other A9 rows have.
AuditSetup fewest(double epsilon, double noise) {
  return {kSum, "ring", 3, 30, 30, 30, 5, false, false, epsilon, noise};
}
// The fewest of all, and a rank for which one column's part is as long as the bound allows.
AuditSetup worst(double epsilon, double noise) { return {kSum, "ring", 3, 20, 20, 8, 1, false, false, epsilon, noise}; }

void add_curious(Plan& plan, double epsilon, double noise) {
  const AuditSetup s = fewest(epsilon, noise);
  AuditRow row = Plan::row("A9", s, "AUC, noisy totals", Measure::kAuc);
  row.curve = noise > 0 ? "one curious agent" : "one curious agent, noise off";
  plan.add(row, plan.seeds(40, 10), [s](std::uint64_t seed) { return noisy_membership_trial(s, seed); });
}

void add_knowing(Plan& plan, const AuditSetup& s, bool typical) {
  constexpr int kRuns = 10;
  const bool off = s.noise == 0;
  AuditRow row = Plan::row("A9", s,
                           typical ? "AUC, exact likelihood ratio, a column like others"
                                   : "AUC, exact likelihood ratio, the column worst off",
                           off ? Measure::kAuc : Measure::kPromise);
  row.position = fmt::format("knows all columns but one and its own noise; 3 agents with {} columns", s.each);
  row.curve = off ? "" : typical ? "knows all but one column" : "knows all but the column worst off";
  plan.add(row, off ? plan.seeds(10, 2) : plan.seeds(typical ? 40 : 100, 10),
           [=](std::uint64_t seed) { return knowing_all_trial(s, typical, kRuns, seed); });
}

void add_noisy_fit(Plan& plan, const AuditSetup& s, const FitOptions& options, int full, int quick) {
  plan.add(Plan::row("A8", s, "relative error of the shapes of all others' columns", Measure::kError),
           plan.seeds(full, quick), [s, options](std::uint64_t seed) { return noisy_fit_trial(s, options, seed); });
}

}  // namespace

void add_private(Plan& plan) {
  const FitOptions few{0, 100, 30};
  for (const double noise : {kOff, 1.0}) {
    for (const Index others : {1, 3}) {
      add_noisy_fit(plan, {kSum, "line", 2, 40, others, 10, 3, false, false, kLargest, noise}, few, 20, 3);
    }
  }
  add_noisy_fit(plan, {kSum, "ring", 3, 40, 20, 8, 2, false, false, kLargest, 1}, {0, 1, 6}, 100, 3);
  add_curious(plan, kLargest, kOff);
  for (const double epsilon : {1.0, 4.0, kLargest}) add_curious(plan, epsilon, 1);
  add_knowing(plan, fewest(kLargest, kOff), true);
  for (const double epsilon : {1.0, 4.0, kLargest}) add_knowing(plan, fewest(epsilon, 1), true);
  for (const double epsilon : {1.0, 4.0, kLargest}) add_knowing(plan, worst(epsilon, 1), false);
}

}  // namespace ppdnmf::audit
