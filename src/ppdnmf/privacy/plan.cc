#include <ppdnmf/privacy/plan.h>

#include <algorithm>
#include <cmath>

#include <ppdnmf/privacy/mask_ring.h>

namespace ppdnmf::privacy {
namespace {

constexpr double kFinestUnit = 0x1p-20;  // rounding to it adds less than a part in 10,000 to most bounds
constexpr double kWidestShare = 0x1p26;  // in units: what the sampler takes, with room
constexpr double kRoundOff = 1e-9;       // of weighing a part down to the bound: it may end a little above
constexpr double kAveraged = 0.2;        // what the descent's moving averages leave of a round's noise
constexpr double kMaxNoise = 10;        // beside the data

// Twelve significant bits, rounded up: the last digits of a logarithm must not decide about the noise.
double round_up_to_bits(double value) {
  constexpr int kBits = 12;
  const double step = std::ldexp(1, std::max(0, std::ilogb(value) + 1 - kBits));
  return std::ceil(value / step) * step;
}

// The largest norm of one column's part, in units.
double sensitivity_of(const NoisePlan& plan) {
  return rounded_bound(plan.bound * (1 + kRoundOff) / plan.unit, plan.entries);
}

// The smallest share that keeps rho per round, in this unit; nothing that a double cannot hold.
double share_variance(const NoisePlan& plan, double rho) {
  const double sensitivity = sensitivity_of(plan);
  double variance = round_up_to_bits(std::max(16.0, sensitivity * sensitivity / (2 * rho * plan.honest)));
  while (rho_of({sensitivity, variance, plan.honest, plan.entries}) > rho) variance = round_up_to_bits(variance + 1);
  return variance;
}

// Norm of the noise in a column of S beside that column's sum over as many columns of data as a component has.
double noise_beside_data(const NoisePlan& plan, const PlanRequest& r) {
  const double noise = kAveraged * noise_of(plan, r.agents) * std::sqrt(static_cast<double>(r.rows));
  return noise * static_cast<double>(r.rank) / r.columns;
}

Status check_noise(const NoisePlan& plan, const PlanRequest& r) {
  const double ratio = noise_beside_data(plan, r);
  if (ratio <= kMaxNoise) return {};
  const double more = ratio / kMaxNoise;
  return error(
      ErrorCode::kUsage,
      "`epsilon={:g}` with `delta={:g}` over about {:.0f} columns leaves hardly anything but noise, {:.0f} times "
      "the data: it takes about {:.0f} columns, or `epsilon={:.2g}`, or a smaller `rank`",
      r.budget.epsilon, r.budget.delta, r.columns, ratio, std::ceil(r.columns * more),
      epsilon_of(plan.rho * more * more, r.budget.delta) * 1.01);
}

}  // namespace

Result<NoisePlan> plan_noise(const PlanRequest& r) {
  PPDNMF_CHECK(r.rows >= 1 && r.rank >= 1 && r.agents >= 1 && r.columns >= 1);
  PPDNMF_TRY_STATUS(check_budget(r.budget, r.columns));
  if (r.rounds < 1) return error(ErrorCode::kUsage, "`iterations` must be at least 1, not {}", r.rounds);
  if (r.honest < 1 || r.honest > r.agents) {
    return error(ErrorCode::kUsage, "`assume_honest` must be from 1 to {}, the number of agents, not {}", r.agents,
                 r.honest);
  }
  if (!masks_hold(r.agents, r.honest, r.mask_partners)) {
    return error(
        ErrorCode::kUsage,
        "with {} honest agents of {} the masks could fall apart into parts that lack noise: assume more honest "
        "ones (`assume_honest`), or take at most {} agents",
        r.honest, r.agents, 2 * r.mask_partners + 1);
  }
  const auto rows = static_cast<double>(r.rows);
  const auto rank = static_cast<double>(r.rank);
  NoisePlan plan;
  plan.rounds = r.rounds;
  plan.honest = r.honest;
  plan.entries = rows * rank + rank * (rank + 1) / 2;
  // The noise of S is worth (1 + w²) rows, that of T (1 + w²) rank / w²: least in all at w² = sqrt(rank / rows).
  constexpr double kSteps = 16;
  plan.t_weight = std::max(1.0, std::round(kSteps * std::sqrt(std::sqrt(rank / rows)))) / kSteps;
  plan.bound = std::sqrt(1 + plan.t_weight * plan.t_weight);
  const double rho = rho_for(r.budget) / r.rounds;
  plan.unit = kFinestUnit;
  double variance = share_variance(plan, rho);
  while (std::sqrt(variance) > kWidestShare && plan.unit < 1) {
    plan.unit *= 2;
    variance = share_variance(plan, rho);
  }
  if (!(std::sqrt(variance) <= kWidestShare)) {
    return error(ErrorCode::kUsage,
                 "`epsilon={:g}` with `delta={:g}` over {} rounds of {:g} numbers takes more noise than can be drawn: "
                 "take a larger `epsilon`, or a smaller `iterations` or `rank`",
                 r.budget.epsilon, r.budget.delta, r.rounds, plan.entries);
  }
  plan.share_variance = static_cast<std::uint64_t>(variance);
  plan.rho = rho_of_plan(plan);
  if (plan.rho > r.rounds * rho) {
    return error(ErrorCode::kUsage,
                 "`epsilon={:g}` with `delta={:g}` takes more noise than can be drawn: raise `epsilon`, or lower `iterations`",
                 r.budget.epsilon, r.budget.delta);
  }
  PPDNMF_TRY_STATUS(check_noise(plan, r));
  return plan;
}

double rho_of_plan(const NoisePlan& plan) {
  const auto variance = static_cast<double>(plan.share_variance);
  return plan.rounds * rho_of({sensitivity_of(plan), variance, plan.honest, plan.entries});
}

double noise_of(const NoisePlan& plan, std::uint32_t shares) {
  return plan.unit * std::sqrt(static_cast<double>(plan.share_variance) * shares);
}

bool masks_hold(std::uint32_t agents, std::uint32_t honest, std::uint32_t near) {
  constexpr double kAllowed = -40;
  constexpr double kTries = 64;
  return log2_chance_of_a_cut(agents, honest, near) + kTries <= kAllowed;
}

}  // namespace ppdnmf::privacy
