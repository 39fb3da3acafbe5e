#include <ppdnmf/audit/attacks/a5_part_direction.h>

#include <algorithm>
#include <cmath>

#include <ppdnmf/audit/attacks/a7_pooled_parts.h>
#include <ppdnmf/audit/model/plan_rows.h>

namespace ppdnmf::audit {
namespace {

double sine_between(const Vector& a, const Vector& b) {
  const double cosine = a.normalized().dot(b.normalized());
  return std::sqrt(std::max(0.0, 1 - cosine * cosine));
}

}  // namespace

Result<Trial> part_direction_trial(const AuditSetup& setup, bool masked, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed, 2);
  problem.masks = masked;
  if (!masked) problem.deviation = send_unchanged;
  PPDNMF_TRY(const Recording run, record(problem));
  const TreePlaces places = places_in(problem.graph);
  const auto claim = pooled_part(run.view(places.leafs_parent), places.leaf);
  if (!claim) return error(ErrorCode::kInternal, "the leaf's part did not reach its parent");
  const Vector truth = first_answer(run, problem.Z[places.leaf.value]);
  const Vector guess = first_answer(run, problem.Z[places.leafs_parent.value]);
  return Trial{sine_between(truth, *claim), sine_between(truth, guess)};
}

void plan_part_directions(Plan& plan) {
  const AuditSetup s = smallest_sum();
  const AuditRow row = Plan::row("A5", s, "sine of the angle to a neighbour's S, T and error", Measure::kError);
  plan.add(Plan::switched_off(row, "sum, masks off"), plan.seeds(20, 3),
           [s](std::uint64_t seed) { return part_direction_trial(s, false, seed); });
  plan.add(row, plan.seeds(100, 3), [s](std::uint64_t seed) { return part_direction_trial(s, true, seed); });
}

}  // namespace ppdnmf::audit
