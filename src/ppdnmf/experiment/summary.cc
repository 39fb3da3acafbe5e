#include <ppdnmf/experiment/summary.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <ppdnmf/base/result.h>

namespace ppdnmf::experiment {
namespace {

const CurvePoint& point_at(const TrialOutcome& outcome, std::size_t n) {
  return outcome.curve[std::min(n, outcome.curve.size() - 1)];
}

template <typename Measure>
Band band_at(const std::vector<TrialOutcome>& outcomes, std::size_t n, const Measure& measure) {
  std::vector<double> values;
  values.reserve(outcomes.size());
  for (const TrialOutcome& outcome : outcomes) values.push_back(measure(point_at(outcome, n)));
  return band_of(std::move(values));
}

SummaryPoint summary_at(const std::vector<TrialOutcome>& outcomes, std::size_t n) {
  SummaryPoint point;
  for (const TrialOutcome& outcome : outcomes) {
    point.iteration = std::max(point.iteration, point_at(outcome, n).iteration);
    point.rounds += static_cast<double>(point_at(outcome, n).rounds) / static_cast<double>(outcomes.size());
  }
  point.nmse = band_at(outcomes, n, [](const CurvePoint& p) { return p.nmse; });
  point.relative_error = band_at(outcomes, n, [](const CurvePoint& p) { return p.relative_error; });
  point.disagreement = band_at(outcomes, n, [](const CurvePoint& p) { return p.disagreement; });
  point.worst_agent_error = band_at(outcomes, n, [](const CurvePoint& p) { return p.worst_agent_error; });
  return point;
}

}  // namespace

Band band_of(std::vector<double> values) {
  PPDNMF_CHECK(!values.empty());
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); })) return {kNone, kNone, kNone};
  Band band;
  for (const double x : values) band.mean += x;
  band.mean /= static_cast<double>(values.size());
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double part) {
    const double rank = std::ceil(part * static_cast<double>(values.size()));
    return values[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
  };
  band.low = quantile(0.1);
  band.high = quantile(0.9);
  return band;
}

VariantSummary summarize(const Variant& variant, const std::vector<TrialOutcome>& outcomes,
                         const std::vector<TrialOutcome>& centralised) {
  PPDNMF_CHECK(!outcomes.empty() && outcomes.size() == centralised.size());
  VariantSummary summary;
  summary.variant = variant;
  std::size_t longest = 0;
  for (const TrialOutcome& outcome : outcomes) longest = std::max(longest, outcome.curve.size());
  for (std::size_t n = 0; n < longest; ++n) summary.curve.push_back(summary_at(outcomes, n));
  summary.end = summary.curve.back();
  std::vector<double> ratios;
  for (std::size_t t = 0; t < outcomes.size(); ++t) {
    ratios.push_back(outcomes[t].curve.back().worst_agent_error / centralised[t].curve.back().worst_agent_error);
  }
  summary.ratio = band_of(std::move(ratios));
  return summary;
}

std::string summary_csv(const std::vector<VariantSummary>& summaries, std::size_t trials) {
  std::string out = "variant,n_max,trials,iterations,rounds";
  for (const char* measure : {"nmse", "relative_error", "disagreement", "worst_agent_error", "ratio_to_centralised"}) {
    fmt::format_to(std::back_inserter(out), ",{0}_mean,{0}_p10,{0}_p90", measure);
  }
  out += "\n";
  for (const VariantSummary& s : summaries) {
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{}", variant_name(s.variant),
                   has_resolution(s.variant) ? fmt::format("{}", s.variant.n_max) : "", trials, s.end.iteration,
                   s.end.rounds);
    for (const Band& band : {s.end.nmse, s.end.relative_error, s.end.disagreement, s.end.worst_agent_error, s.ratio}) {
      fmt::format_to(std::back_inserter(out), ",{},{},{}", band.mean, band.low, band.high);
    }
    out += "\n";
  }
  return out;
}

}  // namespace ppdnmf::experiment
