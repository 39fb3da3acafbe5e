#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include <ppdnmf/base/result.h>
#include <ppdnmf/experiment/figures.h>
#include <ppdnmf/report/report_words.h>

namespace ppdnmf::experiment {

Exhibit joining_exhibit(const std::vector<JoiningOutcome>& outcomes, Index rank, const std::string& data) {
  PPDNMF_CHECK(!outcomes.empty());
  std::vector<double> best;
  std::vector<double> mean;
  std::vector<double> worst;
  std::vector<double> together;
  std::vector<double> centre;
  Index rank_alone = rank;
  for (const JoiningOutcome& o : outcomes) {
    best.push_back(*std::min_element(o.alone.begin(), o.alone.end()));
    worst.push_back(*std::max_element(o.alone.begin(), o.alone.end()));
    mean.push_back(std::accumulate(o.alone.begin(), o.alone.end(), 0.0) / static_cast<double>(o.alone.size()));
    together.push_back(o.together);
    centre.push_back(o.centre);
    rank_alone = std::min(rank_alone, o.rank_alone);
  }
  const Bars bars{"relative error on held-out columns",
                  {{"alone: best", band_of(best)},
                   {"alone: mean", band_of(mean)},
                   {"alone: worst", band_of(worst)},
                   {"together: worst", band_of(together)},
                   {"centre", band_of(centre)}}};
  const double alone = bars.bars[1].height.mean;
  const double joined = bars.bars[3].height.mean;
  Exhibit e;
  e.name = "joining";
  e.title = "What joining is worth";
  e.alt = "Errors of held-out columns for one agent alone, the agents together and a centre";
  e.claim = "The paper does not ask whether an agent gains by taking part.";
  e.found = fmt::format(
      "Found on {} columns of {} that nobody learned from: relative error {} with the X of an agent alone (mean over "
      "agents{}), {} with the X of the "
      "agents together (worst agent), {} with a centre's; {}.",
      outcomes.front().held_out, data, report::short_number(alone),
      rank_alone < rank ? fmt::format("; its own columns allow rank {} only, not {}", rank_alone, rank) : "",
      report::short_number(joined), report::short_number(bars.bars[4].height.mean),
      joined < alone ? fmt::format("joining lowers the error by {}", report::percent(1 - joined / alone))
                     : "joining does not help here");
  draw(bars, e);
  return e;
}

}  // namespace ppdnmf::experiment
