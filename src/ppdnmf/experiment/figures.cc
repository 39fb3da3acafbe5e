#include <ppdnmf/experiment/figures.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <ppdnmf/base/result.h>
#include <ppdnmf/report/report_words.h>

namespace ppdnmf::experiment {
namespace {

const VariantSummary& find(const std::vector<VariantSummary>& summaries, Kind kind, bool finest = true) {
  const VariantSummary* found = nullptr;
  for (const VariantSummary& s : summaries) {
    if (s.variant.kind != kind) continue;
    const bool better = found == nullptr || (s.variant.n_max > found->variant.n_max) == finest;
    if (better) found = &s;
  }
  PPDNMF_CHECK(found != nullptr);
  return *found;
}

std::vector<const VariantSummary*> all_of_kind(const std::vector<VariantSummary>& summaries, Kind kind) {
  std::vector<const VariantSummary*> found;
  for (const VariantSummary& s : summaries) {
    if (s.variant.kind == kind) found.push_back(&s);
  }
  std::sort(found.begin(), found.end(),
            [](const auto* a, const auto* b) { return a->variant.n_max > b->variant.n_max; });
  return found;
}

template <typename Measure>
Chart::Curve curve_of(const VariantSummary& summary, bool over_rounds, const Measure& measure) {
  Chart::Curve curve;
  curve.label = variant_label(summary.variant);
  curve.look = look_of(summary.variant);
  for (const SummaryPoint& p : summary.curve)
    curve.points.push_back({over_rounds ? p.rounds : p.iteration, measure(p)});
  return curve;
}

Band nmse_of(const SummaryPoint& p) { return p.nmse; }
Band disagreement_of(const SummaryPoint& p) { return p.disagreement; }
Band worst_of(const SummaryPoint& p) { return p.worst_agent_error; }

// "3.4 % below", "1.2 % above".
std::string against(double value, double reference) {
  const double part = value / reference - 1;
  if (std::abs(part) < 5e-4) return "equal (within 0.05 %) to";
  return fmt::format("{} {}", report::percent(std::abs(part)), part < 0 ? "below" : "above");
}

Exhibit nmse_exhibit(const std::vector<VariantSummary>& all, bool printed) {
  const Kind kind = printed ? Kind::kAsPrinted : Kind::kCorrected;
  const VariantSummary& centre = find(all, Kind::kCentralised);
  const VariantSummary& fine = find(all, kind);
  const VariantSummary& coarse = find(all, kind, false);
  const VariantSummary& other = find(all, printed ? Kind::kAsPrintedOnes : Kind::kDefaults);
  const VariantSummary& sum = find(all, Kind::kSum);
  Exhibit e;
  e.name = printed ? "nmse_as_printed" : "nmse_corrected";
  e.title = printed ? "The paper's curves, as printed" : "The same curves, corrected";
  e.alt = e.title + ": NMSE over iterations";
  e.claim =
      "The paper: PPDNMF closely approximates the centralised algorithm in convergence and in steady-state NMSE, and a "
      "higher N_max "
      "gives a lower NMSE.";
  e.found = fmt::format(
      "Found with the updates {}: after {} iterations the mean of the local errors is {} for {}, {} the centralised "
      "{}; it is {} for {} and "
      "{} for {}{}.",
      printed ? "as printed" : "corrected and the paper's parameters", fine.end.iteration,
      report::short_number(fine.end.nmse.mean), variant_label(fine.variant),
      against(fine.end.nmse.mean, centre.end.nmse.mean), report::short_number(centre.end.nmse.mean),
      report::short_number(coarse.end.nmse.mean), variant_label(coarse.variant),
      report::short_number(other.end.nmse.mean), variant_label(other.variant),
      printed ? ""
              : fmt::format(", and {} for {}, after {}", report::short_number(sum.end.nmse.mean),
                            variant_label(sum.variant), sum.end.iteration));
  Chart chart{"iteration", "NMSE (mean local relative error)", false, 0, {}};
  chart.curves.push_back(curve_of(centre, false, nmse_of));
  for (const VariantSummary* s : all_of_kind(all, kind)) chart.curves.push_back(curve_of(*s, false, nmse_of));
  chart.curves.push_back(curve_of(other, false, nmse_of));
  if (!printed) chart.curves.push_back(curve_of(sum, false, nmse_of));
  draw(chart, e);
  return e;
}

// A logarithmic axis cannot show zero; a curve of agents that do disagree would be drawn.
std::string sum_agreement(const VariantSummary& sum) {
  const bool one_X =
      std::all_of(sum.curve.begin(), sum.curve.end(), [](const SummaryPoint& p) { return p.disagreement.high == 0; });
  if (one_X) return "With masked sums all agents have the same X, to the bit, at all times; it has no curve here.";
  return fmt::format("With masked sums they end {} apart.", report::percent(sum.end.disagreement.mean));
}

Exhibit disagreement_exhibit(const std::vector<VariantSummary>& all) {
  Exhibit e;
  e.name = "disagreement";
  e.title = "What the paper does not show: do the agents agree?";
  e.alt = "Disagreement over iterations";
  e.claim = "The paper: the agents find one common X; whether they do is not shown.";
  e.found = fmt::format(
      "Found: the agent farthest from the mean X ends {} away from it as printed, {} from the all-ones start, {} with "
      "the corrected "
      "updates and the paper's parameters (N_max = 10: {}), and {} with the product's defaults. {}",
      report::percent(find(all, Kind::kAsPrinted).end.disagreement.mean),
      report::percent(find(all, Kind::kAsPrintedOnes).end.disagreement.mean),
      report::percent(find(all, Kind::kCorrected).end.disagreement.mean),
      report::percent(find(all, Kind::kCorrected, false).end.disagreement.mean),
      report::percent(find(all, Kind::kDefaults).end.disagreement.mean), sum_agreement(find(all, Kind::kSum)));
  // Before the second iteration Y is zero, and all agents still have the same X but for round-off.
  constexpr double kLeastShown = 1e-5;
  Chart chart{"iteration", "disagreement (relative)", false, kLeastShown, {}};
  for (const VariantSummary* s :
       {&find(all, Kind::kAsPrinted), &find(all, Kind::kAsPrinted, false), &find(all, Kind::kAsPrintedOnes)}) {
    chart.curves.push_back(curve_of(*s, false, disagreement_of));
  }
  std::vector<const VariantSummary*> corrected = all_of_kind(all, Kind::kCorrected);
  constexpr std::size_t kMaxCorrected = 4;  // the finest and the coarse ones: the fine ones lie on top of each other
  if (corrected.size() > kMaxCorrected) corrected.erase(corrected.begin() + 1, corrected.end() - (kMaxCorrected - 1));
  for (const VariantSummary* s : corrected) chart.curves.push_back(curve_of(*s, false, disagreement_of));
  for (const Kind kind : {Kind::kDefaults, Kind::kSum})
    chart.curves.push_back(curve_of(find(all, kind), false, disagreement_of));
  draw(chart, e);
  return e;
}

// The curves that the two figures of worst_agent_error share.
std::vector<const VariantSummary*> compared(const std::vector<VariantSummary>& all) {
  return {&find(all, Kind::kCentralised),
          &find(all, Kind::kAsPrinted),
          &find(all, Kind::kAsPrintedOnes),
          &find(all, Kind::kCorrected, false),
          &find(all, Kind::kCorrected),
          &find(all, Kind::kDefaults),
          &find(all, Kind::kSum)};
}

Exhibit worst_exhibit(const std::vector<VariantSummary>& all) {
  Exhibit e;
  e.name = "error_on_all_data";
  e.title = "What the paper does not show: one agent's X on everybody's data";
  e.alt = "The worst agent's error on all data over iterations";
  e.claim =
      "The paper: every agent's X serves all data as the centralised one does; its NMSE looks at each agent's own data "
      "only.";
  e.found = fmt::format(
      "Found: the worst agent's X explains all data with {} times the centralised error as printed, {} times from the "
      "all-ones start, {} times "
      "corrected with the paper's parameters (N_max = 10: {} times), {} times with the product's defaults, and {} "
      "times "
      "with masked sums, whose iterations are single rounds.",
      report::short_number(find(all, Kind::kAsPrinted).ratio.mean),
      report::short_number(find(all, Kind::kAsPrintedOnes).ratio.mean),
      fmt::format("{:.4f}", find(all, Kind::kCorrected).ratio.mean),
      fmt::format("{:.4f}", find(all, Kind::kCorrected, false).ratio.mean),
      fmt::format("{:.4f}", find(all, Kind::kDefaults).ratio.mean),
      fmt::format("{:.4f}", find(all, Kind::kSum).ratio.mean));
  Chart chart{"iteration (logarithmic)", "worst agent's relative error on all data", true, 0, {}};
  for (const VariantSummary* s : compared(all)) {
    chart.curves.push_back(curve_of(*s, false, worst_of));
    chart.curves.back().mark_all = true;
  }
  draw(chart, e);
  return e;
}

// The last measured point that took at most this many rounds; the first if there is none.
const SummaryPoint& point_after(const VariantSummary& summary, double rounds) {
  const SummaryPoint* found = nullptr;
  for (const SummaryPoint& p : summary.curve) {
    if (!std::isnan(p.worst_agent_error.mean) && (found == nullptr || p.rounds <= rounds)) found = &p;
  }
  PPDNMF_CHECK(found != nullptr);
  return *found;
}

Exhibit rounds_exhibit(const std::vector<VariantSummary>& all) {
  const VariantSummary& centre = find(all, Kind::kCentralised);
  const VariantSummary& defaults = find(all, Kind::kDefaults);
  const VariantSummary& corrected = find(all, Kind::kCorrected);
  const VariantSummary& sum = find(all, Kind::kSum);
  const SummaryPoint& then = point_after(corrected, defaults.end.rounds);
  Exhibit e;
  e.name = "error_over_rounds";
  e.title = "What a round buys";
  e.alt = "The worst agent's error on all data over rounds";
  e.claim = fmt::format("The paper: {:.0f} rounds, each of which must be encrypted, sent and waited for.",
                        corrected.end.rounds);
  e.found = fmt::format(
      "Found: the product's defaults end after {:.0f} rounds at {}, where the paper's parameters with the corrected "
      "updates stand at {} after "
      "{:.0f} and end at {} after {:.0f}; masked sums end after {:.0f} at {}; the centralised algorithm ends at {}.",
      defaults.end.rounds, report::short_number(defaults.end.worst_agent_error.mean),
      report::short_number(then.worst_agent_error.mean), then.rounds,
      report::short_number(corrected.end.worst_agent_error.mean), corrected.end.rounds, sum.end.rounds,
      report::short_number(sum.end.worst_agent_error.mean), report::short_number(centre.end.worst_agent_error.mean));
  Chart chart{"rounds (logarithmic)", "worst agent's relative error on all data", true, 0, {}};
  // The centre has no rounds: its end is a level to compare with.
  Chart::Curve level;
  level.label = "centralised, at its end";
  for (const double x : {sum.curve.front().rounds, corrected.end.rounds})
    level.points.push_back({x, centre.end.worst_agent_error});
  chart.curves.push_back(level);
  for (const VariantSummary* s : compared(all)) {
    if (s->variant.kind == Kind::kCentralised || s->variant.kind == Kind::kAsPrintedOnes) continue;
    chart.curves.push_back(curve_of(*s, true, worst_of));
    chart.curves.back().mark_all = true;
  }
  draw(chart, e);
  return e;
}

}  // namespace

std::vector<Exhibit> curve_exhibits(const std::vector<VariantSummary>& summaries) {
  return {nmse_exhibit(summaries, true), nmse_exhibit(summaries, false), disagreement_exhibit(summaries),
          worst_exhibit(summaries), rounds_exhibit(summaries)};
}

std::string curve_verdict(const std::vector<VariantSummary>& all) {
  const VariantSummary& printed = find(all, Kind::kAsPrinted);
  const VariantSummary& corrected = find(all, Kind::kCorrected);
  const VariantSummary& defaults = find(all, Kind::kDefaults);
  const VariantSummary& sum = find(all, Kind::kSum);
  const VariantSummary& centre = find(all, Kind::kCentralised);
  return fmt::format(
      "As printed, the local NMSE is {} the centralised one while the agents end {} apart and the worst agent's X has "
      "{} times the centralised error on all data. Corrected, with the same parameters, they end {} apart and at "
      "{:.4f} "
      "times after {:.0f} rounds; with the product's defaults {} apart and at {:.4f} times after {:.0f}. With "
      "masked "
      "sums (--scheme sum) they are {} apart and at {:.4f} times after {:.0f}.",
      against(printed.end.nmse.mean, centre.end.nmse.mean), report::percent(printed.end.disagreement.mean),
      report::short_number(printed.ratio.mean), report::percent(corrected.end.disagreement.mean), corrected.ratio.mean,
      corrected.end.rounds, report::percent(defaults.end.disagreement.mean), defaults.ratio.mean, defaults.end.rounds,
      report::percent(sum.end.disagreement.mean), sum.ratio.mean, sum.end.rounds);
}

}  // namespace ppdnmf::experiment
