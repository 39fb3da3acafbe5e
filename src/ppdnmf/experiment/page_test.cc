#include <ppdnmf/experiment/page.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <ppdnmf/experiment/face_data.h>
#include <ppdnmf/experiment/figures.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::experiment {
namespace {

using testing::HasSubstr;
using testing::Not;

// A made-up outcome: `error` at the end, measured there only.
TrialOutcome outcome(int length, double error, double disagreement) {
  TrialOutcome o;
  for (int n = 1; n <= length; ++n) {
    const bool last = n == length;
    const double now = error * (1 + 1.0 / n);
    o.curve.push_back({n, std::int64_t{3} * n, last ? error : now, now, disagreement,
                       last ? error : std::numeric_limits<double>::quiet_NaN()});
  }
  return o;
}

std::vector<VariantSummary> made_summaries() {
  constexpr std::int64_t kResolutions[] = {10, 1'000'000};
  const std::vector<TrialOutcome> centre = {outcome(5, 0.1, 0), outcome(5, 0.2, 0)};
  std::vector<VariantSummary> summaries;
  for (const Variant& v : all_variants(kResolutions)) {
    const double factor = v.kind == Kind::kAsPrinted ? 0.9 : v.kind == Kind::kSum ? 0.8 : 1;
    const double apart = v.kind == Kind::kSum ? 0 : 1;
    summaries.push_back(
        v.kind == Kind::kCentralised
            ? summarize(v, centre, centre)
            : summarize(v, {outcome(5, 0.1 * factor, 0.5 * apart), outcome(4, 0.2 * factor, 0.1 * apart)}, centre));
  }
  return summaries;
}

TEST(Summary, BandsAreNearestRanks) {
  const Band band = band_of({5, 1, 2, 3, 4, 6, 7, 8, 9, 10});
  EXPECT_DOUBLE_EQ(band.mean, 5.5);
  EXPECT_EQ(band.low, 1);
  EXPECT_EQ(band.high, 9);
  EXPECT_EQ(band_of({3}).low, 3);
  EXPECT_TRUE(std::isnan(band_of({1, std::numeric_limits<double>::quiet_NaN()}).mean));
}

TEST(Summary, ARunThatEndedEarlierKeepsItsNumbers) {
  const std::vector<TrialOutcome> outcomes = {outcome(5, 0.1, 0.5), outcome(3, 0.2, 0.1)};
  const std::vector<TrialOutcome> centre = {outcome(5, 0.1, 0), outcome(5, 0.1, 0)};
  const VariantSummary s = summarize({Kind::kCorrected}, outcomes, centre);
  ASSERT_EQ(s.curve.size(), 5);
  EXPECT_DOUBLE_EQ(s.end.nmse.mean, 0.15);
  EXPECT_DOUBLE_EQ(s.end.rounds, (15 + 9) / 2.0);
  EXPECT_DOUBLE_EQ(s.ratio.mean, 1.5);
  EXPECT_DOUBLE_EQ(s.ratio.high, 2);
}

TEST(Summary, TheTableHasALineForEachVariant) {
  const std::string csv = summary_csv(made_summaries(), 2);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 9);
  EXPECT_THAT(csv, HasSubstr("\nas_printed_1e1,10,2,5,"));
  EXPECT_THAT(csv, HasSubstr("\ncentralised,,2,5,"));
  EXPECT_THAT(csv, HasSubstr("\nsum,,2,5,"));
}

TEST(Figures, CaptionsAreMadeOfTheNumbers) {
  const std::vector<Exhibit> exhibits = curve_exhibits(made_summaries());
  ASSERT_EQ(exhibits.size(), 5);
  EXPECT_THAT(exhibits[0].found, HasSubstr("10 % below"));
  EXPECT_THAT(exhibits[2].found, HasSubstr("30 %"));
  EXPECT_THAT(curve_verdict(made_summaries()), HasSubstr("10 % below"));
  for (const Exhibit& e : exhibits) {
    EXPECT_THAT(e.csv, HasSubstr("mean,p10,p90\n"));
    EXPECT_THAT(e.claim, HasSubstr("paper"));
    EXPECT_THAT(e.plot.script, HasSubstr("set xlabel"));
    EXPECT_THAT(e.plot.script, HasSubstr("set ylabel"));
  }
}

TEST(Figures, MaskedSumsAreInTheFiguresAndOneXIsSaidInWords) {
  std::vector<VariantSummary> summaries = made_summaries();
  const std::vector<Exhibit> exhibits = curve_exhibits(summaries);
  const std::string title = "title \"masked sums, --scheme sum\"";
  EXPECT_THAT(exhibits[0].plot.script, Not(HasSubstr(title)));
  for (const std::size_t i : {1, 3, 4}) EXPECT_THAT(exhibits[i].plot.script, HasSubstr(title)) << i;
  EXPECT_THAT(exhibits[3].found, HasSubstr("0.8000 times with masked sums"));
  EXPECT_THAT(curve_verdict(summaries), HasSubstr("at 0.8000 times after"));
  // Zero has no place on a logarithmic axis.
  EXPECT_THAT(exhibits[2].plot.script, Not(HasSubstr(title)));
  EXPECT_THAT(exhibits[2].found, HasSubstr("the same X, to the bit"));
  for (SummaryPoint& p : summaries.back().curve) p.disagreement = {0.3, 0.1, 0.5};
  summaries.back().end = summaries.back().curve.back();
  const Exhibit apart = curve_exhibits(summaries)[2];
  EXPECT_THAT(apart.plot.script, HasSubstr(title));
  EXPECT_THAT(apart.found, HasSubstr("With masked sums they end 30 % apart"));
}

TEST(Figures, NoTwoAlgorithmsLookAlikeInGrey) {
  constexpr std::int64_t kResolutions[] = {10, 100, 1'000, 10'000, 1'000'000};
  std::vector<std::pair<int, int>> looks;
  for (const Variant& v : all_variants(kResolutions)) {
    const Look look = look_of(v);
    EXPECT_EQ(std::count(looks.begin(), looks.end(), std::pair(look.dash, look.mark)), 0) << variant_name(v);
    looks.emplace_back(look.dash, look.mark);
  }
}

TEST(Figures, JoiningSaysPlainlyWhetherItHelped) {
  EXPECT_THAT(joining_exhibit({{{0.2, 0.4}, 0.15, 0.1, 8, 5}}, 5, "faces").found,
              HasSubstr("lowers the error by 50 %"));
  const std::string found = joining_exhibit({{{0.2, 0.4}, 0.5, 0.1, 8, 2}}, 5, "faces").found;
  EXPECT_THAT(found, HasSubstr("does not help"));
  EXPECT_THAT(found, HasSubstr("rank 2 only, not 5"));
}

ExperimentPage made_page() {
  ExperimentPage page;
  page.title = "A <title>";
  page.lead = "It came to this.";
  page.notes = {"A note & more."};
  page.summaries = made_summaries();
  page.exhibits = curve_exhibits(page.summaries);
  page.exhibits.push_back(joining_exhibit({{{0.2, 0.4}, 0.15, 0.1, 8, 5}}, 5, "faces"));
  const Matrix Z = make_face_data(3, 1);
  std::vector<Portrait> portraits;
  for (const VariantSummary& s : page.summaries)
    portraits.push_back({s.variant, {{}, Z, Z.replicate(1, 2).leftCols(4)}});
  for (Exhibit& e : picture_exhibits(Z, kFaceShape, portraits)) page.exhibits.push_back(std::move(e));
  return page;
}

class Folder : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string text(const std::string& name) const {
    const auto bytes = io::read_file(folder_ / name, 1 << 28);
    EXPECT_TRUE(bytes) << name;
    return bytes ? std::string(io::as_text(*bytes)) : "";
  }
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("ppdnmf_page_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(Folder, EveryFigureIsThereInThreeForms) {
  if (!report::draw_plots({{"plot data using 1:2", "1 2\n2 3\n"}})) GTEST_SKIP() << "gnuplot is not installed";
  const ExperimentPage page = made_page();
  const auto notes = write_page(folder_, page);
  ASSERT_TRUE(notes) << notes.error().message;
  EXPECT_TRUE(notes->empty());
  for (const Exhibit& e : page.exhibits) {
    EXPECT_EQ(text(e.name + ".png").substr(1, 3), "PNG") << e.name;
    EXPECT_THAT(text(e.name + ".svg"), HasSubstr("<svg")) << e.name;
    EXPECT_EQ(text(e.name + ".csv"), e.csv);
  }
  const std::string html = text("experiment.html");
  EXPECT_THAT(html, HasSubstr("A &lt;title&gt;"));
  EXPECT_THAT(html, HasSubstr("A note &amp; more."));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, HasSubstr("data:image/svg+xml"));
}

TEST_F(Folder, WithoutGnuplotThePageSaysSo) {
  const auto notes = write_page(folder_, made_page(), "no-such-program");
  ASSERT_TRUE(notes);
  ASSERT_EQ(notes->size(), 1);
  EXPECT_THAT(text("experiment.html"), HasSubstr("gnuplot could not draw it"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "faces.png"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "faces.csv"));
}

}  // namespace
}  // namespace ppdnmf::experiment
