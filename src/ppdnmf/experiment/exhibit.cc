#include <ppdnmf/experiment/exhibit.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include <ppdnmf/base/result.h>

namespace ppdnmf::experiment {
namespace {

constexpr const char* kFrame =
    "set border 3 lc rgb '#555555'\nset tics nomirror tc rgb '#333333'\nset grid lt 1 lw 0.6 lc rgb '#dddddd'\n";

bool is_drawn(const Chart& chart, const Chart::Point& point) {
  return std::isfinite(point.y.mean) && point.y.mean > 0 && (!chart.logarithmic_x || point.x > 0);
}

// The smallest and the largest mean that is shown, with a little room.
std::pair<double, double> range_of(const Chart& chart) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (const Chart::Curve& curve : chart.curves) {
    for (const Chart::Point& point : curve.points) {
      if (!is_drawn(chart, point)) continue;
      low = std::min(low, point.y.mean);
      high = std::max(high, point.y.mean);
    }
  }
  if (!(high > 0)) return {0.1, 1};
  constexpr double kRoom = 1.08;
  return {std::max(low / kRoom, chart.least_y), high * kRoom};
}

// gnuplot labels whole decades only: a range of less than two would have one number or none.
std::string ticks(double low, double high) {
  const double decades = std::log10(high / low);
  std::vector<double> mantissas = {1};
  if (decades < 2.5) mantissas = {1, 2, 5};
  if (decades < 1.2) mantissas = {1, 1.5, 2, 3, 4, 5, 6, 8};
  if (decades < 0.5)
    mantissas = {1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5};
  std::string out;
  for (int e = static_cast<int>(std::floor(std::log10(low))); e <= static_cast<int>(std::ceil(std::log10(high))); ++e) {
    for (const double mantissa : mantissas) {
      const double place = mantissa * std::pow(10.0, e);
      if (place >= low && place <= high) out += fmt::format("{}'{:g}' {:g}", out.empty() ? "" : ", ", place, place);
    }
  }
  return out.empty() ? "" : fmt::format("set ytics ({})\n", out);
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
  void put(Index top, Index left, const Eigen::VectorXd& pixels, io::ImageShape shape) {
    for (Index c = 0; c < shape.width; ++c) {
      for (Index r = 0; r < shape.height; ++r) {
        grey(top + r, left + c) = std::round(255 * std::clamp(pixels[c * shape.height + r], 0.0, 1.0));
      }
    }
  }
  [[nodiscard]] std::string text() const {
    std::string out;
    for (Index r = 0; r < grey.rows(); ++r) {
      for (Index c = 0; c < grey.cols(); ++c)
        fmt::format_to(std::back_inserter(out), "{} ", static_cast<int>(grey(r, c)));
      out += "\n";
    }
    return out;
  }
  Matrix grey;
};

}  // namespace

Look look_of(const Variant& variant) {
  // Printed: warm, open marks. Corrected: blue, filled marks. Coarser resolutions are lighter and have shorter dashes.
  struct Row {
    std::int64_t n_max;
    const char* printed;
    const char* corrected;
    int dash;
    int mark;  // open; the filled one is next
  };
  static constexpr Row kRows[] = {{1'000'000, "#8b1a00", "#12355b", 1, 6},
                                  {10'000, "#b03a00", "#1f5f99", 2, 4},
                                  {1'000, "#c9601a", "#2f86b8", 4, 8},
                                  {100, "#d98e04", "#4fa3c7", 5, 10},
                                  {10, "#e3a83a", "#7fbdd6", 3, 12}};
  switch (variant.kind) {
    case Kind::kCentralised:
      return {};
    case Kind::kAsPrintedOnes:
      return {"#777777", 2, 2};
    case Kind::kDefaults:
      return {"#2e7d32", 1, 15};
    case Kind::kSum:
      return {"#7b1fa2", 1, 3};
    case Kind::kAsPrinted:
    case Kind::kCorrected:
      break;
  }
  const bool printed = variant.kind == Kind::kAsPrinted;
  for (const Row& row : kRows) {
    if (variant.n_max >= row.n_max)
      return {printed ? row.printed : row.corrected, row.dash, row.mark + (printed ? 0 : 1)};
  }
  return {printed ? "#e3a83a" : "#7fbdd6", 3, printed ? 12 : 13};
}

void draw(const Chart& chart, Exhibit& exhibit) {
  constexpr std::size_t kMarks = 10;  // on a curve whose every point is not marked
  exhibit.csv = fmt::format("curve,{},mean,p10,p90\n", csv_text(chart.x_label));
  std::string lines;
  std::string marks;
  std::string key;
  std::size_t block = 0;
  for (const Chart::Curve& curve : chart.curves) {
    std::size_t drawn = 0;
    for (const Chart::Point& point : curve.points) {
      if (!std::isfinite(point.y.mean)) continue;
      fmt::format_to(std::back_inserter(exhibit.csv), "{},{},{},{},{}\n", csv_text(curve.label), point.x, point.y.mean,
                     point.y.low, point.y.high);
      if (!is_drawn(chart, point)) continue;
      fmt::format_to(std::back_inserter(exhibit.plot.data), "{} {}\n", point.x, point.y.mean);
      ++drawn;
    }
    if (drawn == 0) continue;
    exhibit.plot.data += "\n\n";
    const Look& look = curve.look;
    const std::string line = fmt::format("dt {} lw {} lc rgb '{}'", look.dash, look.mark == 0 ? 3 : 1.8, look.colour);
    const std::string mark = fmt::format("pt {} ps 0.8", look.mark);
    lines += fmt::format("data index {} using 1:2 with lines {} notitle, ", block, line);
    if (look.mark != 0) {
      // Curves that lie on top of each other have their marks at different places.
      const std::size_t step = curve.mark_all ? 1 : std::max<std::size_t>(1, drawn / kMarks);
      marks += fmt::format("data index {} every {}::{} using 1:2 with points {} lw 1.5 lc rgb '{}' notitle, ", block,
                           step, curve.mark_all ? 0 : block * step / chart.curves.size(), mark, look.colour);
    }
    key += fmt::format("{}keyentry with {} {} {} title {}", block == 0 ? "" : ", ",
                       look.mark == 0 ? "lines" : "linespoints", line, look.mark == 0 ? "" : mark,
                       script_text(curve.label));
    ++block;
  }
  const auto [low, high] = range_of(chart);
  exhibit.plot.width = 900;
  exhibit.plot.height = 450;
  exhibit.plot.script = fmt::format(
      "{}set title {}\nset xlabel {}\nset ylabel {}\n{}set logscale y\nset yrange [{}:{}]\n{}"
      "set key outside right center reverse Left samplen 4 spacing 1.3\nplot {}{}{}\n",
      kFrame, script_text(exhibit.title), script_text(chart.x_label), script_text(chart.y_label),
      chart.logarithmic_x ? "set logscale x\n" : "", low, high, ticks(low, high), lines, marks, key);
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
    for (Index t = 0; t < cell.pixels.size() && !cell.name.empty(); ++t) {
      fmt::format_to(std::back_inserter(exhibit.csv), "{},{},{:.6g}\n", csv_text(cell.name), t + 1, cell.pixels[t]);
    }
  }
  exhibit.plot.data = canvas.text();
  constexpr int kLeft = 185;
  constexpr int kTop = 88;
  constexpr int kWidth = 1100;
  const int left = mosaic.row_labels.empty() ? 10 : kLeft;
  const double scale = static_cast<double>(kWidth - left - 10) / static_cast<double>(width);
  exhibit.plot.width = kWidth;
  exhibit.plot.height = kTop + 10 + static_cast<int>(std::lround(scale * static_cast<double>(height)));
  // Labels of about a dozen letters must fit above their share of the columns.
  constexpr double kLargestFont = 12;
  constexpr double kPixelsPerPoint = 7.2;
  std::string labels;
  const auto shares = static_cast<Index>(mosaic.column_labels.size());
  for (Index i = 0; i < shares; ++i) {
    const Index per_label = columns / shares;
    const auto from = static_cast<double>(left_of(i * per_label));
    const auto to = static_cast<double>(left_of((i + 1) * per_label - 1) + mosaic.shape.width);
    const double font = std::min(kLargestFont, scale * (to - from) / kPixelsPerPoint);
    const std::string& text = mosaic.column_labels[static_cast<std::size_t>(i)];
    const auto lines = static_cast<double>(std::count(text.begin(), text.end(), '\n'));
    labels += fmt::format("set label {} at {},graph 1 center offset 0,{} font ',{:.1f}'\n", script_text(text),
                          (from + to) / 2 - 0.5, 0.7 + lines, font);
  }
  for (std::size_t i = 0; i < mosaic.row_labels.size(); ++i) {
    const double middle = static_cast<double>(static_cast<Index>(i) * (mosaic.shape.height + kGap)) +
                          static_cast<double>(mosaic.shape.height) / 2;
    labels += fmt::format("set label {} at graph 0,first {} right offset -1,0 font ',12'\n",
                          script_text(mosaic.row_labels[i]), middle);
  }
  exhibit.plot.script = fmt::format(
      "set title {} offset 0,1.9\nunset border\nunset tics\nunset key\nunset colorbox\nset palette gray\nset cbrange "
      "[0:255]\n"
      "set xrange [-0.5:{}]\nset yrange [{}:-0.5]\nset lmargin at screen {}\nset rmargin at screen {}\nset tmargin at "
      "screen {}\n"
      "set bmargin at screen {}\n{}plot data matrix with image\n",
      script_text(exhibit.title), static_cast<double>(width) - 0.5, static_cast<double>(height) - 0.5,
      static_cast<double>(left) / kWidth, 1 - 10.0 / kWidth, 1 - static_cast<double>(kTop) / exhibit.plot.height,
      10.0 / exhibit.plot.height, labels);
}

void draw(const Bars& bars, Exhibit& exhibit) {
  exhibit.csv = fmt::format("bar,{0}_mean,{0}_p10,{0}_p90\n", "error");
  for (std::size_t i = 0; i < bars.bars.size(); ++i) {
    const auto& [label, height] = bars.bars[i];
    fmt::format_to(std::back_inserter(exhibit.csv), "{},{},{},{}\n", csv_text(label), height.mean, height.low,
                   height.high);
    fmt::format_to(std::back_inserter(exhibit.plot.data), "{} {} {} {} {}\n", i + 1, height.mean, height.low,
                   height.high, report::gnuplot_text(label));
  }
  exhibit.plot.width = 880;
  exhibit.plot.height = 380;
  exhibit.plot.script = fmt::format(
      "{}set title {}\nset ylabel {}\nset yrange [0:*]\nset xrange [0.4:{}]\nset boxwidth 0.55\nset style fill solid "
      "0.35 border lc rgb '#1f4e79'\n"
      "set xtics scale 0\nunset key\nset format y '%g'\nset offsets 0,0,graph 0.12,0\n"
      "plot data using 1:2:xtic(5) with boxes lc rgb '#1f4e79', data using 1:3:(0):($4-$3) with vectors nohead lw 2.5 "
      "lc rgb "
      "'#222222', "
      "data using ($1+0.04):4:(sprintf('%.4g', $2)) with labels left offset 0.4,0.6 tc rgb '#222222'\n",
      kFrame, script_text(exhibit.title), script_text(bars.y_label), static_cast<double>(bars.bars.size()) + 0.6);
}

}  // namespace ppdnmf::experiment
