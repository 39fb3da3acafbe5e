#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numbers>

#include <ppdnmf/report/html.h>
#include <ppdnmf/report/report_parts.h>
#include <ppdnmf/report/report_words.h>

namespace ppdnmf::report {
namespace {

constexpr int kDrawn = 60;  // beyond, a circle of nodes says nothing

std::vector<int> degrees(const RunRecord& record) {
  std::vector<int> out(static_cast<std::size_t>(std::max(record.agents, 0)), 0);
  for (const auto& [a, b] : record.edges) {
    for (const int end : {a, b}) {
      if (end >= 0 && end < record.agents) ++out[static_cast<std::size_t>(end)];
    }
  }
  return out;
}

// Agents on a circle, the first at the top, clockwise.
std::string circle_svg(const RunRecord& record) {
  constexpr double kCentre = 200;
  constexpr double kRadius = 165;
  const double node = std::clamp(300.0 / record.agents, 7.0, 18.0);
  const auto x = [&](int i) { return kCentre + kRadius * std::sin(2 * std::numbers::pi * i / record.agents); };
  const auto y = [&](int i) { return kCentre - kRadius * std::cos(2 * std::numbers::pi * i / record.agents); };
  std::string out = fmt::format(
      "<figure class=\"network\"><svg viewBox=\"0 0 400 400\" role=\"img\" aria-label=\"{} agents and the links "
      "between "
      "them\">\n<g stroke=\"#8b98a5\" stroke-width=\"1.5\">\n",
      record.agents);
  for (const auto& [a, b] : record.edges) {
    if (std::min(a, b) < 0 || std::max(a, b) >= record.agents) continue;
    fmt::format_to(std::back_inserter(out), "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", x(a),
                   y(a), x(b), y(b));
  }
  out += fmt::format("</g>\n<g fill=\"#ffffff\" stroke=\"#1f4e79\" stroke-width=\"2\">\n");
  for (int i = 0; i < record.agents; ++i) {
    fmt::format_to(std::back_inserter(out), "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n", x(i), y(i), node);
  }
  out += fmt::format("</g>\n<g fill=\"#16324f\" font-size=\"{:.1f}\" text-anchor=\"middle\">\n", node * 0.95);
  for (int i = 0; i < record.agents; ++i) {
    fmt::format_to(std::back_inserter(out), "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x(i), y(i) + node * 0.33, i);
  }
  return out + "</g>\n</svg></figure>\n";
}

Figure degree_figure(const std::vector<int>& all) {
  std::map<int, int> counts;
  for (const int degree : all) ++counts[degree];
  Figure figure;
  for (const auto& [degree, count] : counts) figure.plot.data += fmt::format("{} {}\n", degree, count);
  figure.plot.height = 260;
  figure.plot.script = fmt::format(
      "set border 3 lc rgb '#555555'\nset tics nomirror tc rgb '#333333'\nset style fill solid 0.85 noborder\n"
      "set boxwidth 0.8\nset xlabel 'neighbours'\nset ylabel 'agents'\nset yrange [0:*]\nset xrange [{}:{}]\n{}"
      "plot data using 1:2 with boxes lc rgb '#1f4e79' notitle\n",
      counts.begin()->first - 1, counts.rbegin()->first + 1,
      counts.rbegin()->first - counts.begin()->first < 15 ? "set xtics 1\n" : "");
  figure.alt = "How many agents have how many neighbours";
  figure.caption = "How many agents have how many neighbours.";
  return figure;
}

// "0 hospital-a (this agent), 1 hospital-b, ...".
std::string member_list(const OwnView& own) {
  std::string out;
  for (std::size_t i = 0; i < own.members.size(); ++i) {
    out += fmt::format("{}{} {}{}", i == 0 ? "" : ", ", i, escape_html(own.members[i]),
                       static_cast<int>(i) == own.agent ? " (this agent)" : "");
  }
  return "<p>" + out + ".</p>\n";
}

}  // namespace

Section network_section(const RunRecord& record) {
  Section section{"Network", "", {}};
  if (record.agents <= 1) return section;
  const std::vector<int> all = degrees(record);
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  section.html = fmt::format("<p>There are {} agents and {} links; an agent has {} neighbours.</p>\n",
                             grouped(record.agents), grouped(static_cast<std::int64_t>(record.edges.size())),
                             *least == *most ? fmt::format("{}", *least) : fmt::format("{} to {}", *least, *most));
  if (record.own) section.html += member_list(*record.own);
  if (record.agents <= kDrawn) {
    section.html += circle_svg(record);
  } else {
    section.html +=
        fmt::format("<p class=\"quiet\">A drawing of more than {} agents would not be readable.</p>\n", kDrawn);
    section.html += "<div class=\"narrow\">\n" + figure_place(0) + "</div>\n";
    section.figures.push_back(degree_figure(all));
  }
  return section;
}

}  // namespace ppdnmf::report
