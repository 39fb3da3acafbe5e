#include <ppdnmf/report/report.h>

#include <cstdlib>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/io/test_files.h>
#include <ppdnmf/report/gnuplot.h>
#include <ppdnmf/report/html.h>
#include <ppdnmf/report/png.h>
#include <ppdnmf/report/report_words.h>

namespace ppdnmf::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

RunRecord example(int agents = 10) {
  RunRecord record;
  record.command = "simulate";
  record.title = "a test";
  record.version = "0.1.0";
  record.relative_error = 0.08;
  record.worst_agent_error = 0.084;
  record.nmse = 0.0064;
  record.disagreement = 0.001;
  record.agents = agents;
  record.iterations = 3;
  record.rounds = 60;
  record.bytes_sent = 1234567;
  record.seconds_total = 2.5;
  record.stopped_because = "the error no longer falls";
  record.parameters = {{"rank", "2"}};
  for (int i = 0; i < agents; ++i) {
    if (i + 1 < agents) record.edges.emplace_back(i, i + 1);
    record.columns_per_agent.push_back(3);
    record.agent_errors.push_back(0.08);
  }
  for (int i = 1; i <= 3; ++i)
    record.history.push_back({i, 20LL * i, 0.1 / i, 0.3 / i, 9.0 / i, 0.01 / i, 0.5 * i, 1000ULL * i});
  return record;
}

bool have_gnuplot() { return draw_plots({{"plot data using 1:2", "1 2\n2 3\n"}}).has_value(); }

TEST(Verdict, SaysHowWellTheAgentsAgree) {
  EXPECT_EQ(
      verdict(example()),
      "The ten agents agree to 0.1 %; the worst agent's factor explains everybody's data with relative error 0.084.");
}

TEST(Verdict, SaysPlainlyThatTheyDidNot) {
  RunRecord record = example(20);
  record.disagreement = 0.45;
  record.worst_agent_error = 0.61;
  EXPECT_EQ(
      verdict(record),
      "The 20 agents did not agree: their factors differ by up to 45 %. The relative error of 0.08 says only how well "
      "each agent's factor fits its own data; the worst agent's factor explains everybody's data with relative error "
      "0.61.");
}

TEST(Verdict, SaysThatThereIsOneFactor) {
  RunRecord record = example(3);
  record.disagreement = 0;
  EXPECT_EQ(
      verdict(record),
      "The three agents have the same factor, to the bit; it explains everybody's data with relative error 0.084.");
}

TEST(Verdict, OfOneMachine) {
  RunRecord record = example(1);
  record.disagreement = kNotMeasured;
  EXPECT_EQ(verdict(record), "The factors explain the data with relative error 0.08.");
}

TEST(Words, ForNumbers) {
  EXPECT_EQ(byte_size(999), "999 bytes");
  EXPECT_EQ(byte_size(1300), "1.3 kB");
  EXPECT_EQ(byte_size(999999), "1.0 MB");
  EXPECT_EQ(byte_size(18446744073709551615U), "18 EB");
  EXPECT_EQ(duration(0.2134), "0.21 s");
  EXPECT_EQ(duration(200), "3 min 20 s");
  EXPECT_EQ(duration(7500), "2 h 5 min");
  EXPECT_EQ(duration(kNotMeasured), "not measured");
  EXPECT_EQ(percent(0.0012), "0.12 %");
  EXPECT_EQ(percent(0.996), "100 %");
  EXPECT_EQ(percent(1.0746), "107 %");
  EXPECT_EQ(grouped(1234567), "1\u00A0234\u00A0567");
  EXPECT_EQ(grouped(-123), "-123");
  EXPECT_EQ(grouped(1000), "1\u00A0000");
}

TEST(Html, EscapesEverythingThatMeansSomething) {
  EXPECT_EQ(escape_html("<a href=\"x\">'&'</a>\n"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;?");
}

TEST(Png, HasItsParts) {
  const Bytes png = encode_png({2, 3}, Bytes{0, 128, 255, 1, 2, 3});
  const std::string text(png.begin(), png.end());
  EXPECT_EQ(text.substr(0, 8), "\x89PNG\r\n\x1A\n");
  EXPECT_EQ(text.substr(12, 4), "IHDR");
  EXPECT_EQ(text[19], 3) << "width first";
  EXPECT_EQ(text[23], 2);
  EXPECT_EQ(text.substr(text.size() - 12), std::string("\0\0\0\0IEND\xAE\x42\x60\x82", 12));
}

class Report : public io::FolderTest {
 protected:
  std::string report(const RunRecord& record, const Matrix& X, const ReportOptions& options = {}) {
    const auto notes = write_report(folder_, record, X, options);
    EXPECT_TRUE(notes) << io::message_of(notes);
    notes_ = notes.value_or(std::vector<std::string>());
    return io::file_text(folder_ / "report.html");
  }
  std::vector<std::string> notes_;
};

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t i = text.find(part); i != std::string::npos; i = text.find(part, i + 1)) ++found;
  return found;
}

TEST_F(Report, HasPlotsAndNothingFromOutside) {
  if (!have_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  const std::string html = report(example(), Matrix::Ones(6, 2));
  EXPECT_TRUE(notes_.empty());
  EXPECT_EQ(count(html, "data:image/svg+xml;base64,"), 4U) << "error, disagreement and two components";
  EXPECT_EQ(count(html, "<line "), 9U) << "the edges of a path of ten";
  EXPECT_THAT(html, HasSubstr("The ten agents agree to 0.1 %"));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("http")));
  EXPECT_THAT(html, Not(HasSubstr("<!--figure")));
}

TEST_F(Report, SaysWhichErrorsAreOfNormalisedColumns) {
  RunRecord record = example();
  record.parameters = {{"scheme", "moments"}, {"normalise", "l2"}};
  const std::string html = report(record, Matrix::Ones(6, 2));
  EXPECT_THAT(html, HasSubstr("over all agents, each with its own factor on its own normalised columns"));
  EXPECT_THAT(html, HasSubstr("of the agent whose factor explains everybody's data, as they are, worst"));
  EXPECT_THAT(html, Not(HasSubstr("Dashed: the worst agent")));
  EXPECT_THAT(html, HasSubstr("sums over all agents"));
  EXPECT_THAT(report(example(), Matrix::Ones(6, 2)), Not(HasSubstr("normalised")));
}

// Squared errors may rise while the divergence falls.
TEST_F(Report, OfThePoissonLossDrawsWhatIsMinimised) {
  RunRecord record = example(1);
  record.loss = 1234;
  EXPECT_THAT(report(record, Matrix::Ones(6, 2)), Not(HasSubstr("ivergence")));
  record.parameters.emplace_back("loss", "poisson");
  const std::string html = report(record, Matrix::Ones(6, 2));
  EXPECT_THAT(html, HasSubstr("The Kullback-Leibler divergence, which is minimised, ending at 1234."));
  EXPECT_THAT(html, Not(HasSubstr("Relative error during the run")));
}

TEST_F(Report, ShowsImagesUprightInColumnMajorOrder) {
  Matrix X = Matrix::Zero(6, 1);
  X(2 * 2 + 1, 0) = 5;  // row 1, column 2 of a 2 x 3 image
  const std::string html = report(example(), X, {.row_names = {}, .image = io::ImageShape{2, 3}});
  EXPECT_THAT(html, HasSubstr(base64(encode_png({2, 3}, Bytes{255, 255, 255, 255, 255, 0}))));
}

TEST_F(Report, ListsTheLargestRowsOfALongFactor) {
  ReportOptions options;
  for (int i = 0; i < 200; ++i) options.row_names.push_back("term" + std::to_string(i));
  Matrix X = Matrix::Zero(200, 2);
  X(17, 0) = 3;
  X(4, 0) = 1;
  const std::string html = report(example(100), X, options);
  EXPECT_THAT(html, HasSubstr("style=\"width:100%\"></span><span class=\"word\">term17 <i>75 %</i></span></li>\n<li>"));
  EXPECT_THAT(html, HasSubstr("style=\"width:33%\"></span><span class=\"word\">term4 <i>25 %</i>"));
  EXPECT_THAT(html, HasSubstr("<p>all zero</p>"));
  EXPECT_THAT(html, HasSubstr("A drawing of more than 60 agents would not be readable."));
}

TEST_F(Report, WithoutGnuplotSaysSo) {
  ReportOptions options;
  options.gnuplot = (folder_ / "no-such-program").string();
  const std::string html = report(example(), Matrix::Ones(6, 2), options);
  ASSERT_EQ(notes_.size(), 1U);
  EXPECT_THAT(notes_[0], HasSubstr("report.html has no plots: "));
  EXPECT_THAT(html, HasSubstr("A plot belongs here (Relative error during the run), but gnuplot could not draw it."));
  options.gnuplot = "false";
  (void)report(example(), Matrix::Ones(6, 2), options);
  EXPECT_EQ(notes_[0], "report.html has no plots: false failed");
}

TEST_F(Report, NamesAreTextAndNothingElse) {
  ReportOptions options;
  const std::string touched = (folder_ / "touched").string();
  options.row_names = {
      "<script>alert(1)</script>",           "`touch " + touched + "`", "\"\nsystem(\"touch " + touched + "\")\n\"",
      "'.system('touch " + touched + "').'", "<!--figure 0-->",         "\xFF\xFE\\n@{}_^"};
  RunRecord record = example();
  record.components = {"</b><img src=x onerror=alert(1)>", "$(touch " + touched + ")"};
  record.matches = {{"<script>", 0.5}, {"$(touch " + touched + ")", 0.95}};
  record.title = "<!--figure 0--><script>";
  record.notes = {"<i>"};
  record.parameters = {{"<u>", "\"><script>"}};
  record.stopped_because = "<script>";
  const std::string html = report(record, Matrix::Random(6, 2).cwiseAbs(), options);
  EXPECT_FALSE(std::filesystem::exists(touched));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("<img src")));
  EXPECT_THAT(html, Not(HasSubstr("<u>")));
  EXPECT_EQ(notes_.empty(), have_gnuplot());
}

TEST_F(Report, WritesWhateverTheRecordHolds) {
  RunRecord empty;
  (void)report(empty, Matrix());
  RunRecord odd = example();
  odd.history = {{1, 0, kNotMeasured, kNotMeasured, kNotMeasured, 0, 0, 0}};
  odd.disagreement = kNotMeasured;
  odd.edges = {{0, 99}, {-1, 2}};
  odd.agent_errors.clear();
  (void)report(odd, Matrix::Zero(3, 2));
  const std::string html = report(odd, Matrix::Ones(3, 1), {.row_names = {}, .image = io::ImageShape{2, 2}});
  EXPECT_THAT(html, HasSubstr("3 rows are not the pixels of an image of 2 x 2."));
}

TEST_F(Report, RefusesInASentence) {
  ReportOptions options;
  options.row_names = {"a"};
  EXPECT_THAT(io::message_of(write_report(folder_, example(), Matrix::Ones(3, 1), options)),
              HasSubstr("1 row names and 0 component names for 3 rows and 1 components"));
  EXPECT_THAT(io::message_of(write_report(folder_ / "none", example(), Matrix::Ones(3, 1))),
              HasSubstr("report.html: cannot be written: No such file or directory"));
}

}  // namespace
}  // namespace ppdnmf::report
