#include <ppdnmf/privacy/choice.h>

#include <fmt/format.h>

#include <cmath>

namespace ppdnmf::privacy {
namespace {

constexpr int kSpanRounds = 6;
constexpr double kPartBeforeRounds = 0.8;
// Columns behind a component, over the largest eigenvalue of the opening's noise: from here on what the opening's
// post-processing loses is more than rounds cost.
constexpr double kClear = 20;

}  // namespace

double part_of_opening(int rounds) { return rounds > 0 ? kPartBeforeRounds : 1; }

Choice choose_way(const PlanRequest& r) {
  if (r.rows > kMaxMomentRows) {
    return {false, 1, 0,
            fmt::format("{} rows are too many to open all products of two rows ({} at most)", r.rows, kMaxMomentRows)};
  }
  const double mu = std::sqrt(2 * rho_for(r.budget, 0));
  const double noise = std::sqrt(2.0 * static_cast<double>(r.rows) * r.agents / r.honest) / mu;
  const double clear = r.columns / static_cast<double>(r.rank) / noise;
  if (clear < kClear) {
    return {true, 1, 0,
            fmt::format("a component's columns are {:.3g} times the noise of one opening, and below {:g} the whole "
                        "budget is best spent there",
                        clear, kClear)};
  }
  return {true, part_of_opening(kSpanRounds), kSpanRounds,
          fmt::format("a component's columns are {:.3g} times the noise of one opening, and from {:g} on a few rounds in "
                      "its span mend what it loses",
                      clear, kClear)};
}

}  // namespace ppdnmf::privacy
