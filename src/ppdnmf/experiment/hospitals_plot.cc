#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include <ppdnmf/experiment/hospitals_page.h>

namespace ppdnmf::experiment {
namespace {

constexpr int kPictureWidth = 1100;
constexpr int kPictureHeight = 470;
// In pixels: what is left of the panels and above them, a panel with the room around it, the room between groups.
constexpr double kLabelWidth = 122;
constexpr double kHeadHeight = 62;
constexpr double kPanelWidth = 131;
constexpr double kPanelHeight = 98;
constexpr double kBetween = 8;
constexpr double kGroupGap = 20;
constexpr double kRoomForCosines = 1.22;  // above the tallest bar, as a part of it

constexpr const char* kColours[] = {"#1f4e79", "#c0561f", "#3f7d3a", "#7a4a91"};
constexpr const char* kMissed = "#c3c9d0";
constexpr const char* kInk = "#333333";

// What stands in one column of the picture.
struct Strip {
  std::string title;
  std::string amount;        // below the title
  const Findings* findings;  // null: what was put into the data
  bool new_group = false;
};

std::vector<Strip> strips_of(const HospitalsOutcome& o) {
  const auto amount = [](const Findings& f) { return fmt::format("{} of {}", f.found(), kSignatures); };
  std::vector<Strip> strips = {{"in the data", fmt::format("{} signatures", kSignatures), nullptr}};
  for (Index hospital = 0; hospital < kHospitals; ++hospital) {
    const Findings& alone = o.alone[static_cast<std::size_t>(hospital)];
    strips.push_back({hospital_name(hospital) + " alone", amount(alone), &alone, hospital == 0});
  }
  strips.push_back({"together", amount(o.together), &o.together, true});
  strips.push_back({"pooled", amount(o.pooled), &o.pooled});
  strips.push_back({"private", amount(o.privately), &o.privately, true});
  return strips;
}

std::string screen_place(double x, double y) {
  return fmt::format("at screen {:.4f},{:.4f}", x / kPictureWidth, 1 - y / kPictureHeight);
}

// Whose signature it is.
std::string where_common(Index k) {
  return k == 0 ? std::string("everywhere") : fmt::format("at {}", hospital_name(k - 1));
}

Eigen::VectorXd percentages(const Matrix& X, Index k) {
  const double sum = X.col(k).sum();
  return sum > 0 ? Eigen::VectorXd(100 * X.col(k) / sum) : Eigen::VectorXd(Eigen::VectorXd::Zero(X.rows()));
}

class Drawing {
 public:
  explicit Drawing(const HospitalsOutcome& outcome) : outcome_(outcome), strips_(strips_of(outcome)) {}

  report::Plot draw() {
    plot_.width = kPictureWidth;
    plot_.height = kPictureHeight;
    plot_.script =
        "unset key\nunset xtics\nunset ytics\nset border 1 lc rgb '#9aa5b1'\nset style fill solid 1 noborder\n"
        "set boxwidth 1\nset xrange [-1:97]\n";
    add_headings();
    plot_.script += "set multiplot\n";
    double left = kLabelWidth;
    for (const Strip& strip : strips_) {
      if (strip.new_group) left += kGroupGap;
      for (Index k = 0; k < kSignatures; ++k) add_panel(strip, k, left);
      left += kPanelWidth;
    }
    plot_.script += "unset multiplot";
    return std::move(plot_);
  }

 private:
  void text(double x, double y, const std::string& words, const char* place, int size, const char* colour) {
    fmt::format_to(std::back_inserter(plot_.script), "set label '{}' {} {} font ',{}' tc rgb '{}'\n", words,
                   screen_place(x, y), place, size, colour);
  }

  // Drawn once, with the first panel.
  void add_headings() {
    double left = kLabelWidth;
    for (const Strip& strip : strips_) {
      if (strip.new_group) left += kGroupGap;
      const double middle = left + (kPanelWidth - kBetween) / 2;
      text(middle, 18, strip.title, "center", 16, kInk);
      text(middle, 40, strip.amount, "center", 13, "#5a6675");
      left += kPanelWidth;
    }
    for (Index k = 0; k < kSignatures; ++k) {
      const double middle = kHeadHeight + (static_cast<double>(k) + 0.5) * kPanelHeight;
      text(8, middle - 4, fmt::format("signature {}", k + 1), "left", 14, kColours[k]);
      text(8, middle + 16, where_common(k), "left", 12, "#5a6675");
    }
  }

  // The tallest bar of a row of panels ends below their cosines.
  [[nodiscard]] double tallest(Index k) const {
    double top = percentages(outcome_.signatures, k).maxCoeff();
    for (const Strip& strip : strips_)
      if (strip.findings != nullptr) top = std::max(top, percentages(strip.findings->X, k).maxCoeff());
    return kRoomForCosines * top;
  }

  void add_panel(const Strip& strip, Index k, double left) {
    const auto row = static_cast<std::size_t>(k);
    const bool truth = strip.findings == nullptr;
    const bool found = truth || strip.findings->cosines[row] >= kFound;
    const Eigen::VectorXd bars = percentages(truth ? outcome_.signatures : strip.findings->X, k);
    for (Index i = 0; i < bars.size(); ++i)
      fmt::format_to(std::back_inserter(plot_.data), "{} {:.4f}\n", i + 1, bars[i]);
    plot_.data += "\n\n";

    const double right = left + kPanelWidth - kBetween;
    const double top = kHeadHeight + static_cast<double>(k) * kPanelHeight;
    const double bottom = top + kPanelHeight - kBetween;
    if (!truth) {
      const double cosine = strip.findings->cosines[row];
      // Rounded down where it was missed: 0.899 is not 0.90.
      const std::string words =
          found ? fmt::format("{:.2f}", cosine) : fmt::format("missed  {:.2f}", std::floor(100 * cosine) / 100);
      text(right - 2, top + 8, words, "right", 12, found ? kInk : "#a33a00");
    }
    fmt::format_to(std::back_inserter(plot_.script),
                   "set lmargin at screen {:.4f}\nset rmargin at screen {:.4f}\nset tmargin at screen {:.4f}\n"
                   "set bmargin at screen {:.4f}\nset yrange [0:{:.4f}]\n"
                   "plot data index {} using 1:2 with boxes lc rgb '{}'\nunset label\n",
                   left / kPictureWidth, right / kPictureWidth, 1 - (top + 4) / kPictureHeight,
                   1 - bottom / kPictureHeight, tallest(k), panels_++, found ? kColours[k] : kMissed);
  }

  const HospitalsOutcome& outcome_;
  std::vector<Strip> strips_;
  report::Plot plot_;
  int panels_ = 0;
};

}  // namespace

report::Plot hospitals_plot(const HospitalsOutcome& outcome) { return Drawing(outcome).draw(); }

}  // namespace ppdnmf::experiment
