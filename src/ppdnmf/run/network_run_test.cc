#include <ppdnmf/run/network_run.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <utility>

#include <ppdnmf/io/test_folder.h>
#include <ppdnmf/run/checkpoint.h>
#include <ppdnmf/run/outputs.h>

namespace ppdnmf::run {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr Index kRows = 12;
constexpr Index kColumns = 24;

Inputs inputs() {
  Stream stream(Seed::from_number(7), 'R');
  io::Table table;
  table.values.resize(kRows, kColumns);
  for (Index t = 0; t < table.values.size(); ++t) table.values.data()[t] = stream.uniform();
  return made_inputs(std::move(table));
}

NetworkRequest request() {
  NetworkRequest request;
  request.options.settings.rank = 2;
  request.options.settings.iterations = 12;
  request.options.agents = 4;
  request.options.topology = "ring";
  request.caller = {"simulate", "a test", "1"};
  return request;
}

Result<NetworkOutcome> run_it(const NetworkRequest& request, const Hooks& hooks = {}) {
  const Inputs data = inputs();
  PPDNMF_TRY(const NetworkPlan plan, make_plan(request.options, data));
  SerialExecutor executor;
  return run_network(request, plan, data, executor, hooks);
}

class NetworkRun : public io::FolderTest {};

TEST_F(NetworkRun, TheRecordHasHistoryNotesAndEveryAgentsError) {
  const auto outcome = run_it(request());
  ASSERT_TRUE(outcome) << outcome.error().message;
  const report::RunRecord& record = outcome->record;
  EXPECT_EQ(record.command, "simulate");
  EXPECT_EQ(record.title, "a test");
  EXPECT_EQ(record.version, "1");
  EXPECT_EQ(record.history.size(), 12U);
  EXPECT_EQ(record.stopped_because, "iterations");
  EXPECT_EQ(record.agent_errors.size(), 4U);
  EXPECT_THAT(record.notes, Contains(HasSubstr("totals over all agents")));
  EXPECT_EQ(outcome->factors.agents.size(), 4U);
  EXPECT_EQ(outcome->factors.X.rows(), kRows);
  EXPECT_EQ(outcome->factors.Y.cols(), kColumns);
  EXPECT_GT(record.seconds_crypto, 0);  // masks
  EXPECT_NEAR(record.seconds_crypto + record.seconds_numerics, record.seconds_total, 1e-12);
}

TEST_F(NetworkRun, APrivateRunHasItsAccountWhoeverStartsIt) {
  NetworkRequest wanted = request();
  wanted.options.settings.iterations.reset();
  wanted.options.settings.epsilon = 4;
  wanted.options.settings.delta = 1e-6;
  wanted.options.settings.normalise = nmf::ColumnNorm::kL2;
  wanted.caller.command = "DistributedNMF";
  const auto outcome = run_it(wanted);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_THAT(outcome->record.notes, Contains(HasSubstr("follows from its seed")));
  EXPECT_THAT(outcome->record.notes, Contains(HasSubstr("epsilon")));
}

TEST_F(NetworkRun, HooksSeeEveryIterationAndTheRecordBeforeTheFirst) {
  std::vector<int> iterations;
  bool ready = false;
  std::uint64_t last_done = 0;
  Hooks hooks;
  hooks.ready = [&](const report::RunRecord& record) -> Status {
    EXPECT_TRUE(iterations.empty());
    EXPECT_TRUE(record.history.empty());
    EXPECT_FALSE(record.parameters.empty());
    ready = true;
    return {};
  };
  hooks.iteration = [&](const report::HistoryRow& row) { iterations.push_back(row.iteration); };
  hooks.advance = [&](std::uint64_t done, std::uint64_t planned, double) {
    EXPECT_GE(done, last_done);
    EXPECT_EQ(planned, 12U);
    last_done = done;
  };
  const auto outcome = run_it(request(), hooks);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_TRUE(ready);
  EXPECT_EQ(iterations.size(), 12U);
  EXPECT_EQ(iterations.back(), 12);
  EXPECT_GE(last_done, 11U);
}

TEST_F(NetworkRun, WhatFailsBeforeTheRunEndsIt) {
  Hooks hooks;
  hooks.ready = [](const report::RunRecord&) -> Status { return error(ErrorCode::kFile, "no room"); };
  hooks.iteration = [](const report::HistoryRow&) { ADD_FAILURE(); };
  const auto outcome = run_it(request(), hooks);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "no room");
}

// Ends or pauses after the third iteration.
Hooks after_three(Wish wish) {
  const auto seen = std::make_shared<int>(0);
  Hooks hooks;
  hooks.iteration = [seen](const report::HistoryRow&) { ++*seen; };
  hooks.wish = [seen, wish] { return *seen >= 3 ? wish : Wish::kGoOn; };
  return hooks;
}

TEST_F(NetworkRun, AWishToEndGivesTheResultSoFar) {
  const auto outcome = run_it(request(), after_three(Wish::kEnd));
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->record.stopped_because, "request");
  EXPECT_GE(outcome->record.iterations, 3);
  EXPECT_LT(outcome->record.iterations, 12);
}

TEST_F(NetworkRun, TimeEndsARun) {
  NetworkRequest wanted = request();
  wanted.options.settings.max_seconds = 1e-9;
  const auto outcome = run_it(wanted);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_LT(outcome->record.iterations, 12);
}

TEST_F(NetworkRun, APauseWithoutAPlaceLeavesNothing) {
  const auto outcome = run_it(request(), after_three(Wish::kPause));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kInterrupted);
  EXPECT_EQ(outcome.error().message, "interrupted");
}

TEST_F(NetworkRun, APausedRunGoesOnToTheSameBytes) {
  const auto whole = run_it(request());
  ASSERT_TRUE(whole) << whole.error().message;
  Hooks hooks = after_three(Wish::kPause);
  hooks.checkpoint.folder = folder_;
  const auto paused = run_it(request(), hooks);
  ASSERT_FALSE(paused);
  EXPECT_EQ(paused.error().code, ErrorCode::kInterrupted);
  EXPECT_THAT(paused.error().message, HasSubstr("checkpoint.bin"));

  Hooks again;
  again.checkpoint = {folder_, true};
  const auto resumed = run_it(request(), again);
  ASSERT_TRUE(resumed) << resumed.error().message;
  EXPECT_EQ(resumed->factors.X, whole->factors.X);
  EXPECT_EQ(resumed->factors.Y, whole->factors.Y);
  EXPECT_EQ(resumed->record.history.size(), whole->record.history.size());

  NetworkRequest other = request();
  other.options.seed = 2;
  const auto refused = run_it(other, again);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
}

TEST_F(NetworkRun, ResultsTakeTheCheckpointsPlace) {
  auto outcome = run_it(request());
  ASSERT_TRUE(outcome) << outcome.error().message;
  ASSERT_TRUE(write_checkpoint(folder_, Digest{}, {}));
  const NetworkFactors& factors = outcome->factors;
  ASSERT_TRUE(write_results(folder_, inputs().table, {}, outcome->record, factors));
  for (const char* name : {"X.npy", "Y.npy", "agents/3/Y.npy", "history.csv", "run.json", "report.html"})
    EXPECT_TRUE(std::filesystem::exists(folder_ / name)) << name;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "checkpoint.bin"));
}

}  // namespace
}  // namespace ppdnmf::run
