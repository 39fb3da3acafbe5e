#include <ppdnmf/site/outcome.h>

#include <nlohmann/json.hpp>

#include <ppdnmf/io/read_matrix.h>
#include <ppdnmf/io/test_folder.h>
#include <ppdnmf/protocol/privacy_account.h>
#include <ppdnmf/report/report.h>

namespace ppdnmf::site {
namespace {

using std::chrono::minutes;
using ::testing::HasSubstr;

constexpr std::chrono::sys_seconds kThen{std::chrono::sys_days{std::chrono::year{2026} / 11 / 16}};

AgentOutcome example() {
  AgentOutcome o;
  o.version = "0.1.0";
  o.self = AgentId{1};
  o.members = {"hospital-a", "hospital-b", "hospital-c"};
  o.edges = {{0, 1}, {1, 2}, {0, 2}};
  o.settings.rows = 3;
  o.settings.rank = 2;
  o.settings.data_scale = 2;
  o.settings.scheme = protocol::SchemeKind::kHardened;
  o.settings.said.scheme = protocol::SchemeKind::kHardened;
  o.consortium = Digest{1};
  o.run = Digest{2};
  o.X = (Matrix(3, 2) << 1, 2, 3, 4, 5, 6).finished();
  o.Y = (Matrix(2, 4) << 1, 2, 3, 4, 5, 6, 7, 8).finished();
  o.history = {{1, 3, 0.3, 0.31, 4.5, 1.5, 1000}, {2, 6, 0.2, 0.21, 3.5, 2.5, 2000}};
  o.because = "iterations";
  o.seconds = 2.75;
  o.restarts = 1;
  o.peers = {{"hospital-a", 5000, 1500, 1, {}},
             {"hospital-c", 6000, 700, 3, {{kThen, kThen + minutes{4}}, {kThen + minutes{9}, std::nullopt}}}};
  o.warnings = {"hospital-c sent a message twice"};
  return o;
}

class OutcomeFiles : public io::FolderTest {};

TEST_F(OutcomeFiles, AreTheAgentsOwnFactorsAndItsView) {
  const AgentOutcome outcome = example();
  const auto notes = write_outcome(folder_, outcome);
  ASSERT_TRUE(notes) << notes.error().message;
  EXPECT_EQ(io::read_matrix(folder_ / "X.npy")->values, outcome.X);
  EXPECT_EQ(io::read_matrix(folder_ / "Y.npy")->values, outcome.Y);
  EXPECT_EQ(io::file_text(folder_ / "history.csv"),
            "iteration,rounds,nmse,relative_error,loss,disagreement,seconds,bytes,own_error\n"
            "1,3,nan,0.31,18,nan,1.5,1000,0.3\n2,6,nan,0.21,14,nan,2.5,2000,0.2\n");
  const auto json = nlohmann::json::parse(io::file_text(folder_ / "run.json"));
  EXPECT_EQ(json["relative_error"], 0.21);
  EXPECT_EQ(json["loss"], 14) << "in units of the data";
  EXPECT_EQ(json["disagreement"], 0) << "a closed run has one X";
  EXPECT_TRUE(json["nmse"].is_null());
  EXPECT_TRUE(json["seed"].is_null());
  EXPECT_EQ(json["bytes_sent"], 2200);
  EXPECT_EQ(json["own"]["own_error"], 0.2);
  EXPECT_EQ(json["own"]["columns"], 4);
  EXPECT_EQ(json["own"]["peers"][1]["outages"][0]["to"], "2026-11-16T00:04:00Z");
  EXPECT_TRUE(json["own"]["peers"][1]["outages"][1]["to"].is_null());
  const std::string report = io::file_text(folder_ / "report.html");
  for (const char* words : {"hospital-b ended with the factor that all three members have", "2 hospital-c", "4 min 0 s",
                            "hospital-c sent a message twice", "6.0 kB", "the end"})
    EXPECT_THAT(report, HasSubstr(words));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "X.csv"));
}

bool is_for_its_owner_alone(const std::filesystem::path& path) {
  using std::filesystem::perms;
  return (std::filesystem::status(path).permissions() & (perms::group_all | perms::others_all)) == perms::none;
}

// Four columns, errors of 0.31234567 and 0.20987654: none of it may be in a file that others may read.
TEST_F(OutcomeFiles, HaveNoNumberOfItsOwnWhereOthersMayRead) {
  AgentOutcome outcome = example();
  outcome.Y = Matrix::Constant(2, 4321, 0.5);
  outcome.history[0].error = 0.31234567;
  outcome.history[1].error = 0.20987654;
  outcome.warnings = {"row 17 of the own data is zero"};
  ASSERT_TRUE(write_outcome(folder_, outcome));
  std::vector<std::string> shared;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
    if (!entry.is_regular_file() || is_for_its_owner_alone(entry.path())) continue;
    shared.push_back(entry.path().filename().string());
    const std::string text = io::file_text(entry.path());
    for (const char* own : {"4321", "4 321", "4,321", "0.312", "0.2098", "0.21 and", "row 17"}) {
      EXPECT_EQ(text.find(own), std::string::npos) << own << " is in " << entry.path();
    }
  }
  EXPECT_THAT(shared, testing::UnorderedElementsAre("X.npy", "X.npy", "history.csv", "run.json", "report.html"));
  EXPECT_TRUE(is_for_its_owner_alone(folder_ / "run.json"));
  const auto json = nlohmann::json::parse(io::file_text(folder_ / kShared / "run.json"));
  EXPECT_EQ(json["relative_error"], 0.21) << "that all members know";
  EXPECT_EQ(json["own"]["digits"].get<std::string>().size() > 40, true);
  EXPECT_THAT(io::file_text(folder_ / kShared / "report.html"), HasSubstr("hospital-b ended with the factor"));
}

TEST_F(OutcomeFiles, KeepNames) {
  AgentOutcome outcome = example();
  outcome.row_names = {"x", "y", "z"};
  outcome.column_names = {"p", "q", "r", "s"};
  ASSERT_TRUE(write_outcome(folder_, outcome));
  EXPECT_THAT(io::file_text(folder_ / "X.csv"), HasSubstr("y,3,4"));
  EXPECT_THAT(io::file_text(folder_ / "Y.csv"), HasSubstr(",p,q,r,s"));
}

TEST_F(OutcomeFiles, AreNotOverwrittenUnasked) {
  EXPECT_TRUE(check_no_results(folder_, false));
  write("history.csv", "");
  EXPECT_THAT(io::message_of(check_no_results(folder_, false)), HasSubstr("(history.csv)"));
  EXPECT_TRUE(check_no_results(folder_, true));
}

TEST_F(OutcomeFiles, WithoutAFolderNothingIsWritten) {
  write("file", "");
  EXPECT_EQ(write_outcome(folder_ / "file", example()).error().code, ErrorCode::kFile);
}

TEST(OutcomeRecord, SaysWhatAThrowAwayWas) {
  AgentOutcome outcome = example();
  outcome.throw_away_seed = 77;
  const report::RunRecord record = record_of(outcome);
  EXPECT_EQ(record.seed, 77U);
  EXPECT_THAT(report::run_json_text(record), HasSubstr("\"seed\": 77"));
  EXPECT_THAT(record.notes, testing::Contains(HasSubstr("it protected nothing")));
}

TEST(OutcomeRecord, OfAPrivateRunHasTheAccountAndItsOwnErrorOnly) {
  AgentOutcome outcome = example();
  outcome.settings.scheme = protocol::SchemeKind::kSum;
  outcome.settings.said.scheme = protocol::SchemeKind::kSum;
  outcome.settings.said.epsilon = 20;
  outcome.settings.said.assume_honest = 2;
  outcome.settings.iterations = 2;
  const auto privacy =
      protocol::plan_privacy({{20, 1e-6}, nmf::ColumnNorm::kL2, std::nullopt, 500}, outcome.settings, 3);
  ASSERT_TRUE(privacy) << privacy.error().message;
  outcome.settings.privacy = *privacy;
  for (auto& row : outcome.history) row.common = report::kNotMeasured;
  const report::RunRecord record = record_of(outcome);
  EXPECT_TRUE(std::isnan(record.relative_error));
  EXPECT_TRUE(std::isnan(record.common_error));
  EXPECT_EQ(record.own->numbers->error, 0.2);
  EXPECT_THAT(record.notes, testing::Contains(HasSubstr("1e-06)-differentially private")));
  EXPECT_THAT(record.notes, testing::Contains(HasSubstr("and nothing of the others'")));
  EXPECT_THAT(record.own->numbers->notes, testing::Contains(HasSubstr("sent a message twice")));
  EXPECT_THAT(record.parameters, testing::Contains(testing::Pair("epsilon", "20")));
  EXPECT_THAT(record.parameters, testing::Contains(testing::Pair("assume_honest", "2")));
  EXPECT_THAT(
      report::verdict(record),
      HasSubstr(
          "explains its own data with relative error 0.2; the error on everybody's data is not known to anybody"));
}

TEST(OutcomeRecord, ThePrintedAlgorithmLeavesEverybodyItsOwnX) {
  AgentOutcome outcome = example();
  outcome.settings.updates = nmf::Updates::kAsPrinted;
  report::RunRecord record = record_of(outcome);
  EXPECT_FALSE(record.own->common_factor);
  EXPECT_TRUE(std::isnan(record.disagreement));
  EXPECT_THAT(report::verdict(record), HasSubstr("its own factor, as the printed algorithm leaves it"));
  outcome.settings.updates = nmf::Updates::kCorrected;
  outcome.settings.scheme = protocol::SchemeKind::kSum;
  outcome.settings.said.scheme = protocol::SchemeKind::kSum;
  record = record_of(outcome);
  EXPECT_TRUE(record.own->common_factor);
  EXPECT_EQ(record.history.front().disagreement, 0);
}

}  // namespace
}  // namespace ppdnmf::site
