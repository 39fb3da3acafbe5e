#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include <ppdnmf/report/html.h>
#include <ppdnmf/report/report_parts.h>
#include <ppdnmf/report/report_words.h>

namespace ppdnmf::report {
namespace {

// The loss to the left, the stability to the right; the ranks that decided are shaded and the chosen one is marked.
Figure curve_figure(const RankRecord& search) {
  Figure figure;
  for (const CandidateRecord& one : search.candidates) {
    const double least =
        one.silhouettes.empty() ? one.stability : *std::min_element(one.silhouettes.begin(), one.silhouettes.end());
    fmt::format_to(std::back_inserter(figure.plot.data), "{} {} {} {}\n", one.rank, one.loss, one.stability, least);
  }
  const Index from = std::min(search.candidates.front().rank, search.rank);
  const Index to = std::max(search.candidates.back().rank, search.rank);
  figure.plot.script = fmt::format(
      "set border 11 lc rgb '#555555'\nset tics nomirror tc rgb '#333333'\nset grid lt 1 lw 0.6 lc rgb '#dddddd'\n"
      "set key outside bottom center horizontal samplen 2\nset xlabel 'rank'\nset xrange [{}:{}]\nset xtics {}\n"
      "set ylabel 'loss'\nset format y '%.3g'\nset y2label 'stability'\nset y2tics\nset y2range [*<0:1.02]\n"
      "set object 1 rectangle from first {}, graph 0 to first {}, graph 1 fc rgb '#f0f0e0' fillstyle solid noborder "
      "behind\n"
      "set arrow 1 from first {}, graph 0 to first {}, graph 1 nohead dt 2 lw 2 lc rgb '#2e7d32'\n"
      "set label 1 ' {} chosen' at first {}, graph 0.06 tc rgb '#2e7d32'\n"
      "plot data using 1:2 with linespoints pt 7 ps 0.5 lw 2 lc rgb '#1f4e79' title 'loss', "
      "data using 1:3 axes x1y2 with linespoints pt 5 ps 0.5 lw 2 lc rgb '#8a3b12' title 'mean silhouette', "
      "data using 1:4 axes x1y2 with lines dt 3 lw 1.5 lc rgb '#8a3b12' title 'smallest silhouette'\n",
      static_cast<double>(from) - 0.5, static_cast<double>(to) + 0.5, std::max<Index>(1, (to - from) / 10),
      static_cast<double>(search.first) - 0.5, static_cast<double>(search.last) + 0.5, search.rank, search.rank,
      search.rank, search.rank);
  figure.plot.height = 400;
  figure.alt = "Loss and stability of the starts of each rank";
  figure.caption = fmt::format(
      "The smallest loss of each rank's starts, and how alike the components of its starts are (silhouettes: 1 is "
      "the same in all, below 0 nothing that repeats). Shaded: the ranks whose runs were counted, {} to {}. Dashed: "
      "the number of components that was chosen, {}.",
      search.first, search.last, search.rank);
  return figure;
}

}  // namespace

Section rank_section(const RunRecord& record) {
  Section section{"The number of components", "", {}};
  if (!record.search || record.search->candidates.empty()) return section;
  const RankRecord& search = *record.search;
  section.html = fmt::format("<p><b>{}</b>: {}.</p>\n", search.rank, escape_html(search.reason)) + figure_place(0);
  section.figures.push_back(curve_figure(search));
  section.html +=
      "<p>Each component that was chosen, with the part of the counted runs in which it was found, and its "
      "mean cosine to what was found there: ";
  for (std::size_t k = 0; k < search.found.size() && k < search.stability.size(); ++k) {
    section.html += fmt::format("{}component {}: {}, {}", k == 0 ? "" : "; ", k + 1, percent(search.found[k]),
                                short_number(search.stability[k]));
  }
  section.html += ".</p>\n";
  return section;
}

}  // namespace ppdnmf::report
