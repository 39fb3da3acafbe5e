#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include <ppdnmf/report/html.h>
#include <ppdnmf/report/png.h>
#include <ppdnmf/report/report_pictures.h>
#include <ppdnmf/report/report_words.h>

namespace ppdnmf::report {
namespace {

constexpr Index kMaxPixels = 1 << 24;  // of all images together
constexpr double kAlike = 0.9;         // from this cosine on two components are called alike

// White is zero and black the component's largest value: less ink, and the parts stand out on paper.
std::string component_image(const Matrix& X, Index k, io::ImageShape shape, const std::string& name,
                            const std::string& caption) {
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
                     inline_image("image/png", encode_png(shape, pixels), name, "pixels"), caption);
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

Figure bar_figure(const FactorView& factor, Index k) {
  const Matrix& X = factor.X;
  const ReportOptions& options = factor.options;
  Figure figure;
  const bool names = !options.row_names.empty();
  const int font = X.rows() > 50 ? 9 : 12;
  std::size_t longest = 3;
  const Eigen::VectorXd share = shares(X, k);
  const Eigen::VectorXd matched = matched_shares(factor, k);
  for (Index row = 0; row < X.rows(); ++row) {
    const std::string text = names ? label(options, row) : "";
    longest = std::max(longest, text.size());
    fmt::format_to(std::back_inserter(figure.plot.data), "{} {} {} {}\n", row + 1, 100 * share[row], gnuplot_text(text),
                   100 * matched[row]);
  }
  const double below = names ? 14 + 0.65 * font * static_cast<double>(longest) : 55;
  figure.plot.width = 1100;
  figure.plot.height = 150 + static_cast<int>(below);
  figure.plot.script = fmt::format(
      "set border 3 lc rgb '#555555'\nset ytics nomirror tc rgb '#333333'\nset style fill solid 0.9 noborder\n"
      "set boxwidth 0.75\nset yrange [0:*]\nset xrange [0:{}]\nset ylabel 'share (%)'\nset grid ytics lt 1 lw 0.6 lc "
      "rgb '#dddddd'\nset bmargin at screen {}\nunset key\n",
      X.rows() + 1, below / figure.plot.height);
  if (names) {
    figure.plot.script += fmt::format(
        "set xtics nomirror scale 0 rotate by 90 right font ',{}' tc rgb '#333333'\n"
        "plot data using 1:2:xtic(3) with boxes lc rgb '#1f4e79'",
        font);
  } else {
    figure.plot.script +=
        "set xtics nomirror tc rgb '#333333'\nset xlabel 'row'\nplot data using 1:2 with boxes lc rgb '#1f4e79'";
  }
  if (matched.any()) figure.plot.script += ", data using 1:4 with boxes lc rgb '#d55e00' fs empty";
  figure.alt = component_name(factor.record, k) + ", share of each row";
  figure.caption = component_caption(factor.record, k);
  return figure;
}

// Of a component in repeated starts, if the number of components was looked for.
std::optional<double> stability_of(const RunRecord& record, Index k) {
  const auto place = static_cast<std::size_t>(k);
  if (!record.search || place >= record.search->stability.size()) return std::nullopt;
  return record.search->stability[place];
}

std::string reference_sentence(const FactorView& factor) {
  if (factor.record.matches.empty()) return "";
  const bool drawn = factor.options.matched.size() != 0;
  return fmt::format(
      "<p>Each component stands beside the one of the reference that it was matched with, one-to-one, so that the sum "
      "of all cosines is as large as it can be{}. From {} on two are called alike.</p>\n",
      drawn ? "; outlines and thin lines are the reference's" : "", kAlike);
}

// All matches at a glance.
std::string match_table(const RunRecord& record) {
  if (record.matches.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < record.matches.size(); ++k) {
    const ComponentMatch& match = record.matches[k];
    rows.push_back({escape_html(component_name(record, static_cast<Index>(k))),
                    match.name.empty() ? "–" : escape_html(match.name),
                    std::isnan(match.cosine) ? "–" : fmt::format("{:.3f}", match.cosine)});
    if (const auto stability = stability_of(record, static_cast<Index>(k)))
      rows.back().push_back(fmt::format("{:.2f}", *stability));
  }
  std::vector<std::string> heading = {"Component", "Reference", "Cosine"};
  if (stability_of(record, 0)) heading.emplace_back("Stability");
  return html_table("matches", heading, rows);
}

}  // namespace

Eigen::VectorXd shares(const Matrix& X, Index k) {
  const double sum = X.col(k).sum();
  return sum > 0 && std::isfinite(sum) ? Eigen::VectorXd(X.col(k) / sum)
                                       : Eigen::VectorXd(Eigen::VectorXd::Zero(X.rows()));
}

Eigen::VectorXd matched_shares(const FactorView& factor, Index k) {
  if (factor.options.matched.size() == 0) return Eigen::VectorXd::Zero(factor.X.rows());
  return shares(factor.options.matched, k);
}

std::string component_name(const RunRecord& record, Index k) {
  const auto place = static_cast<std::size_t>(k);
  return record.components.empty() ? fmt::format("Component {}", k + 1) : record.components[place];
}

std::string row_name(const ReportOptions& options, Index row) {
  return options.row_names.empty() ? fmt::format("row {}", row + 1) : options.row_names[static_cast<std::size_t>(row)];
}

std::string component_facts(const RunRecord& record, Index k) {
  const auto place = static_cast<std::size_t>(k);
  std::string out;
  if (!record.matches.empty()) {
    const ComponentMatch& match = record.matches[place];
    out = match.name.empty() ? "matched with none"
                             : fmt::format("{} {} <i>cosine {:.3f}</i>", match.cosine >= kAlike ? "like" : "nearest to",
                                           escape_html(match.name), match.cosine);
  }
  if (const auto stability = stability_of(record, k))
    out += fmt::format("{}<i>stability {:.2f}</i>", out.empty() ? "" : ", ", *stability);
  return out;
}

void end_pictures(const FactorView& factor, Index shown, Section& section) {
  section.html += "</div>\n";
  if (shown < factor.X.cols())
    section.html += fmt::format("<p>The first {} of {} are shown.</p>\n", shown, factor.X.cols());
}

std::string component_caption(const RunRecord& record, Index k) {
  const std::string facts = component_facts(record, k);
  return fmt::format("<b>{}</b>{}{}", escape_html(component_name(record, k)), facts.empty() ? "" : " ", facts);
}

void add_images(const FactorView& factor, Section& section) {
  const Matrix& X = factor.X;
  const Index shown = std::clamp<Index>(kMaxPixels / X.rows(), 1, X.cols());
  section.html +=
      "<p>Each column of X is shown as an image; white is zero, black its largest value.</p>\n<div class=\"grid\">\n";
  for (Index k = 0; k < shown; ++k) {
    // A grid of fifty needs no word under each.
    const bool numbered = factor.record.components.empty();
    const std::string name = numbered ? fmt::format("{}", k + 1) : component_name(factor.record, k);
    const std::string facts = component_facts(factor.record, k);
    const std::string caption = escape_html(name) + (facts.empty() ? "" : "<br>") + facts;
    section.html += component_image(X, k, *factor.options.image, name, caption);
  }
  end_pictures(factor, shown, section);
}

void add_bars(const FactorView& factor, Section& section) {
  section.html += "<p>Each column of X is shown as shares of its sum.</p>\n<div class=\"bars\">\n";
  for (Index k = 0; k < factor.X.cols(); ++k) {
    section.html += figure_place(section.figures.size());
    section.figures.push_back(bar_figure(factor, k));
  }
  section.html += "</div>\n";
}

Section factor_section(const RunRecord& record, const Matrix& X, const ReportOptions& options) {
  Section section{"The common factor X", "", {}};
  if (X.size() == 0) {
    section.html = "<p>There is no factor.</p>\n";
    return section;
  }
  const FactorView factor{record, X, options};
  const Choice choice = choose_picture(options.show, {X.rows(), options.row_names, options.image}, X.cols());
  section.html =
      fmt::format("<p>{} rows, {} components. {}</p>\n", grouped(X.rows()), X.cols(), escape_html(choice.sentence));
  section.html += reference_sentence(factor) + match_table(record);
  switch (choice.picture) {
    case Picture::kBars:
      add_bars(factor, section);
      break;
    case Picture::kSignatures:
      add_signatures(factor, *choice.channels, section);
      break;
    case Picture::kTopics:
      add_topics(factor, section);
      break;
    case Picture::kCurves:
      add_curves(factor, choice.axis, section);
      break;
    case Picture::kImages:
      add_images(factor, section);
      break;
  }
  return section;
}

}  // namespace ppdnmf::report
