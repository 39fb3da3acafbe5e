#include <ppdnmf/run/factorize_run.h>

#include <gtest/gtest.h>

#include <string>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/io/test_folder.h>

namespace ppdnmf::run {
namespace {

Matrix matrix() {
  Stream stream(Seed::from_number(9), 'R');
  Matrix Z(10, 15);
  for (Index t = 0; t < Z.size(); ++t) Z.data()[t] = stream.uniform();
  return Z;
}

FactorizeRequest request(nmf::Solver solver = nmf::Solver::kFast) {
  FactorizeRequest request;
  request.solver.rank = 2;
  request.solver.iterations = 20;
  request.solver.tolerance = 0;
  request.solver.solver = solver;
  request.caller = {"NMF", "a test", "1"};
  return request;
}

std::string parameter(const report::RunRecord& record, const std::string& wanted) {
  for (const auto& [name, value] : record.parameters) {
    if (name == wanted) return value;
  }
  return "(none)";
}

class FactorizeRun : public io::FolderTest {};

TEST_F(FactorizeRun, TheRecordSaysWhatWasAskedForAndWhatCameOfIt) {
  FactorizeRequest wanted = request(nmf::Solver::kAdmm);
  wanted.notes = {"a note"};
  const auto outcome = run_factorization(wanted, data::own(matrix()), serial_executor(), {});
  ASSERT_TRUE(outcome) << outcome.error().message;
  const report::RunRecord& record = outcome->record;
  EXPECT_EQ(record.command, "NMF");
  EXPECT_EQ(parameter(record, "solver"), "admm");
  EXPECT_EQ(parameter(record, "start"), "random");
  EXPECT_EQ(parameter(record, "mu"), "auto");
  EXPECT_EQ(record.notes, wanted.notes);
  EXPECT_EQ(record.history.size(), 20U);
  EXPECT_EQ(record.relative_error, record.history.back().relative_error);
}

TEST_F(FactorizeRun, AGivenStartIsCalledCustom) {
  FactorizeRequest wanted = request();
  wanted.solver.X0 = Matrix::Ones(10, 2);
  const auto outcome = run_factorization(wanted, data::own(matrix()), serial_executor(), {});
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(parameter(outcome->record, "start"), "custom");
}

TEST_F(FactorizeRun, APausedRunGoesOnToTheSameBytes) {
  const auto whole = run_factorization(request(), data::own(matrix()), serial_executor(), {});
  ASSERT_TRUE(whole) << whole.error().message;
  int seen = 0;
  Hooks hooks;
  hooks.checkpoint.folder = folder_;
  hooks.iteration = [&](const report::HistoryRow&) { ++seen; };
  hooks.wish = [&] { return seen >= 7 ? Wish::kPause : Wish::kGoOn; };
  const auto paused = run_factorization(request(), data::own(matrix()), serial_executor(), hooks);
  ASSERT_FALSE(paused);
  EXPECT_EQ(paused.error().code, ErrorCode::kInterrupted);

  Hooks again;
  again.checkpoint = {folder_, true};
  const auto resumed = run_factorization(request(), data::own(matrix()), serial_executor(), again);
  ASSERT_TRUE(resumed) << resumed.error().message;
  EXPECT_EQ(resumed->X, whole->X);
  EXPECT_EQ(resumed->Y, whole->Y);
  EXPECT_EQ(resumed->record.history.size(), 20U);
  EXPECT_EQ(resumed->record.history[3].relative_error, whole->record.history[3].relative_error);
}

TEST_F(FactorizeRun, AWishToEndGivesTheResultSoFarButNotBeforeThereIsOne) {
  Hooks hooks;
  hooks.wish = [] { return Wish::kEnd; };
  const auto outcome = run_factorization(request(), data::own(matrix()), serial_executor(), hooks);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->record.stopped_because, "request");
  EXPECT_EQ(outcome->record.iterations, 1);
}

TEST_F(FactorizeRun, OptionsThatASolverHasNoUseForAreRefused) {
  SolverOptions solver;
  solver.given_for_admm = {"mu"};
  EXPECT_FALSE(make_factorize_options({}, solver));
  solver = {"admm", 3, {}};
  EXPECT_FALSE(make_factorize_options({}, solver));
  solver.starts.reset();
  EXPECT_TRUE(make_factorize_options({}, solver));
  protocol::Settings wrong;
  wrong.iterations = 0;
  const auto refused = make_factorize_options(wrong, solver);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("`iterations` must be"), std::string::npos) << refused.error().message;
}

}  // namespace
}  // namespace ppdnmf::run
