// What it costs to open noisy totals: concentrated differential privacy (zCDP; Bun and Steinke 2016), which adds up
// over everything opened, and its conversion to (epsilon, delta). Gaussian noise has a tighter one: what adaptive
// openings with rounded Gaussian noise tell together is no more than one number that is N(0, 1) or N(mu, 1),
// mu = sqrt(2 rho) (Dong, Roth and Su 2022), whose delta is known exactly (Balle and Wang 2018). Discrete noise is a
// little different, and what that can cost is added.
//
// Neighbours are data that differ in one column, added or removed. Pure functions; numbers that are not exact are
// rounded to the side that promises less. All arguments are finite and in range (checked); whoever takes them from a
// user asks check_budget first.
#ifndef PPDNMF_PRIVACY_ACCOUNT_H_
#define PPDNMF_PRIVACY_ACCOUNT_H_

#include <cstdint>

#include <ppdnmf/base/result.h>

namespace ppdnmf::privacy {

struct Budget {
  double epsilon = 0;
  double delta = 0;

  friend bool operator==(const Budget&, const Budget&) = default;
};

// Fails with kUsage unless epsilon is a number from 1e-6 to 100 and 1e-100 <= delta < 1 / columns; `columns`: a public
// number of columns, about as many as there are.
[[nodiscard]] Status check_budget(const Budget& budget, double columns);

// The smallest delta for which rho-zCDP implies (epsilon, delta): Canonne, Kamath and Steinke 2020,
//   inf over alpha > 1 of exp((alpha - 1)(alpha rho - epsilon)) / (alpha - 1) * (1 - 1/alpha)^alpha.
// rho >= 0, epsilon >= 0.
[[nodiscard]] double delta_of(double rho, double epsilon);
// The smallest epsilon of at least 0 for a delta, 0 < delta < 1.
[[nodiscard]] double epsilon_of(double rho, double delta);
// The largest rho that keeps a budget: epsilon_of(rho, delta) <= epsilon.
[[nodiscard]] double rho_for(const Budget& budget);

// Of somebody with `columns` columns where one column costs rho: rho columns².
[[nodiscard]] double group_rho(double rho, double columns);

// One opening of integer totals to which each of `shares` agents has added a discrete Gaussian number per entry.
struct NoisyTotals {
  double sensitivity = 0;     // the largest Euclidean norm of one column's integers
  double share_variance = 0;  // sigma² of one agent's share; at least 1/4
  std::uint32_t shares = 1;   // those that count: of honest agents whose noise nobody else knows
  double entries = 0;
};

// (sensitivity / (sqrt(shares) sigma) + tau sqrt(entries))² / 2, tau = 10 sum over k = 1 .. shares - 1 of
// exp(-2 pi² sigma² k / (k + 1)): Kairouz, Liu and Steinke, "The Distributed Discrete Gaussian Mechanism" (2021).
// A sum of discrete Gaussians is not quite one; tau is what that costs.
[[nodiscard]] double rho_of(const NoisyTotals& totals);

// All that a run opens.
struct Cost {
  double rho = 0;         // of one column, added or removed
  double divergence = 0;  // Kullback and Leibler's, of the noise from rounded Gaussian noise, over all numbers opened

  Cost& operator+=(const Cost& other);  // one after the other, each depending on those before
  friend bool operator==(const Cost&, const Cost&) = default;
};

// What accounts allow one run: no plan whose budget is below epsilon 25 has more (beyond, zCDP's conversion is the
// smaller one), so that runs whose rho alone is known can be added up.
inline constexpr double kMostDivergence = 1e-22;

// rho_of, and entries times a bound on the divergence of a sum of `shares` discrete Gaussians from round(N(0, S²)),
// S² = shares sigma²: tau + 0.07 / S⁴ and what the variances lack. Infinite where S² < 16 or sigma² < 1.
[[nodiscard]] Cost cost_of(const NoisyTotals& totals);

// The exact delta of telling N(0, 1) from N(mu, 1): Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu).
[[nodiscard]] double gaussian_delta(double mu, double epsilon);

// The smaller one of two true bounds: zCDP's, and gaussian_delta(sqrt(2 rho), epsilon) + (1 + e^epsilon) TV, where
// TV <= sqrt(divergence / 2) by Pinsker's inequality.
[[nodiscard]] double delta_of(const Cost& cost, double epsilon);
[[nodiscard]] double epsilon_of(const Cost& cost, double delta);
// The largest rho that keeps a budget at this divergence.
[[nodiscard]] double rho_for(const Budget& budget, double divergence);

// The largest norm of a vector of norm `bound` after each of `entries` entries was rounded to an integer.
[[nodiscard]] double rounded_bound(double bound, double entries);

}  // namespace ppdnmf::privacy

#endif  // PPDNMF_PRIVACY_ACCOUNT_H_
