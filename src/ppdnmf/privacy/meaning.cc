#include <ppdnmf/privacy/meaning.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ppdnmf::privacy {
namespace {

// The distribution function of N(0, 1).
double normal_below(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

}  // namespace

double largest_auc(double rho) {
  PPDNMF_CHECK(rho >= 0 && std::isfinite(rho));
  return normal_below(std::sqrt(rho));
}

double largest_right(double rho) {
  PPDNMF_CHECK(rho >= 0 && std::isfinite(rho));
  return normal_below(std::sqrt(rho / 2));
}

// Hits are at most min(e^epsilon f + delta, 1 - e^-epsilon (1 - delta - f)) where false alarms are f: the area below
// that line, and the place where hits exceed false alarms most.
double largest_auc(const Budget& budget) {
  PPDNMF_CHECK(budget.epsilon >= 0 && budget.delta >= 0 && budget.delta <= 1);
  return 1 - (1 - budget.delta) * (1 - budget.delta) / (1 + std::exp(budget.epsilon));
}

double largest_right(const Budget& budget) {
  PPDNMF_CHECK(budget.epsilon >= 0 && budget.delta >= 0 && budget.delta <= 1);
  return 1 - (1 - budget.delta) / (1 + std::exp(budget.epsilon));
}

std::string meaning_of(double rho, std::string_view who) {
  const double auc = std::min(1.0, std::ceil(1000 * largest_auc(rho)) / 1000);
  const double right = std::min(100.0, std::ceil(100 * largest_right(rho)));
  return fmt::format(
      "Whoever sees all that is opened, and knows everybody else's data, tells whether one given {} is among the "
      "data with an AUC of {:.3f} at best: of 100 guesses at even odds at most {:.0f} are right, where blind ones get "
      "50.",
      who, auc, right);
}

}  // namespace ppdnmf::privacy
