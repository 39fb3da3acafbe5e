#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <ppdnmf/report/report_parts.h>
#include <ppdnmf/report/report_words.h>

namespace ppdnmf::report {
namespace {

constexpr const char* kPlotStyle =
    "set border 3 lc rgb '#555555'\nset tics nomirror tc rgb '#333333'\nset grid lt 1 lw 0.6 lc rgb '#dddddd'\n"
    "unset key\nset format y '%g'\n";

struct Axis {
  bool rounds = true;  // else iterations, where nothing is exchanged
  std::string script;
};

double place(const HistoryRow& row, bool rounds) {
  return rounds ? static_cast<double>(row.rounds) : static_cast<double>(row.iteration);
}

// Rounds below; the iterations that they belong to above, unless each is one round.
Axis make_axis(const std::vector<HistoryRow>& history) {
  Axis axis;
  axis.rounds = history.back().rounds > history.front().rounds;
  // Left alone, gnuplot puts halves between few whole numbers, and hundredths around one.
  const double first = place(history.front(), axis.rounds);
  const double last = place(history.back(), axis.rounds);
  if (last - first < 10) axis.script = "set xtics 1\n";
  if (last == first) axis.script += fmt::format("set xrange [{}:{}]\n", first - 1, first + 1);
  if (!axis.rounds) {
    axis.script += "set xlabel 'iterations'\n";
    return axis;
  }
  axis.script += "set xlabel 'rounds'\n";
  const bool one_each =
      std::all_of(history.begin(), history.end(), [](const HistoryRow& row) { return row.rounds == row.iteration; });
  if (one_each) return axis;
  axis.script += "set link x\nset x2label 'iterations'\nset x2tics scale 0.4 (";
  const std::size_t step = std::max<std::size_t>(1, (history.size() + 5) / 6);
  for (std::size_t i = 0; i < history.size(); i += step) {
    axis.script += fmt::format("{}'{}' {}", i == 0 ? "" : ", ", history[i].iteration, history[i].rounds);
  }
  axis.script += ")\n";
  return axis;
}

std::string number_or_gap(double x, bool positive_only) {
  return !std::isfinite(x) || (positive_only && x <= 0) ? "NaN" : fmt::format("{}", x);
}

// Two columns: place and value.
template <typename Value>
std::string data_of(const RunRecord& record, bool rounds, bool positive_only, const Value& value) {
  std::string out;
  for (const HistoryRow& row : record.history) {
    fmt::format_to(std::back_inserter(out), "{} {}\n", place(row, rounds), number_or_gap(value(row), positive_only));
  }
  return out;
}

template <typename Value>
std::pair<double, double> range_of(const RunRecord& record, const Value& value) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (const HistoryRow& row : record.history) {
    const double x = value(row);
    if (!std::isfinite(x) || x <= 0) continue;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  return {low, high};
}

Figure error_figure(const RunRecord& record, const Axis& axis) {
  // Of a private run a member knows its own error only.
  const bool own = record.own && std::isnan(record.relative_error);
  const auto value = [own](const HistoryRow& row) { return own ? row.own_error : row.relative_error; };
  const auto [low, high] = range_of(record, value);
  const bool logarithmic = high > 20 * low;
  Figure figure;
  figure.plot.data = data_of(record, axis.rounds, logarithmic, value);
  figure.plot.script = kPlotStyle + axis.script + "set ylabel 'relative error'\n" +
                       (logarithmic ? "set logscale y\n" : "") +
                       "plot data using 1:2 with linespoints pt 7 ps 0.4 lw 2 lc rgb '#1f4e79'";
  figure.alt = "Relative error during the run";
  figure.caption =
      fmt::format("Relative error{}, ending at {}.", own ? " of this member's own data" : "",
                  short_number(own && record.own->numbers ? record.own->numbers->error : record.relative_error));
  // That of normalised columns has no place beside that of the data as they are.
  if (is_normalised(record) && !own) {
    figure.caption =
        fmt::format("Relative error of the normalised columns, ending at {}.", short_number(record.relative_error));
  } else if (record.agents > 1 && std::isfinite(record.worst_agent_error) && record.worst_agent_error > 0) {
    figure.plot.script += fmt::format(", {} with lines dt 2 lw 1.5 lc rgb '#555555'", record.worst_agent_error);
    figure.caption = fmt::format(
        "Relative error of each agent's factor on its own data, ending at {}. Dashed: the worst agent's factor at the "
        "end "
        "on everybody's data, {}.",
        short_number(record.relative_error), short_number(record.worst_agent_error));
  }
  figure.plot.script += "\n";
  return figure;
}

// Under the Poisson loss the squared error may well rise.
Figure divergence_figure(const RunRecord& record, const Axis& axis) {
  const auto value = [](const HistoryRow& row) { return row.loss; };
  const auto [low, high] = range_of(record, value);
  const bool logarithmic = high > 20 * low;
  Figure figure;
  figure.plot.data = data_of(record, axis.rounds, logarithmic, value);
  figure.plot.script = kPlotStyle + axis.script + "set ylabel 'divergence'\n" +
                       (logarithmic ? "set logscale y\n" : "") +
                       "plot data using 1:2 with linespoints pt 7 ps 0.4 lw 2 lc rgb '#1f4e79'\n";
  figure.alt = "Divergence during the run";
  figure.caption =
      fmt::format("The Kullback-Leibler divergence{}, which is minimised, ending at {}.",
                  is_normalised(record) ? " of the normalised columns" : "", fmt::format("{:.6g}", record.loss));
  return figure;
}

Figure disagreement_figure(const RunRecord& record, const Axis& axis) {
  Figure figure;
  figure.plot.data = data_of(record, axis.rounds, true, [](const HistoryRow& row) { return row.disagreement; });
  figure.plot.script = kPlotStyle + axis.script +
                       "set ylabel 'disagreement'\nset logscale y\n"
                       "plot data using 1:2 with linespoints pt 7 ps 0.4 lw 2 lc rgb '#8a3b12'\n";
  figure.alt = "Disagreement between the agents during the run, logarithmic";
  figure.caption =
      fmt::format("Disagreement: the largest distance of an agent's factor from the mean factor. It ends at {}.",
                  percent(record.disagreement));
  return figure;
}

}  // namespace

Section convergence_section(const RunRecord& record) {
  Section section{"Convergence", "", {}};
  if (record.search) return section;  // its lines are ranks, which the section on these draws
  if (record.history.empty()) {
    section.html = "<p>No history was recorded.</p>\n";
    return section;
  }
  if (record.own && !record.own->numbers && std::isnan(record.relative_error)) {
    section.html = "<p>How well the data are explained each member knows of its own data only.</p>\n";
    return section;
  }
  const Axis axis = make_axis(record.history);
  const bool divergence = minimises_divergence(record) && std::isfinite(record.loss);
  section.html = "<div class=\"pair\">\n" + figure_place(0);
  section.figures.push_back(divergence ? divergence_figure(record, axis) : error_figure(record, axis));
  const auto disagreement = [](const HistoryRow& row) { return row.disagreement; };
  if (range_of(record, disagreement).second > 0) {
    section.html += figure_place(1);
    section.figures.push_back(disagreement_figure(record, axis));
  }
  section.html += "</div>\n";
  return section;
}

}  // namespace ppdnmf::report
