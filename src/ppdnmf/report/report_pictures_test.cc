#include <ppdnmf/report/report_pictures.h>

#include <algorithm>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/io/test_files.h>

namespace ppdnmf::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> numbers_as_names(int count, double step) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) names.push_back(fmt::format("{}", 400 + step * i));
  return names;
}

std::vector<std::string> words(int count) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) names.push_back(fmt::format("word{}", i));
  return names;
}

Choice choice_of(Show show, const std::vector<std::string>& names, Index rows, Index components = 5,
                 std::optional<io::ImageShape> image = {}) {
  return choose_picture(show, {rows, names, image}, components);
}

TEST(Show, IsGuessedFromTheRowNames) {
  const std::vector<std::string> none;
  for (const ChannelKind kind : kChannelKinds) {
    const auto& names = channel_scheme(kind).names;
    const Choice choice = choice_of(Show::kAuto, names, static_cast<Index>(names.size()), 50);
    EXPECT_EQ(choice.picture, Picture::kSignatures);
    EXPECT_THAT(choice.sentence, HasSubstr(fmt::format("Guessed from their names: the rows are the channels of {}",
                                                       channel_scheme(kind).name)));
  }
  const Choice curve = choice_of(Show::kAuto, numbers_as_names(30, -0.5), 30);
  EXPECT_EQ(curve.picture, Picture::kCurves);
  EXPECT_EQ(curve.axis.back(), 385.5);
  EXPECT_THAT(curve.sentence, HasSubstr("numbers from 400 to 385.5: they are the axis."));
  EXPECT_EQ(choice_of(Show::kAuto, {"1", "3", "2"}, 3).picture, Picture::kBars) << "numbers, but no axis";
  EXPECT_EQ(choice_of(Show::kAuto, words(50), 50).picture, Picture::kBars);
  EXPECT_EQ(choice_of(Show::kAuto, words(500), 500).picture, Picture::kTopics);
  EXPECT_EQ(choice_of(Show::kAuto, words(50), 50, 41).picture, Picture::kTopics);
  EXPECT_EQ(choice_of(Show::kAuto, none, 96).picture, Picture::kBars) << "96 rows can be anything";
  EXPECT_EQ(choice_of(Show::kAuto, words(6), 6, 2, io::ImageShape{2, 3}).picture, Picture::kImages);
}

TEST(Show, IsWhatWasAskedFor) {
  const std::vector<std::string> none;
  const auto& sbs = channel_scheme(ChannelKind::kSbs96).names;
  EXPECT_EQ(choice_of(Show::kTopics, sbs, 96).picture, Picture::kTopics);
  const Choice curve = choice_of(Show::kCurves, sbs, 96);
  EXPECT_EQ(curve.picture, Picture::kCurves);
  EXPECT_EQ(curve.axis.back(), 96);
  EXPECT_THAT(curve.sentence, HasSubstr("The axis is the number of the row."));
  const Choice unnamed = choice_of(Show::kSignatures, none, 83);
  EXPECT_EQ(unnamed.channels->kind, ChannelKind::kId83);
  EXPECT_THAT(unnamed.sentence,
              HasSubstr("no names; they are taken to be, in the order of the field, the channels of ID83"));
}

TEST(Show, RefusesInASentence) {
  const std::vector<std::string> none;
  EXPECT_TRUE(check_show(Show::kAuto, {5, none, {}}));
  EXPECT_TRUE(check_show(Show::kSignatures, {78, none, {}}));
  EXPECT_THAT(io::message_of(check_show(Show::kSignatures, {5, none, {}})),
              HasSubstr("5 rows without names are neither the 96 of SBS96 nor"));
  EXPECT_THAT(io::message_of(check_show(Show::kSignatures, {2, {"A[C>A]A", "gene"}, {}})), HasSubstr("'gene' is none"));
  EXPECT_THAT(io::message_of(check_show(Show::kSignatures, {2, {"A[C>A]A", "AC>CA"}, {}})),
              HasSubstr("different channels of one kind"));
  EXPECT_THAT(io::message_of(check_show(Show::kImages, {6, none, {}})), HasSubstr("`image=HxW`"));
  EXPECT_THAT(io::message_of(check_show(Show::kImages, {6, none, io::ImageShape{2, 2}})), HasSubstr("`image=HxW`"));
  EXPECT_THAT(io::message_of(parse_show("bars")), HasSubstr("`show=bars` is not one of auto, signatures"));
  EXPECT_EQ(*parse_show("curves"), Show::kCurves);
}

// The section of a factor, without the rest of the page.
Section section_of(const Matrix& X, const ReportOptions& options, const RunRecord& record = {}) {
  return factor_section(record, X, options);
}

TEST(Signatures, StandInTheOrderOfTheFieldWhateverTheFileHas) {
  ReportOptions options;
  options.row_names = channel_scheme(ChannelKind::kSbs96).names;
  Matrix X = Matrix::Zero(96, 1);
  X(33, 0) = 3;  // A[C>T]C
  X(95, 0) = 1;
  const std::string in_order = section_of(X, options).figures.at(0).plot.data;
  EXPECT_THAT(in_order, HasSubstr("\n34 75 14952742 \"ACC\" 0\n")) << "red, its context below";
  EXPECT_THAT(in_order, HasSubstr("\n96 25 "));
  std::reverse(options.row_names.begin(), options.row_names.end());
  EXPECT_EQ(section_of(X.colwise().reverse(), options).figures.at(0).plot.data, in_order);
}

TEST(Signatures, HaveTheirClassesAboveThemAndAreSmallWhenThereAreMany) {
  ReportOptions options;
  options.row_names = channel_scheme(ChannelKind::kId83).names;
  const Section few = section_of(Matrix::Ones(83, 2), options);
  ASSERT_EQ(few.figures.size(), 2U);
  EXPECT_THAT(few.figures[0].plot.script, HasSubstr("deletion at repeats"));
  EXPECT_THAT(few.figures[0].plot.script, HasSubstr("xtic(4)"));
  const Section many = section_of(Matrix::Ones(83, 50), options);
  ASSERT_EQ(many.figures.size(), 50U);
  EXPECT_LT(many.figures[0].plot.width, few.figures[0].plot.width);
  EXPECT_THAT(many.figures[0].plot.script, Not(HasSubstr("xtic(4)")));
  EXPECT_THAT(many.html, HasSubstr("pair small"));
}

TEST(Curves, KeepAPeakOfOneRowAmongManyRows) {
  ReportOptions options;
  options.show = Show::kCurves;
  Matrix X = Matrix::Ones(200000, 1);
  X(123456, 0) = 1e6;
  const Plot plot = section_of(X, options).figures.at(0).plot;
  EXPECT_THAT(plot.data, HasSubstr("\n123457 "));
  EXPECT_LT(plot.data.size(), 60000U);
}

TEST(Components, HaveNamesMatchesAndStabilityBesideThem) {
  RunRecord record;
  record.components = {"known <1>", "2", "3"};
  record.matches = {{"SBS&1", 0.95}, {"SBS2", 0.5}, {"", kNotMeasured}};
  record.search = RankRecord{};
  record.search->stability = {0.875, 0.5, 1};
  EXPECT_EQ(component_caption(record, 0),
            "<b>known &lt;1&gt;</b> like SBS&amp;1 <i>cosine 0.950</i>, <i>stability 0.88</i>");
  EXPECT_EQ(component_caption(record, 1), "<b>2</b> nearest to SBS2 <i>cosine 0.500</i>, <i>stability 0.50</i>");
  EXPECT_EQ(component_caption(record, 2), "<b>3</b> matched with none, <i>stability 1.00</i>");
  ReportOptions options;
  options.matched = Matrix::Zero(4, 3);
  options.matched(1, 0) = 1;
  const Section section = section_of(Matrix::Ones(4, 3), options, record);
  EXPECT_THAT(section.figures.at(0).plot.script, HasSubstr("data using 1:4 with boxes lc rgb '#d55e00' fs empty"));
  EXPECT_THAT(section.figures.at(1).plot.script, Not(HasSubstr("fs empty"))) << "nothing to draw";
  EXPECT_THAT(section.html, HasSubstr("<td>SBS2</td><td>0.500</td>"));
}

class Pictures : public io::FolderTest {};

TEST_F(Pictures, OfEveryKindAreDrawn) {
  if (!draw_plots({{"plot data using 1:2", "1 2\n2 3\n"}})) GTEST_SKIP() << "gnuplot is not installed";
  RunRecord record;
  record.agents = 1;
  for (const ChannelKind kind : kChannelKinds) {
    for (const Index components : {Index{2}, Index{14}}) {
      ReportOptions options;
      options.row_names = channel_scheme(kind).names;
      const Index rows = channel_scheme(kind).size();
      options.matched = Matrix::Random(rows, components).cwiseAbs();
      record.matches.assign(static_cast<std::size_t>(components), {"like", 0.99});
      const auto notes = write_report(folder_, record, Matrix::Random(rows, components).cwiseAbs(), options);
      ASSERT_TRUE(notes) << io::message_of(notes);
      EXPECT_TRUE(notes->empty()) << notes->front();
    }
  }
  record.matches.clear();
  ReportOptions curves;
  curves.row_names = numbers_as_names(40, 0.25);
  curves.matched = Matrix::Ones(40, 7);
  const auto notes = write_report(folder_, record, Matrix::Random(40, 7).cwiseAbs(), curves);
  ASSERT_TRUE(notes) << io::message_of(notes);
  EXPECT_TRUE(notes->empty()) << notes->front();
}

}  // namespace
}  // namespace ppdnmf::report
