#include "experiment/exhibit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/result.h"

namespace ppdnmf {
namespace {

constexpr const char* kFrame =
    "set border 3 lc rgb '#555555'\nset tics nomirror tc rgb '#333333'\nset grid lt 1 lw 0.6 lc rgb '#dddddd'\n";

// Dark to light, so that they differ in grey, too; dashes and marks tell apart what the printer does not.
struct Style {
  const char* colour;
  int dash;
  int mark;
};
constexpr Style kStyles[] = {{"#000000", 1, 0}, {"#1f4e79", 1, 7},  {"#b03a00", 2, 5},  {"#5b8c2a", 4, 9},
                             {"#7a3b93", 5, 11}, {"#d98e04", 3, 13}, {"#4fa3c7", 1, 6}, {"#777777", 2, 4}};

bool is_drawn(const Chart& chart, const Chart::Point& point) {
  return std::isfinite(point.y.mean) && std::isfinite(point.x) && (!chart.logarithmic_y || point.y.mean > 0) &&
         (!chart.logarithmic_x || point.x > 0);
}

std::string csv_text(const std::string& text) { return "\"" + text + "\""; }

// Labels are fixed texts and numbers of the project's own; a quote would end the script's string.
std::string script_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '"' || c == '\\') {
      out += '\'';
    } else {
      out += c;
    }
  }
  return out + "\"";
}

// A picture of all cells with gaps between them, row by row from above, white where nothing is.
struct Canvas {
  Canvas(Index rows, Index columns) : grey(Matrix::Constant(rows, columns, 255)) {}
  void put(Index top, Index left, const Eigen::VectorXd& pixels, ImageShape shape) {
    for (Index c = 0; c < shape.width; ++c) {
      for (Index r = 0; r < shape.height; ++r) {
        grey(top + r, left + c) = std::round(255 * std::clamp(pixels[c * shape.height + r], 0.0, 1.0));
      }
    }
  }
  [[nodiscard]] std::string text() const {
    std::string out;
    for (Index r = 0; r < grey.rows(); ++r) {
      for (Index c = 0; c < grey.cols(); ++c) fmt::format_to(std::back_inserter(out), "{} ", static_cast<int>(grey(r, c)));
      out += "\n";
    }
    return out;
  }
  Matrix grey;
};

}  // namespace

void draw(const Chart& chart, Exhibit& exhibit) {
  PPDNMF_CHECK(chart.curves.size() <= std::size(kStyles));
  exhibit.csv = fmt::format("curve,{},mean,p10,p90\n", csv_text(chart.x_label));
  std::string curves;
  std::size_t block = 0;
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const Chart::Curve& curve = chart.curves[i];
    std::string data;
    std::size_t drawn = 0;
    for (const Chart::Point& point : curve.points) {
      if (!std::isfinite(point.y.mean)) continue;
      fmt::format_to(std::back_inserter(exhibit.csv), "{},{},{},{},{}\n", csv_text(curve.label), point.x, point.y.mean, point.y.low,
                     point.y.high);
      if (!is_drawn(chart, point)) continue;
      fmt::format_to(std::back_inserter(data), "{} {}\n", point.x, point.y.mean);
      ++drawn;
    }
    if (drawn == 0) continue;
    exhibit.plot.data += data + "\n\n";
    const Style& style = kStyles[i];
    const int interval = curve.marks_only_measured ? 1 : std::max(1, static_cast<int>(drawn) / 10);
    const std::string look = style.mark == 0 ? "lines" : fmt::format("linespoints pt {} ps 0.8 pi {}", style.mark, interval);
    curves += fmt::format("{}data index {} using 1:2 with {} dt {} lw {} lc rgb '{}' title {}", block == 0 ? "plot " : ", \\\n  ",
                          block, look, style.dash, style.mark == 0 ? 3 : 1.8, style.colour, script_text(curve.label));
    ++block;
  }
  exhibit.plot.width = 880;
  exhibit.plot.height = 440;
  exhibit.plot.script =
      fmt::format("{}set xlabel {}\nset ylabel {}\n{}{}set format y '%g'\nset key outside right center reverse Left samplen 4 spacing 1.3\n{}\n",
                  kFrame, script_text(chart.x_label), script_text(chart.y_label), chart.logarithmic_x ? "set logscale x\n" : "",
                  chart.logarithmic_y ? "set logscale y\nset ytics add autofreq\n" : "", curves);
}

void draw(const Mosaic& mosaic, Exhibit& exhibit) {
  constexpr Index kGap = 2;
  constexpr Index kWideGap = 10;
  const auto columns = static_cast<Index>(mosaic.columns);
  const auto rows = (static_cast<Index>(mosaic.cells.size()) + columns - 1) / columns;
  const auto every = static_cast<Index>(mosaic.gap_every);
  const auto left_of = [&](Index column) {
    return column * (mosaic.shape.width + kGap) + (every > 0 ? column / every * kWideGap : 0);
  };
  const Index width = left_of(columns - 1) + mosaic.shape.width;
  const Index height = rows * (mosaic.shape.height + kGap) - kGap;
  Canvas canvas(height, width);
  exhibit.csv = "cell,pixel,value\n";
  for (std::size_t i = 0; i < mosaic.cells.size(); ++i) {
    const auto place = static_cast<Index>(i);
    const Mosaic::Cell& cell = mosaic.cells[i];
    canvas.put(place / columns * (mosaic.shape.height + kGap), left_of(place % columns), cell.pixels, mosaic.shape);
    for (Index t = 0; t < cell.pixels.size(); ++t) {
      fmt::format_to(std::back_inserter(exhibit.csv), "{},{},{:.6g}\n", csv_text(cell.name), t + 1, cell.pixels[t]);
    }
  }
  exhibit.plot.data = canvas.text();
  constexpr int kLeft = 150;
  constexpr int kTop = 56;
  constexpr int kWidth = 1100;
  const int left = mosaic.row_labels.empty() ? 10 : kLeft;
  const double scale = static_cast<double>(kWidth - left - 10) / static_cast<double>(width);
  exhibit.plot.width = kWidth;
  exhibit.plot.height = kTop + 10 + static_cast<int>(std::lround(scale * static_cast<double>(height)));
  std::string labels;
  const auto shares = static_cast<Index>(mosaic.column_labels.size());
  for (Index i = 0; i < shares; ++i) {
    const Index per_label = columns / shares;
    const double middle = static_cast<double>(left_of(i * per_label) + left_of((i + 1) * per_label - 1) + mosaic.shape.width) / 2;
    const std::string& text = mosaic.column_labels[static_cast<std::size_t>(i)];
    const double lines = static_cast<double>(std::count(text.begin(), text.end(), '\n'));
    labels += fmt::format("set label {} at {},graph 1 center offset 0,{} font ',12'\n", script_text(text), middle - 0.5, 0.7 + lines);
  }
  for (std::size_t i = 0; i < mosaic.row_labels.size(); ++i) {
    const double middle = static_cast<double>(static_cast<Index>(i) * (mosaic.shape.height + kGap)) +
                          static_cast<double>(mosaic.shape.height) / 2;
    labels += fmt::format("set label {} at graph 0,first {} right offset -1,0 font ',12'\n", script_text(mosaic.row_labels[i]), middle);
  }
  exhibit.plot.script = fmt::format(
      "unset border\nunset tics\nunset key\nunset colorbox\nset palette gray\nset cbrange [0:255]\n"
      "set xrange [-0.5:{}]\nset yrange [{}:-0.5]\nset lmargin at screen {}\nset rmargin at screen {}\nset tmargin at screen {}\n"
      "set bmargin at screen {}\n{}plot data matrix with image\n",
      static_cast<double>(width) - 0.5, static_cast<double>(height) - 0.5, static_cast<double>(left) / kWidth,
      1 - 10.0 / kWidth, 1 - static_cast<double>(kTop) / exhibit.plot.height, 10.0 / exhibit.plot.height, labels);
}

void draw(const Bars& bars, Exhibit& exhibit) {
  exhibit.csv = fmt::format("bar,{0}_mean,{0}_p10,{0}_p90\n", "error");
  for (std::size_t i = 0; i < bars.bars.size(); ++i) {
    const auto& [label, height] = bars.bars[i];
    fmt::format_to(std::back_inserter(exhibit.csv), "{},{},{},{}\n", csv_text(label), height.mean, height.low, height.high);
    fmt::format_to(std::back_inserter(exhibit.plot.data), "{} {} {} {} {}\n", i + 1, height.mean, height.low, height.high,
                   gnuplot_text(label));
  }
  exhibit.plot.width = 880;
  exhibit.plot.height = 380;
  exhibit.plot.script = fmt::format(
      "{}set ylabel {}\nset yrange [0:*]\nset xrange [0.4:{}]\nset boxwidth 0.55\nset style fill solid 0.35 border lc rgb '#1f4e79'\n"
      "set xtics scale 0\nunset key\nset format y '%g'\nset offsets 0,0,graph 0.12,0\n"
      "plot data using 1:2:xtic(5) with boxes lc rgb '#1f4e79', data using 1:2:3:4 with yerrorbars lw 1.8 pt 0 lc rgb '#222222', "
      "data using ($1+0.04):4:(sprintf('%.4g', $2)) with labels left offset 0.4,0.6 tc rgb '#222222'\n",
      kFrame, script_text(bars.y_label), static_cast<double>(bars.bars.size()) + 0.6);
}

}  // namespace ppdnmf
