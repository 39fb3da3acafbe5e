#include <ppdnmf/audit/curves.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ppdnmf::audit {
namespace {

using CurvesByName = std::map<std::string, experiment::Chart::Curve>;

constexpr double kLeast = 1e-9;  // what is smaller has no place on a logarithmic axis

void add_point(CurvesByName& curves, const std::string& name, double x, const experiment::Band& y) {
  experiment::Chart::Curve& curve = curves[name];
  curve.label = name;
  curve.mark_all = true;
  curve.points.push_back({x, {std::max(y.mean, kLeast), std::max(y.low, kLeast), std::max(y.high, kLeast)}});
}

experiment::Exhibit exhibit_of(experiment::Chart chart, const CurvesByName& curves, const char* name,
                               const char* title) {
  const experiment::Look looks[] = {
      {"#8b1a00", 1, 6}, {"#12355b", 2, 5}, {"#7b1fa2", 4, 9}, {"#2e7d32", 3, 13}, {"#555555", 5, 2}};
  chart.least_y = kLeast;
  std::size_t next = 0;
  for (const auto& [label, known] : curves) {
    experiment::Chart::Curve& curve = chart.curves.emplace_back(known);
    curve.look = looks[next++ % std::size(looks)];
    std::sort(curve.points.begin(), curve.points.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  }
  experiment::Exhibit exhibit;
  exhibit.name = name;
  exhibit.title = title;
  exhibit.alt = fmt::format("{} over {}", chart.y_label, chart.x_label);
  if (!chart.curves.empty()) experiment::draw(chart, exhibit);
  return exhibit;
}

experiment::Exhibit over_columns(const std::vector<AuditRow>& rows, Measure kind, const char* name, const char* title,
                                 const char* y_label) {
  CurvesByName curves;
  for (const AuditRow& row : rows) {
    if (row.curve.empty() || row.kind != kind || row.columns <= 0) continue;
    add_point(curves, row.curve, row.columns, {row.value, row.low, row.high});
  }
  experiment::Chart chart;
  chart.x_label = "columns behind what is seen";
  chart.y_label = y_label;
  chart.logarithmic_x = true;
  return exhibit_of(std::move(chart), curves, name, title);
}

experiment::Exhibit over_epsilon(const std::vector<AuditRow>& rows) {
  CurvesByName curves;
  std::map<double, double> bounds;  // by epsilon
  for (const AuditRow& row : rows) {
    const std::optional<double> bound = bound_of(row);
    if (row.curve.empty() || !bound) continue;
    add_point(curves, row.curve, row.epsilon, {row.value, row.low, row.high});
    bounds[row.epsilon] = std::max(bounds[row.epsilon], *bound);
  }
  for (const auto& [epsilon, bound] : bounds) add_point(curves, "bound, for anybody", epsilon, {bound, bound, bound});
  // Without noise there is no epsilon: a level to compare with.
  for (const AuditRow& row : rows) {
    const bool level = row.kind == Measure::kAuc && !row.curve.empty() && row.columns <= 0 && row.epsilon <= 0;
    for (const auto& [epsilon, bound] : bounds) {
      if (level) add_point(curves, row.curve, epsilon, {row.value, row.low, row.high});
    }
  }
  experiment::Chart chart;
  chart.x_label = "epsilon";
  chart.y_label = "AUC";
  return exhibit_of(std::move(chart), curves, "epsilon", "Membership over epsilon, with the bound");
}

}  // namespace

std::vector<experiment::Exhibit> audit_curves(const std::vector<AuditRow>& rows) {
  std::vector<experiment::Exhibit> all{
      over_columns(rows, Measure::kError, "reconstruction", "Reconstruction over the number of columns",
                   "relative error of columns"),
      over_columns(rows, Measure::kAuc, "membership", "Membership over the number of columns", "AUC"),
      over_columns(rows, Measure::kCount, "steering",
                   "Columns that a steering member reads, over the number of columns", "columns read in a run"),
      over_epsilon(rows)};
  std::erase_if(all, [](const experiment::Exhibit& exhibit) { return exhibit.csv.empty(); });  // of some attacks alone
  return all;
}

}  // namespace ppdnmf::audit
