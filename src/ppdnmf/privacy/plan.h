// How a budget is spent on a run of masked sums: which noise, how much, and what it costs (docs/privacy.md).
//
// In a round a column's part is (z yᵀ, w upper(y yᵀ)) with |z| <= 1 and |y| <= 1, so its norm is at most
// C = sqrt(1 + w²); in a round within a span, Uᵀz takes the place of z, with the same bound. It is rounded to multiples
// of a unit, and every agent adds a discrete Gaussian share to each entry. In the opening of second moments it is the
// upper triangle of z zᵀ, of integers z with |z|² <= 2^(2 bits): with noise of variance s² on the diagonal and s²/2
// off it, a column moves the totals by |z|²/s, exactly.
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
  double entries = 0;     // numbers opened per round
  double rho = 0;         // of one column in all rounds: at most what the budget allows
  double divergence = 0;  // of the noise, as in Cost

  [[nodiscard]] Cost cost() const { return {rho, divergence}; }
  friend bool operator==(const NoisePlan&, const NoisePlan&) = default;
};

// The one opening of second moments, in units of 2^(-2 bits).
struct OpeningPlan {
  int bits = 0;                      // columns are rounded to multiples of 2^-bits
  std::uint64_t share_variance = 0;  // s² of one agent's share on the diagonal; even, half of it off the diagonal
  std::uint32_t honest = 0;
  double entries = 0;  // of the triangle
  double rho = 0;
  double divergence = 0;

  [[nodiscard]] Cost cost() const { return {rho, divergence}; }
  friend bool operator==(const OpeningPlan&, const OpeningPlan&) = default;
};

// An opening of second moments, then perhaps rounds in the span that was found.
struct MomentsPlan {
  OpeningPlan opening;
  NoisePlan rounds;  // .rounds may be 0

  [[nodiscard]] Cost cost() const;
  friend bool operator==(const MomentsPlan&, const MomentsPlan&) = default;
};

// Rounds that serve every budget about equally well, by measurement.
inline constexpr int kPrivateRounds = 60;

// Fails with kUsage, naming the option, if check_budget refuses the budget, if `honest` is not from 1 to `agents`, if
// the masks could fall apart (masks_hold), if the noise would bury the data, or if it would take more noise than can be
// drawn exactly: the sentence then says what would do.
[[nodiscard]] Result<NoisePlan> plan_noise(const PlanRequest& request);

// `part` of the budget for the opening, 0 < part <= 1 (checked), and the rest for request.rounds rounds, which may be
// 0; then part is 1 (checked). Fails as plan_noise does, and beyond kMaxMomentRows rows.
[[nodiscard]] Result<MomentsPlan> plan_moments(const PlanRequest& request, double part);

// More rows than that, and the triangle of second moments is more than an agent should send (72 MB).
inline constexpr std::int64_t kMaxMomentRows = 3000;

// What one column costs over all rounds of a plan, from its bound, noise and numbers alone.
[[nodiscard]] Cost cost_of(const NoisePlan& plan);
[[nodiscard]] Cost cost_of(const OpeningPlan& plan);

// Standard deviation of the noise in one entry when `shares` agents add theirs; of the opening, on the diagonal.
[[nodiscard]] double noise_of(const NoisePlan& plan, std::uint32_t shares);
[[nodiscard]] double noise_of(const OpeningPlan& plan, std::uint32_t shares);

// Whether masks between `near` partners on either side of a ring keep the honest agents together but for a probability
// of 2^-40, even if somebody who speaks last tries 2^64 nonces, on which the ring's order depends: a part
// that fell off would be opened with its own shares of the noise only. privacy/mask_ring.h has the probability.
[[nodiscard]] bool masks_hold(std::uint32_t agents, std::uint32_t honest, std::uint32_t near);

}  // namespace ppdnmf::privacy

#endif  // PPDNMF_PRIVACY_PLAN_H_
