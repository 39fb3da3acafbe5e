#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include <ppdnmf/report/html.h>
#include <ppdnmf/report/png.h>
#include <ppdnmf/report/report_parts.h>
#include <ppdnmf/report/report_words.h>

namespace ppdnmf::report {
namespace {

constexpr Index kMaxBars = 100;        // rows that a bar chart can name
constexpr Index kMaxCharts = 40;       // components that get a chart of their own
constexpr Index kTopRows = 10;         // rows listed for each component otherwise
constexpr Index kMaxPixels = 1 << 24;  // of all images together

std::string component_name(const ReportOptions& options, Index k) {
  return options.component_names.empty() ? fmt::format("Component {}", k + 1)
                                         : options.component_names[static_cast<std::size_t>(k)];
}

std::string row_name(const ReportOptions& options, Index row) {
  return options.row_names.empty() ? fmt::format("row {}", row + 1) : options.row_names[static_cast<std::size_t>(row)];
}

// Components have no scale of their own: each is shown as shares of its sum. All zero stays zero.
Eigen::VectorXd shares(const Matrix& X, Index k) {
  const double sum = X.col(k).sum();
  return sum > 0 && std::isfinite(sum) ? Eigen::VectorXd(X.col(k) / sum)
                                       : Eigen::VectorXd(Eigen::VectorXd::Zero(X.rows()));
}

// White is zero and black the component's largest value: less ink, and the parts stand out on paper.
std::string component_image(const Matrix& X, Index k, io::ImageShape shape, const std::string& name) {
  const double largest = X.col(k).maxCoeff();
  Bytes pixels;
  pixels.reserve(static_cast<std::size_t>(X.rows()));
  for (Index row = 0; row < shape.height; ++row) {
    for (Index column = 0; column < shape.width; ++column) {
      const double value = largest > 0 ? X(column * shape.height + row, k) / largest : 0;
      pixels.push_back(static_cast<std::uint8_t>(std::lround(255 * (1 - std::clamp(value, 0.0, 1.0)))));
    }
  }
  return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n",
                     inline_image("image/png", encode_png(shape, pixels), name, "pixels"), escape_html(name));
}

void add_images(const Matrix& X, const ReportOptions& options, io::ImageShape shape, Section& section) {
  const Index shown = std::clamp<Index>(kMaxPixels / X.rows(), 1, X.cols());
  section.html +=
      "<p>Each column of X is shown as an image; white is zero, black its largest value.</p>\n<div class=\"grid\">\n";
  for (Index k = 0; k < shown; ++k) {
    // A grid of fifty needs no word under each.
    const std::string name = options.component_names.empty() ? fmt::format("{}", k + 1) : component_name(options, k);
    section.html += component_image(X, k, shape, name);
  }
  section.html += "</div>\n";
  if (shown < X.cols()) section.html += fmt::format("<p>The first {} of {} are shown.</p>\n", shown, X.cols());
}

// Names turned by 90 degrees need room below the bars; long ones are cut.
constexpr std::size_t kLongestLabel = 24;

std::string label(const ReportOptions& options, Index row) {
  std::string name = row_name(options, row);
  if (name.size() <= kLongestLabel) return name;
  std::size_t length = kLongestLabel - 2;
  while (length > 0 && (static_cast<unsigned char>(name[length]) & 0xC0U) == 0x80) --length;
  return name.substr(0, length) + "..";
}

Figure bar_figure(const Matrix& X, Index k, const ReportOptions& options) {
  Figure figure;
  const bool names = !options.row_names.empty();
  const int font = X.rows() > 50 ? 9 : 12;
  std::size_t longest = 3;
  const Eigen::VectorXd share = shares(X, k);
  for (Index row = 0; row < X.rows(); ++row) {
    const std::string text = names ? label(options, row) : "";
    longest = std::max(longest, text.size());
    fmt::format_to(std::back_inserter(figure.plot.data), "{} {} {}\n", row + 1, 100 * share[row], gnuplot_text(text));
  }
  const double below = names ? 14 + 0.65 * font * static_cast<double>(longest) : 55;
  figure.plot.width = 1100;
  figure.plot.height = 150 + static_cast<int>(below);
  figure.plot.script = fmt::format(
      "set border 3 lc rgb '#555555'\nset ytics nomirror tc rgb '#333333'\nset style fill solid 0.9 noborder\n"
      "set boxwidth 0.75\nset yrange [0:*]\nset xrange [0:{}]\nset ylabel 'share (%)'\nset grid ytics lt 1 lw 0.6 lc "
      "rgb "
      "'#dddddd'\nset bmargin at screen {}\nunset key\n",
      X.rows() + 1, below / figure.plot.height);
  if (names) {
    figure.plot.script += fmt::format(
        "set xtics nomirror scale 0 rotate by 90 right font ',{}' tc rgb '#333333'\n"
        "plot data using 1:2:xtic(3) with boxes lc rgb '#1f4e79'\n",
        font);
  } else {
    figure.plot.script +=
        "set xtics nomirror tc rgb '#333333'\nset xlabel 'row'\nplot data using 1:2 with boxes lc rgb '#1f4e79'\n";
  }
  figure.alt = component_name(options, k) + ", share of each row";
  figure.caption = "<b>" + escape_html(component_name(options, k)) + "</b>";
  return figure;
}

void add_bars(const Matrix& X, const ReportOptions& options, Section& section) {
  section.html += "<p>Each column of X is shown as shares of its sum.</p>\n<div class=\"bars\">\n";
  for (Index k = 0; k < X.cols(); ++k) {
    section.html += figure_place(section.figures.size());
    section.figures.push_back(bar_figure(X, k, options));
  }
  section.html += "</div>\n";
}

std::string top_rows(const Matrix& X, Index k, const ReportOptions& options) {
  const Eigen::VectorXd share = shares(X, k);
  std::vector<Index> order(static_cast<std::size_t>(X.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  const Index count = std::min(kTopRows, X.rows());
  std::partial_sort(order.begin(), order.begin() + count, order.end(),
                    [&](Index a, Index b) { return share[a] != share[b] ? share[a] > share[b] : a < b; });
  std::string out;
  for (Index i = 0; i < count; ++i) {
    const Index row = order[static_cast<std::size_t>(i)];
    if (!(share[row] > 0)) break;
    out += fmt::format("{}<span class=\"nowrap\">{} <i>{}</i></span>", i == 0 ? "" : ", ",
                       escape_html(row_name(options, row)), percent(share[row]));
  }
  return out.empty() ? "all zero" : out;
}

void add_top_rows(const Matrix& X, const ReportOptions& options, Section& section) {
  section.html += fmt::format("<p>The {} largest rows of each column of X, with their share of the column's sum.</p>\n",
                              std::min(kTopRows, X.rows()));
  std::vector<std::vector<std::string>> rows;
  for (Index k = 0; k < X.cols(); ++k) {
    rows.push_back({escape_html(component_name(options, k)), top_rows(X, k, options)});
  }
  section.html += html_table("words", {"Component", "Largest rows"}, rows);
}

}  // namespace

Section factor_section(const Matrix& X, const ReportOptions& options) {
  Section section{"The common factor X", "", {}};
  if (X.size() == 0) {
    section.html = "<p>There is no factor.</p>\n";
    return section;
  }
  section.html = fmt::format("<p>{} rows, {} components.</p>\n", grouped(X.rows()), X.cols());
  // Divided, not multiplied: a shape is a user's numbers.
  const auto& image = options.image;
  const bool images = image && image->height > 0 && image->width > 0 && X.rows() % image->height == 0 &&
                      X.rows() / image->height == image->width;
  if (options.image && !images) {
    section.html += fmt::format("<p>{} rows are not the pixels of an image of {} x {}.</p>\n", X.rows(), image->height,
                                image->width);
  }
  if (images) {
    add_images(X, options, *image, section);
  } else if (X.rows() <= kMaxBars && X.cols() <= kMaxCharts) {
    add_bars(X, options, section);
  } else {
    add_top_rows(X, options, section);
  }
  return section;
}

}  // namespace ppdnmf::report
