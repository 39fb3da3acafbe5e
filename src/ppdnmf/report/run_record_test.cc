#include <ppdnmf/report/run_record.h>

#include <nlohmann/json.hpp>

#include <ppdnmf/io/test_files.h>

namespace ppdnmf::report {
namespace {

RunRecord recorded_run() {
  RunRecord record;
  record.command = "simulate";
  record.title = "two \"agents\"\xFF";
  record.version = "0.1.0";
  record.seed = 18446744073709551615U;
  record.parameters = {{"rank", "5"},     {"tolerance", "1e-4"}, {"weight", "auto"}, {"offset", "-3"}, {"code", "007"},
                       {"huge", "1e999"}, {"not", "nan"},        {"empty", ""},      {"plus", "+1"}};
  record.relative_error = 0.084;
  record.loss = 2.5;
  record.nmse = 1e-7;
  record.disagreement = 0.001;
  record.iterations = 3;
  record.rounds = 60;
  record.bytes_sent = 12345678901234;
  record.seconds_total = 1.5;
  record.notes = {"a note"};
  record.agents = 2;
  record.edges = {{0, 1}};
  record.columns_per_agent = {3, 4};
  record.agent_errors = {0.1, 0.2};
  record.history = {{1, 20, 0.5, 0.25, 7.5, 0.125, 0.1, 1000},
                    {2, 40, kNotMeasured, 0.1, kNotMeasured, 1e-300, 12.5, 2000}};
  return record;
}

TEST(RunRecord, JsonHasTheStableKeys) {
  const auto json = nlohmann::json::parse(run_json_text(recorded_run()));
  EXPECT_EQ(json["relative_error"], 0.084);
  EXPECT_EQ(json["loss"], 2.5);
  EXPECT_EQ(json["nmse"], 1e-7);
  EXPECT_EQ(json["disagreement"], 0.001);
  EXPECT_TRUE(json["worst_agent_error"].is_null()) << "not measured";
  EXPECT_EQ(json["iterations"], 3);
  EXPECT_EQ(json["rounds"], 60);
  EXPECT_EQ(json["bytes_sent"], 12345678901234);
  EXPECT_EQ(json["seconds"]["total"], 1.5);
  EXPECT_EQ(json["seconds"]["crypto"], 0.0);
  EXPECT_EQ(json["seconds"]["numerics"], 0.0);
  EXPECT_EQ(json["seed"], 18446744073709551615U);
  EXPECT_EQ(json["version"], "0.1.0");
  EXPECT_EQ(json["title"], "two \"agents\"\xEF\xBF\xBD");
  EXPECT_EQ(json["notes"][0], "a note");
  EXPECT_EQ(json["edges"][0], (std::vector<int>{0, 1}));
  EXPECT_EQ(json["columns_per_agent"], (std::vector<int>{3, 4}));
}

TEST(RunRecord, SaysWhatIsKnownOfComponentsAndOfNothingElse) {
  RunRecord record = recorded_run();
  for (const char* key : {"components", "matches", "exposures"})
    EXPECT_FALSE(nlohmann::json::parse(run_json_text(record)).contains(key)) << key;
  record.components = {"SBS1", "2"};
  record.matches = {{"SBS1", 0.75}, {"", kNotMeasured}};
  record.exposures = ExposureRecord{{7, 7.5, 0.97, 0.9}, nmf::ExposureMeasures{14, 13, 0.98, 0.95}, 0.04, 100};
  const auto json = nlohmann::json::parse(run_json_text(record));
  EXPECT_EQ(json["components"], (std::vector<std::string>{"SBS1", "2"}));
  EXPECT_EQ(json["matches"][0], (nlohmann::json{{"component", 1}, {"name", "SBS1"}, {"cosine", 0.75}}));
  EXPECT_TRUE(json["matches"][1]["name"].is_null());
  EXPECT_TRUE(json["matches"][1]["cosine"].is_null());
  EXPECT_EQ(json["exposures"]["active_median"], 7);
  EXPECT_EQ(json["exposures"]["before_pruning"]["cosine_5th_percentile"], 0.95);
  EXPECT_EQ(json["exposures"]["prune"], 0.04);
  EXPECT_EQ(json["exposures"]["intervals"], 100);
}

TEST(RunRecord, WhatIsSharedSaysNothingOfOwnFiles) {
  RunRecord record = recorded_run();
  record.own = OwnView{};
  record.matches = {{"SBS1", 0.75}};
  record.exposures = ExposureRecord{{7, 7.5, 0.97, 0.9}, {}, 0, 0};
  const RunRecord shared = shared_record(record);
  EXPECT_FALSE(shared.exposures);
  EXPECT_TRUE(shared.matches.empty());
}

TEST(RunRecord, ParametersThatAreNumbersAreJsonNumbers) {
  const auto json = nlohmann::json::parse(run_json_text(recorded_run()));
  const auto& parameters = json["parameters"];
  EXPECT_EQ(json["rank"], parameters["rank"]);
  EXPECT_TRUE(parameters["rank"].is_number_unsigned());
  EXPECT_EQ(parameters["tolerance"], 1e-4);
  EXPECT_EQ(parameters["offset"], -3);
  for (const char* text : {"weight", "code", "huge", "not", "empty", "plus"}) {
    EXPECT_TRUE(parameters[text].is_string()) << text;
  }
}

TEST(RunRecord, HistoryHasTheStableColumns) {
  EXPECT_EQ(history_csv_text(recorded_run()),
            "iteration,rounds,nmse,relative_error,loss,disagreement,seconds,bytes\n"
            "1,20,0.5,0.25,7.5,0.125,0.1,1000\n"
            "2,40,nan,0.1,nan,1e-300,12.5,2000\n");
}

class RunRecordFiles : public io::FolderTest {};

TEST_F(RunRecordFiles, AreWritten) {
  ASSERT_TRUE(write_run_json(folder_ / "run.json", recorded_run()));
  ASSERT_TRUE(write_history_csv(folder_ / "history.csv", recorded_run()));
  EXPECT_EQ(io::file_text(folder_ / "run.json"), run_json_text(recorded_run()));
  EXPECT_EQ(io::file_text(folder_ / "history.csv"), history_csv_text(recorded_run()));
  EXPECT_FALSE(write_run_json(folder_ / "none" / "run.json", recorded_run()));
}

}  // namespace
}  // namespace ppdnmf::report
