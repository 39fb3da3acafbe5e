#include <fmt/format.h>

#include <charconv>
#include <iterator>

#include <ppdnmf/report/report_pictures.h>

namespace ppdnmf::report {
namespace {

constexpr Index kMaxLargeSignatures = 12;  // more components than that are drawn small, two side by side

std::uint32_t colour_number(std::string_view colour) {
  std::uint32_t number = 0;
  (void)std::from_chars(colour.data() + 1, colour.data() + colour.size(), number, 16);
  return number;
}

// The strips above the bars: one for each class in its colour, and a line of text where several classes are a family.
std::string strips(const ChannelScheme& scheme, bool small, bool families) {
  std::string out;
  double first = 0.5;
  double family_first = first;
  for (std::size_t i = 0; i < scheme.classes.size(); ++i) {
    const ChannelClass& one = scheme.classes[i];
    const double last = first + static_cast<double>(one.places.size());
    fmt::format_to(std::back_inserter(out),
                   "set object {} rect from {},graph 1.04 to {},graph 1.19 noclip fc rgb '{}' fs solid noborder\n"
                   "set label {} '{}' at {},graph 1.11 center front noenhanced font ',{}' tc rgb '{}'\n",
                   i + 1, first + 0.1, last - 0.1, one.colour, i + 1, one.label, (first + last) / 2, small ? 9 : 13,
                   one.ink);
    const bool family_ends = i + 1 == scheme.classes.size() || scheme.classes[i + 1].family != one.family;
    if (families && family_ends && !one.family.empty()) {
      fmt::format_to(std::back_inserter(out), "set label {} '{}' at {},graph 1.27 center font ',12' tc rgb '#333333'\n",
                     scheme.classes.size() + i + 1, one.family, (family_first + last) / 2);
    }
    first = last;
    if (family_ends) family_first = last;
  }
  return out;
}

Plot signature_plot(const ChannelScheme& scheme, const Eigen::VectorXd& share, const Eigen::VectorXd& matched,
                    bool small) {
  Plot plot;
  Index channel = 0;
  for (const ChannelClass& one : scheme.classes) {
    for (const std::string& place : one.places) {
      fmt::format_to(std::back_inserter(plot.data), "{} {} {} {} {}\n", channel + 1, 100 * share[channel],
                     colour_number(one.colour), gnuplot_text(place), 100 * matched[channel]);
      ++channel;
    }
  }
  const bool families = !small && !scheme.classes.front().family.empty();
  const bool turned = scheme.kind != ChannelKind::kId83;  // contexts are read upwards, numbers as they are
  plot.width = small ? 560 : 1100;
  plot.height = small ? 150 : families ? 260 : 230;
  const double above = small ? 34 : families ? 62 : 42;
  const double below = small ? 12 : turned ? 46 : 28;
  plot.script = fmt::format(
      "set border 3 lc rgb '#555555'\nset ytics nomirror tc rgb '#333333' font ',{}'\n"
      "set style fill solid 1 noborder\nset boxwidth 0.7\nset yrange [0:*]\nset xrange [0.3:{}]\n"
      "set grid ytics lt 1 lw 0.6 lc rgb '#dddddd'\nset tmargin at screen {}\nset bmargin at screen {}\nunset key\n",
      small ? 10 : 12, static_cast<double>(scheme.size()) + 0.7, 1 - above / plot.height, below / plot.height);
  if (!small) plot.script += "set ylabel 'share (%)'\n";
  plot.script += strips(scheme, small, families);
  plot.script += small ? std::string("unset xtics\nplot data using 1:2:3 with boxes lc rgb variable")
                       : fmt::format(
                             "set xtics nomirror scale 0 {}font 'monospace,9' tc rgb '#333333'\n"
                             "plot data using 1:2:3:xtic(4) with boxes lc rgb variable",
                             turned ? "rotate by 90 right " : "offset 0,0.4 ");
  if (matched.any()) plot.script += ", data using 1:5 with boxes lc rgb '#707070' fs empty";
  return plot;
}

}  // namespace

void add_signatures(const FactorView& factor, const Channels& channels, Section& section) {
  const ChannelScheme& scheme = channel_scheme(channels.kind);
  const Index shown = std::min(factor.X.cols(), kMaxPictures);
  const bool small = factor.X.cols() > kMaxLargeSignatures;
  section.html += fmt::format("<p>Each column of X is shown as shares of its sum.</p>\n<div class=\"{}\">\n",
                              small ? "pair small" : "bars");
  const auto in_order = [&](const Eigen::VectorXd& rows) {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(scheme.size());
    for (std::size_t row = 0; row < channels.place.size(); ++row)
      out[channels.place[row]] = rows[static_cast<Index>(row)];
    return out;
  };
  for (Index k = 0; k < shown; ++k) {
    section.html += figure_place(section.figures.size());
    Figure figure;
    figure.plot = signature_plot(scheme, in_order(shares(factor.X, k)), in_order(matched_shares(factor, k)), small);
    figure.alt = fmt::format("{}, share of each channel of {}", component_name(factor.record, k), scheme.name);
    figure.caption = component_caption(factor.record, k);
    section.figures.push_back(std::move(figure));
  }
  end_pictures(factor, shown, section);
}

}  // namespace ppdnmf::report
