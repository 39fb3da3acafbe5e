#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include <ppdnmf/report/report_pictures.h>

namespace ppdnmf::report {
namespace {

constexpr Index kMaxLargeCurves = 6;  // more components than that are drawn small, two side by side
constexpr Index kMaxPoints = 1500;    // more than a screen has columns: then the lowest and highest of each piece

// Rows to draw, in order; a peak of a single row is among them.
std::vector<Index> points(const Eigen::VectorXd& value) {
  std::vector<Index> out;
  const Index rows = value.size();
  if (rows <= kMaxPoints) {
    for (Index row = 0; row < rows; ++row) out.push_back(row);
    return out;
  }
  const Index pieces = kMaxPoints / 2;
  for (Index piece = 0; piece < pieces; ++piece) {
    const Index first = piece * rows / pieces;
    const Index count = (piece + 1) * rows / pieces - first;
    Index low = 0;
    Index high = 0;
    value.segment(first, count).minCoeff(&low);
    value.segment(first, count).maxCoeff(&high);
    out.push_back(first + std::min(low, high));
    if (low != high) out.push_back(first + std::max(low, high));
  }
  return out;
}

void put_curve(const std::vector<double>& axis, const Eigen::VectorXd& share, std::string& data) {
  for (const Index row : points(share))
    fmt::format_to(std::back_inserter(data), "{} {}\n", axis[static_cast<std::size_t>(row)], 100 * share[row]);
}

}  // namespace

void add_curves(const FactorView& factor, const std::vector<double>& axis, Section& section) {
  const Index shown = std::min(factor.X.cols(), kMaxPictures);
  const bool small = factor.X.cols() > kMaxLargeCurves;
  section.html += fmt::format("<p>Each column of X is shown as shares of its sum.</p>\n<div class=\"{}\">\n",
                              small ? "pair small" : "bars");
  for (Index k = 0; k < shown; ++k) {
    section.html += figure_place(section.figures.size());
    Figure figure;
    figure.plot.width = small ? 560 : 1100;
    figure.plot.height = small ? 170 : 230;
    put_curve(axis, shares(factor.X, k), figure.plot.data);
    const Eigen::VectorXd matched = matched_shares(factor, k);
    if (matched.any()) {
      figure.plot.data += "\n\n";
      put_curve(axis, matched, figure.plot.data);
    }
    figure.plot.script = fmt::format(
        "set border 3 lc rgb '#555555'\nset tics nomirror tc rgb '#333333' font ',{}'\nset yrange [0:*]\n"
        "set xrange [{}:{}]\nset grid lt 1 lw 0.6 lc rgb '#dddddd'\nunset key\n{}",
        small ? 10 : 12, std::min(axis.front(), axis.back()), std::max(axis.front(), axis.back()),
        small ? "" : "set ylabel 'share (%)'\n");
    if (axis.size() == 1) figure.plot.script += "set xrange [*:*]\n";
    figure.plot.script += "plot ";
    if (matched.any()) figure.plot.script += "data index 1 using 1:2 with lines lw 1 lc rgb '#d55e00', ";
    figure.plot.script += "data index 0 using 1:2 with lines lw 1.5 lc rgb '#1f4e79'";
    figure.alt = component_name(factor.record, k) + " as a curve";
    figure.caption = component_caption(factor.record, k);
    section.figures.push_back(std::move(figure));
  }
  end_pictures(factor, shown, section);
}

}  // namespace ppdnmf::report
