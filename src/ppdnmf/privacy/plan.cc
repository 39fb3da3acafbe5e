#include <ppdnmf/privacy/plan.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <ppdnmf/privacy/mask_ring.h>

namespace ppdnmf::privacy {
namespace {

constexpr int kFinestBits = 13;          // of a column's entries: rounding them costs less than a part in 1,000
constexpr double kFinestUnit = 0x1p-24;  // rounding to it adds less than a part in 100,000 to most bounds
constexpr double kWidestShare = 0x1p26;  // in units: what the sampler takes, with room
constexpr double kRoundOff = 1e-9;       // of weighing a part down to the bound: it may end a little above
constexpr double kAveraged = 0.2;        // what the descent's moving averages leave of a round's noise
constexpr double kMaxNoise = 10;         // beside the data

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

// The smallest share that keeps rho per opening, in this unit; nothing that a double cannot hold.
double share_variance(double sensitivity, double entries, std::uint32_t honest, double rho) {
  double variance = round_up_to_bits(std::max(16.0, sensitivity * sensitivity / (2 * rho * honest)));
  while (rho_of({sensitivity, variance, honest, entries}) > rho) variance = round_up_to_bits(variance + 1);
  return variance;
}

tl::unexpected<Error> too_much_noise(const PlanRequest& r, double entries) {
  return error(ErrorCode::kUsage,
               "`epsilon={:g}` with `delta={:g}` over {} rounds of {:g} numbers takes more noise than can be drawn: "
               "take a larger `epsilon`, or a smaller `iterations` or `rank`",
               r.budget.epsilon, r.budget.delta, r.rounds, entries);
}

// `noise`: the norm that it has where a component of the data has columns / rank.
Status check_noise(double noise, const PlanRequest& r, const Cost& cost) {
  const double ratio = noise * static_cast<double>(r.rank) / r.columns;
  if (ratio <= kMaxNoise) return {};
  const double more = ratio / kMaxNoise;
  return error(
      ErrorCode::kUsage,
      "`epsilon={:g}` with `delta={:g}` over about {:.0f} columns leaves hardly anything but noise, {:.0f} times "
      "the data: it takes about {:.0f} columns, or `epsilon={:.2g}`, or a smaller `rank`",
      r.budget.epsilon, r.budget.delta, r.columns, ratio, std::ceil(r.columns * more),
      epsilon_of(Cost{cost.rho * more * more, cost.divergence}, r.budget.delta) * 1.01);
}

Status check_request(const PlanRequest& r) {
  PPDNMF_CHECK(r.rows >= 1 && r.rank >= 1 && r.agents >= 1 && r.columns >= 1);
  PPDNMF_TRY_STATUS(check_budget(r.budget, r.columns));
  if (r.honest < 1 || r.honest > r.agents) {
    return error(ErrorCode::kUsage, "`assume_honest` must be from 1 to {}, the number of agents, not {}", r.agents,
                 r.honest);
  }
  if (masks_hold(r.agents, r.honest, r.mask_partners)) return {};
  return error(ErrorCode::kUsage,
               "with {} honest agents of {} the masks could fall apart into parts that lack noise: assume more honest "
               "ones (`assume_honest`), or take at most {} agents",
               r.honest, r.agents, 2 * r.mask_partners + 1);
}

// Unit and noise of a plan that has its weight and its numbers, for rho in all.
Result<NoisePlan> with_noise(NoisePlan plan, const PlanRequest& r, double rho) {
  plan.rounds = r.rounds;
  plan.honest = r.honest;
  plan.bound = std::sqrt(1 + plan.t_weight * plan.t_weight);
  const double per_round = rho / r.rounds;
  plan.unit = kFinestUnit;
  double variance = share_variance(sensitivity_of(plan), plan.entries, r.honest, per_round);
  while (std::sqrt(variance) > kWidestShare && plan.unit < 1) {
    plan.unit *= 2;
    variance = share_variance(sensitivity_of(plan), plan.entries, r.honest, per_round);
  }
  if (!(std::sqrt(variance) <= kWidestShare)) return too_much_noise(r, plan.entries);
  plan.share_variance = static_cast<std::uint64_t>(variance);
  const Cost cost = cost_of(plan);
  plan.rho = cost.rho;
  plan.divergence = cost.divergence;
  if (plan.rho > r.rounds * per_round) return too_much_noise(r, plan.entries);
  return plan;
}

NoisePlan exchange(const PlanRequest& r) {
  const auto rows = static_cast<double>(r.rows);
  const auto rank = static_cast<double>(r.rank);
  NoisePlan plan;
  plan.entries = rows * rank + rank * (rank + 1) / 2;
  // The noise of S is worth (1 + w²) rows, that of T (1 + w²) rank / w²: least in all at w² = sqrt(rank / rows).
  constexpr double kSteps = 16;
  plan.t_weight = std::max(1.0, std::round(kSteps * std::sqrt(std::sqrt(rank / rows)))) / kSteps;
  return plan;
}

// The same where S has as many rows as T.
NoisePlan exchange_in_span(const PlanRequest& r) {
  const auto rank = static_cast<double>(r.rank);
  NoisePlan plan;
  plan.entries = rank * rank + rank * (rank + 1) / 2;
  plan.t_weight = 1;
  plan.honest = r.honest;
  return plan;
}

// The longest part of a column, over sqrt 2, rounded up.
double longest_over_sqrt2(const OpeningPlan& plan) {
  return std::ldexp(1, 2 * plan.bits) / std::numbers::sqrt2 * (1 + 1e-15);
}

Result<OpeningPlan> opening(const PlanRequest& r, double rho) {
  const auto rows = static_cast<double>(r.rows);
  OpeningPlan plan;
  plan.honest = r.honest;
  plan.entries = rows * (rows + 1) / 2;
  for (plan.bits = kFinestBits; plan.bits >= 1; --plan.bits) {
    // Twelve bits of half the variance: the whole is even then.
    const double half = share_variance(longest_over_sqrt2(plan), plan.entries, r.honest, rho);
    if (!(std::sqrt(2 * half) <= kWidestShare)) continue;
    plan.share_variance = 2 * static_cast<std::uint64_t>(half);
    const Cost cost = cost_of(plan);
    plan.rho = cost.rho;
    plan.divergence = cost.divergence;
    return plan;
  }
  return too_much_noise(r, plan.entries);
}

// The plan that `make` makes of a rho: the largest one that Gaussian noise allows, or zCDP's if the noise is not near
// enough to it.
template <typename Make>
auto spend(const Budget& budget, const Make& make) -> decltype(make(0.0)) {
  constexpr double kBelow = 1 - 1e-12;  // sums of parts of rho may round up
  auto plan = make(kBelow * rho_for(budget, kMostDivergence));
  if (plan && plan->cost().divergence <= kMostDivergence) return plan;
  return make(kBelow * rho_for(budget));
}

}  // namespace

Result<NoisePlan> plan_noise(const PlanRequest& r) {
  PPDNMF_TRY_STATUS(check_request(r));
  if (r.rounds < 1) return error(ErrorCode::kUsage, "`iterations` must be at least 1, not {}", r.rounds);
  PPDNMF_TRY(const NoisePlan plan, spend(r.budget, [&](double rho) { return with_noise(exchange(r), r, rho); }));
  const double noise = kAveraged * noise_of(plan, r.agents) * std::sqrt(static_cast<double>(r.rows));
  PPDNMF_TRY_STATUS(check_noise(noise, r, plan.cost()));
  return plan;
}

Result<MomentsPlan> plan_moments(const PlanRequest& r, double part) {
  PPDNMF_CHECK(r.rounds >= 0 && part > 0 && (r.rounds == 0 ? part == 1 : part < 1));
  PPDNMF_TRY_STATUS(check_request(r));
  if (r.rows > kMaxMomentRows) {
    return error(ErrorCode::kUsage,
                 "`scheme=moments` opens {0} x {0} numbers for {0} rows, where {1} rows are the most: choose "
                 "`scheme=sum`, or leave out rows",
                 r.rows, kMaxMomentRows);
  }
  PPDNMF_TRY(const MomentsPlan plan, spend(r.budget, [&](double rho) -> Result<MomentsPlan> {
               MomentsPlan out;
               PPDNMF_TRY(out.opening, opening(r, part * rho));
               out.rounds = exchange_in_span(r);
               if (r.rounds > 0) {
                 PPDNMF_TRY(out.rounds, with_noise(out.rounds, r, (1 - part) * rho));
               }
               return out;
             }));
  // The largest eigenvalue that noise alone has.
  const double noise = noise_of(plan.opening, r.agents) * std::sqrt(2 * static_cast<double>(r.rows));
  PPDNMF_TRY_STATUS(check_noise(noise, r, plan.cost()));
  return plan;
}

Cost MomentsPlan::cost() const {
  Cost all = opening.cost();
  all += rounds.cost();
  return all;
}

Cost cost_of(const NoisePlan& plan) {
  if (plan.rounds == 0) return {};
  const auto variance = static_cast<double>(plan.share_variance);
  const Cost one = cost_of(NoisyTotals{sensitivity_of(plan), variance, plan.honest, plan.entries});
  return {plan.rounds * one.rho, plan.rounds * one.divergence};
}

// Whether the diagonal's noise is s and a column moves it by z_i², or half its variance and z_i²/sqrt 2, is the same;
// the smaller variance has the larger tau and divergence.
Cost cost_of(const OpeningPlan& plan) {
  const double half = static_cast<double>(plan.share_variance) / 2;
  return cost_of(NoisyTotals{longest_over_sqrt2(plan), half, plan.honest, plan.entries});
}

double noise_of(const NoisePlan& plan, std::uint32_t shares) {
  return plan.unit * std::sqrt(static_cast<double>(plan.share_variance) * shares);
}

double noise_of(const OpeningPlan& plan, std::uint32_t shares) {
  return std::ldexp(std::sqrt(static_cast<double>(plan.share_variance) * shares), -2 * plan.bits);
}

bool masks_hold(std::uint32_t agents, std::uint32_t honest, std::uint32_t near) {
  constexpr double kAllowed = -40;
  constexpr double kTries = 64;
  return log2_chance_of_a_cut(agents, honest, near) + kTries <= kAllowed;
}

}  // namespace ppdnmf::privacy
