// How a budget is spent on a run of masked sums: which noise, how much, and what it costs (docs/privacy.md).
//
// A column's part in a round is (z yᵀ, w upper(y yᵀ)) with |z| <= 1 and |y| <= 1, so its norm is at most
// C = sqrt(1 + w²). It is rounded to multiples of a unit, and every agent adds a discrete Gaussian share to each entry.
// Everything here is public and follows from public numbers.
#ifndef PPDNMF_PRIVACY_PLAN_H_
#define PPDNMF_PRIVACY_PLAN_H_

#include <cstdint>

#include <ppdnmf/base/result.h>
#include <ppdnmf/privacy/account.h>

namespace ppdnmf::privacy {

struct PlanRequest {
  Budget budget;
  std::int64_t rows = 0;
  std::int64_t rank = 0;
  int rounds = 0;
  std::uint32_t agents = 0;
  std::uint32_t honest = 0;         // at least this many agents add their share and tell it to nobody
  double columns = 0;               // a public number, about as many as all agents have
  std::uint32_t mask_partners = 0;  // of an agent, on either side of the ring of masks
};

struct NoisePlan {
  double bound = 0;                  // C, to which parts are weighed down; the account takes C (1 + 1e-9)
  double t_weight = 0;               // w
  double unit = 0;                   // a power of two
  std::uint64_t share_variance = 0;  // of one agent's share of the noise, in units²
  int rounds = 0;
  std::uint32_t honest = 0;
  double entries = 0;  // numbers opened per round
  double rho = 0;      // of one column in the whole run: at most what the budget allows

  friend bool operator==(const NoisePlan&, const NoisePlan&) = default;
};

// Rounds that serve every budget about equally well, by measurement.
inline constexpr int kPrivateRounds = 60;

// Fails with kUsage, naming the option, if check_budget refuses the budget, if `honest` is not from 1 to `agents`, if
// the masks could fall apart (masks_hold), if the noise would bury the data, or if it would take more noise than can be
// drawn exactly: the sentence then says what would do.
[[nodiscard]] Result<NoisePlan> plan_noise(const PlanRequest& request);

// rho of one column over all rounds of a plan.
[[nodiscard]] double rho_of_plan(const NoisePlan& plan);

// Standard deviation of the noise in one entry when `shares` agents add theirs.
[[nodiscard]] double noise_of(const NoisePlan& plan, std::uint32_t shares);

// Whether masks between `near` partners on either side of a ring keep the honest agents together but for a probability
// of 2^-40, even if somebody who speaks last tries 2^64 nonces, on which the ring's order depends: a part
// that fell off would be opened with its own shares of the noise only. privacy/mask_ring.h has the probability.
[[nodiscard]] bool masks_hold(std::uint32_t agents, std::uint32_t honest, std::uint32_t near);

}  // namespace ppdnmf::privacy

#endif  // PPDNMF_PRIVACY_PLAN_H_
