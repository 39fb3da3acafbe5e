#include <ppdnmf/privacy/choice.h>

#include <fmt/format.h>

#include <cmath>

namespace ppdnmf::privacy {
namespace {

// Columns behind a component, over the largest eigenvalue of the opening's noise: from kSome on a few rounds mend more
// of what the opening's post-processing loses than they cost, from kClear on some more.
constexpr double kSome = 16;
constexpr double kClear = 60;
constexpr int kFewRounds = 4;
constexpr int kMoreRounds = 6;
// Many components, behind each of which there is less than the noise: exchanges lose less. Known from one set of
// data alone (CBCL, 361 rows, rank 49); on counts with 96 rows the opening is far better at rank 25, too.
constexpr std::int64_t kManyComponents = 30;
constexpr double kDrowned = 1;

}  // namespace

double part_of_opening(int rounds) { return rounds == 0 ? 1 : rounds < kMoreRounds ? 0.9 : 0.8; }

Choice choose_way(const PlanRequest& r) {
  if (r.rows > kMaxMomentRows) {
    return {false, 1, 0,
            fmt::format("{} rows are too many to open all products of two rows ({} at most)", r.rows, kMaxMomentRows)};
  }
  const double mu = std::sqrt(2 * rho_for(r.budget, 0));
  const double noise = std::sqrt(2.0 * static_cast<double>(r.rows) * r.agents / r.honest) / mu;
  const double clear = r.columns / static_cast<double>(r.rank) / noise;
  if (r.rank > kManyComponents && clear < kDrowned) {
    return {
        false, 1, 0,
        fmt::format("a component's columns are {:.3g} times the noise of one opening, which below {:g} does not tell "
                    "{} components apart",
                    clear, kDrowned, r.rank)};
  }
  if (clear < kSome) {
    return {true, 1, 0,
            fmt::format("a component's columns are {:.3g} times the noise of one opening, and below {:g} the whole "
                        "budget is best spent there",
                        clear, kSome)};
  }
  const int rounds = clear < kClear ? kFewRounds : kMoreRounds;
  return {
      true, part_of_opening(rounds), rounds,
      fmt::format("a component's columns are {:.3g} times the noise of one opening, and from {:g} on a few rounds in "
                  "its span mend what it loses",
                  clear, kSome)};
}

}  // namespace ppdnmf::privacy
