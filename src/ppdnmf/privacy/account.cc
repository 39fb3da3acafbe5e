#include <ppdnmf/privacy/account.h>

#include <algorithm>
#include <cmath>
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
  PPDNMF_CHECK(delta > 0 && delta < 1);
  if (delta_of(rho, 0) <= delta) return 0;
  double low = 0;
  double high = rho + 2 * std::sqrt(-rho * std::log(delta)) + 1e-300;  // the simpler, larger conversion
  while (delta_of(rho, high) > delta) high *= 2;
  for (int n = 0; n < kHalvings; ++n) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (delta_of(rho, middle) > delta ? low : high) = middle;
  }
  return high;
}

double rho_for(const Budget& budget) {
  PPDNMF_CHECK(budget.epsilon > 0 && budget.delta > 0 && budget.delta < 1);
  double low = 0;
  double high = 1;
  while (delta_of(high, budget.epsilon) <= budget.delta) high *= 2;
  for (int n = 0; n < kHalvings; ++n) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (delta_of(middle, budget.epsilon) > budget.delta ? high : low) = middle;
  }
  return low;
}

double group_rho(double rho, double columns) { return rho * columns * columns; }

double rho_of(const NoisyTotals& totals) {
  PPDNMF_CHECK(totals.sensitivity >= 0 && totals.share_variance >= 0.25 && totals.shares >= 1 && totals.entries >= 0);
  double tau = 0;
  const double exponent = -2 * std::numbers::pi * std::numbers::pi * totals.share_variance;
  // Terms fall with k towards exp(exponent); beyond some they are all alike.
  constexpr std::uint32_t kApart = 1000;
  const std::uint32_t apart = std::min(totals.shares - 1, kApart);
  for (std::uint32_t k = 1; k <= apart; ++k) tau += std::exp(exponent * k / (k + 1.0));
  if (totals.shares - 1 > apart) tau += (totals.shares - 1 - apart) * std::exp(exponent * apart / (apart + 1.0));
  tau *= 10;
  const double distance = totals.sensitivity / std::sqrt(totals.shares * totals.share_variance);
  const double mu = distance + tau * std::sqrt(totals.entries);
  return mu * mu / 2;
}

double rounded_bound(double bound, double entries) { return bound + std::sqrt(entries) / 2; }

}  // namespace ppdnmf::privacy
