#include <ppdnmf/privacy/account.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace ppdnmf::privacy {
namespace {

// Below these nobody learns anything, and the account's own numbers would run out of digits.
constexpr double kSmallestEpsilon = 1e-6;
constexpr double kSmallestDelta = 1e-100;
constexpr double kLargestEpsilon = 100;
constexpr int kHalvings = 200;  // more than a double has digits, whatever the bracket

// log of what delta_of minimises.
double log_delta(double rho, double epsilon, double alpha) {
  return (alpha - 1) * (alpha * rho - epsilon) + alpha * std::log1p(-1 / alpha) - std::log(alpha - 1);
}

// The smallest epsilon of at least 0 with delta_at(epsilon) <= delta; delta_at falls.
template <typename DeltaAt>
double smallest_epsilon(double first_guess, double delta, const DeltaAt& delta_at) {
  PPDNMF_CHECK(delta > 0 && delta < 1);
  if (delta_at(0) <= delta) return 0;
  double low = 0;
  double high = first_guess;
  while (delta_at(high) > delta) high *= 2;
  for (int n = 0; n < kHalvings; ++n) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (delta_at(middle) > delta ? low : high) = middle;
  }
  return high;
}

// The largest rho with delta_at(rho) <= delta; delta_at rises from 0.
template <typename DeltaAt>
double largest_rho(double delta, const DeltaAt& delta_at) {
  double low = 0;
  double high = 1;
  while (delta_at(high) <= delta) high *= 2;
  for (int n = 0; n < kHalvings; ++n) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (delta_at(middle) > delta ? high : low) = middle;
  }
  return low;
}

// tau of rho_of: the logarithm of no probability of the sum differs by more from that of one discrete Gaussian.
double tau_of(const NoisyTotals& totals) {
  double tau = 0;
  const double exponent = -2 * std::numbers::pi * std::numbers::pi * totals.share_variance;
  // Terms fall with k towards exp(exponent); beyond some they are all alike.
  constexpr std::uint32_t kApart = 1000;
  const std::uint32_t apart = std::min(totals.shares - 1, kApart);
  for (std::uint32_t k = 1; k <= apart; ++k) tau += std::exp(exponent * k / (k + 1.0));
  if (totals.shares - 1 > apart) tau += (totals.shares - 1 - apart) * std::exp(exponent * apart / (apart + 1.0));
  return 10 * tau;
}

// Of D, a sum of discrete Gaussians, from R(k) = P(k - 1/2 < N(0, S²) < k + 1/2), per number. With f the density,
// R(k) / f(k) is the mean of exp(-t²/2S²) cosh(k t/S²) over |t| < 1/2, at least 1 + x with
//   x = k²/S⁴ (1/24 - 1/320S²) - 1/24S²,  and  -log(1 + x) <= -x + x².
// E k² is S² but for what the discrete variances lack (`lacking`), so that the terms of order S^-2 cancel; E k⁴ <= 16
// S⁴ since D is S-sub-Gaussian. What remains is below 0.07 / S⁴. log(D / f) <= tau: one discrete Gaussian of variance
// S² is f over a sum that is above 1.
double divergence_per_number(const NoisyTotals& totals) {
  const double variance = totals.share_variance;
  const double S2 = totals.shares * variance;
  constexpr double kLeast = 16;
  if (S2 < kLeast || variance < 1) return std::numeric_limits<double>::infinity();
  const double exponent = 4 * std::numbers::pi * std::numbers::pi * variance;
  const double lacking = S2 * exponent / std::expm1(exponent);
  return tau_of(totals) + (0.07 + lacking / 24) / (S2 * S2);
}

double phi_below(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

}  // namespace

Status check_budget(const Budget& budget, double columns) {
  if (!(budget.epsilon >= kSmallestEpsilon && budget.epsilon <= kLargestEpsilon)) {
    return error(ErrorCode::kUsage, "`epsilon` must be a number from {:g} to {:g}, not {}", kSmallestEpsilon,
                 kLargestEpsilon, budget.epsilon);
  }
  if (!(budget.delta >= kSmallestDelta && budget.delta < 1 / columns)) {
    return error(ErrorCode::kUsage,
                 "`delta` must be above 0 (1e-100 at least) and below 1/columns = {:.2g}, not {}: a larger one would "
                 "allow a run that "
                 "shows one column as it is",
                 1 / columns, budget.delta);
  }
  return {};
}

double delta_of(double rho, double epsilon) {
  PPDNMF_CHECK(rho >= 0 && epsilon >= 0 && std::isfinite(rho) && std::isfinite(epsilon));
  if (rho == 0) return 0;
  // The logarithm is convex in alpha; its derivative is (2 alpha - 1) rho - epsilon + log(1 - 1/alpha).
  const auto rising = [&](double alpha) { return (2 * alpha - 1) * rho - epsilon + std::log1p(-1 / alpha) > 0; };
  double low = 1;
  double high = 2;
  while (!rising(high)) high *= 2;
  for (int n = 0; n < kHalvings; ++n) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (rising(middle) ? high : low) = middle;
  }
  // Any alpha gives a true bound, so the search need not be exact.
  return std::min(1.0, std::exp(log_delta(rho, epsilon, high)));
}

double epsilon_of(double rho, double delta) {
  const double simpler = rho + 2 * std::sqrt(-rho * std::log(delta)) + 1e-300;  // and larger
  return smallest_epsilon(simpler, delta, [&](double epsilon) { return delta_of(rho, epsilon); });
}

double rho_for(const Budget& budget) {
  PPDNMF_CHECK(budget.epsilon > 0 && budget.delta > 0 && budget.delta < 1);
  return largest_rho(budget.delta, [&](double rho) { return delta_of(rho, budget.epsilon); });
}

double group_rho(double rho, double columns) { return rho * columns * columns; }

double rho_of(const NoisyTotals& totals) {
  PPDNMF_CHECK(totals.sensitivity >= 0 && totals.share_variance >= 0.25 && totals.shares >= 1 && totals.entries >= 0);
  const double distance = totals.sensitivity / std::sqrt(totals.shares * totals.share_variance);
  const double mu = distance + tau_of(totals) * std::sqrt(totals.entries);
  return mu * mu / 2;
}

Cost& Cost::operator+=(const Cost& other) {
  rho += other.rho;
  divergence += other.divergence;
  return *this;
}

Cost cost_of(const NoisyTotals& totals) {
  return {rho_of(totals), totals.entries > 0 ? totals.entries * divergence_per_number(totals) : 0};
}

double gaussian_delta(double mu, double epsilon) {
  PPDNMF_CHECK(mu >= 0 && epsilon >= 0 && std::isfinite(mu) && std::isfinite(epsilon));
  if (mu == 0) return 0;
  const double larger = phi_below(mu / 2 - epsilon / mu);
  const double smaller = std::exp(epsilon) * phi_below(-mu / 2 - epsilon / mu);
  constexpr double kRoundOff = 1e-12;  // of both, beyond what arguments of at most 30 can make of it
  if (!std::isfinite(smaller)) return std::min(1.0, larger * (1 + kRoundOff));
  return std::clamp(larger * (1 + kRoundOff) - smaller * (1 - kRoundOff), 0.0, 1.0);
}

double delta_of(const Cost& cost, double epsilon) {
  PPDNMF_CHECK(cost.divergence >= 0);
  const double concentrated = delta_of(cost.rho, epsilon);
  const double variation = std::sqrt(cost.divergence / 2);
  const double slack = variation > 0 ? (1 + std::exp(epsilon)) * variation : 0;
  return std::min(concentrated, gaussian_delta(std::sqrt(2 * cost.rho), epsilon) + slack);
}

double epsilon_of(const Cost& cost, double delta) {
  const double larger = epsilon_of(cost.rho, delta) + 1e-300;
  return smallest_epsilon(larger, delta, [&](double epsilon) { return delta_of(cost, epsilon); });
}

double rho_for(const Budget& budget, double divergence) {
  PPDNMF_CHECK(budget.epsilon > 0 && budget.delta > 0 && budget.delta < 1);
  return largest_rho(budget.delta, [&](double rho) { return delta_of(Cost{rho, divergence}, budget.epsilon); });
}

double rounded_bound(double bound, double entries) { return bound + std::sqrt(entries) / 2; }

}  // namespace ppdnmf::privacy
