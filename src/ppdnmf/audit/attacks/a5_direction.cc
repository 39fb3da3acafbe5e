#include <ppdnmf/audit/attacks/a5_direction.h>

#include <algorithm>
#include <cmath>

#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/setups.h>

namespace ppdnmf::audit {
namespace {

Vector direction(const OpenedSum& sum, Index size) {
  Vector out(size);
  for (Index t = 0; t < size; ++t) out(t) = static_cast<double>(sum.values[static_cast<std::size_t>(t)]);
  return out.normalized();
}

}  // namespace

std::optional<Vector> direction_of(const AttackerView& view, AgentId of, protocol::Round round) {
  const MemberView& self = view.alone();
  for (const auto* list : {&self.opened_alone, &self.opened}) {
    for (const OpenedSum& sum : *list) {
      if (sum.round == round && sum.of == std::vector{of}) {
        return direction(sum, view.settings.rows * view.settings.rank);
      }
    }
  }
  return std::nullopt;
}

Vector guessed_direction(const AttackerView& view, protocol::Round round) {
  const Index size = view.settings.rows * view.settings.rank;
  Vector out = Vector::Zero(size);
  for (const OpenedSum& sum : view.alone().opened) {
    if (sum.round != round) continue;
    for (Index t = 0; t < size; ++t) out(t) += static_cast<double>(sum.values[static_cast<std::size_t>(t)]);
  }
  return out.normalized();
}

namespace {

// The sine of the angle between what one answer says of u_j - u_i and the truth.
Result<Trial> direction_trial(const AuditSetup& setup, bool masked, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed, 6);
  if (masked) problem.keys = small_keys();
  problem.unmasked = !masked;
  PPDNMF_TRY(const Recording run, record(problem));
  const AttackerView view = run.view(kAttacker);
  // As printed all agents say X0 in the first iteration.
  const protocol::Round round{2, 1};
  const Index size = setup.rows * setup.rank;
  const std::vector<std::int64_t> mine = own_u(view.alone(), round, size);
  Trial trial;
  const std::vector<AgentId>& neighbours = problem.graph.neighbours(kAttacker);
  for (const AgentId j : neighbours) {
    const OwnReply* reply = reply_of(run, j, kAttacker, round);
    Vector truth(size);
    for (Index t = 0; t < size; ++t) {
      const auto k = static_cast<std::size_t>(t);
      truth(t) = static_cast<double>(reply->u[k] - mine[k]);
    }
    const auto sine = [&](const Vector& claim) {
      const double cosine = truth.normalized().dot(claim);
      return std::sqrt(std::max(0.0, 1 - cosine * cosine)) / static_cast<double>(neighbours.size());
    };
    const Vector guess = guessed_direction(view, round);
    trial.value += sine(direction_of(view, j, round).value_or(guess));
    trial.baseline += sine(guess);
  }
  return trial;
}

}  // namespace

void plan_directions(Plan& plan) {
  const char* direction = "sine of the angle to a neighbour's u_j - u_i";
  AuditSetup s{kPrinted, "ring", 3, 20, 20, 8, 3, false, false};
  plan.add(Plan::row("A5", s, direction, Measure::kError), plan.seeds(20, 3),
           [s](std::uint64_t seed) { return direction_trial(s, false, seed); });
  s.scheme = kHardened;
  plan.add(Plan::switched_off(Plan::row("A5", s, direction, Measure::kError), "hardened, masks off"), plan.seeds(20, 3),
           [s](std::uint64_t seed) { return direction_trial(s, false, seed); });
  plan.add(Plan::row("A5", s, direction, Measure::kError), plan.seeds(100, 3),
           [s](std::uint64_t seed) { return direction_trial(s, true, seed); });
}

}  // namespace ppdnmf::audit
