#include <ppdnmf/experiment/trial.h>

#include <gtest/gtest.h>

#include <cmath>

#include <ppdnmf/experiment/face_data.h>

namespace ppdnmf::experiment {
namespace {

TrialProblem small_problem() {
  TrialProblem problem;
  problem.Z = make_face_data(24, 1);
  problem.columns = {5, 7, 6, 6};
  problem.rank = 4;
  problem.paper = kFacesParameters;
  problem.paper.iterations = 4;
  problem.paper.admm = 3;
  problem.keep_pictures = true;
  return problem;
}

bool keep_going() { return false; }

TEST(Trial, EveryIterationHasAPointAndTheMeasuredOnesAnError) {
  for (const Kind kind : {Kind::kCentralised, Kind::kAsPrinted, Kind::kAsPrintedOnes, Kind::kCorrected}) {
    const auto outcome = run_trial(small_problem(), {kind}, keep_going);
    ASSERT_TRUE(outcome && *outcome);
    const auto& curve = (*outcome)->curve;
    ASSERT_EQ(curve.size(), 4);
    for (std::size_t n = 0; n < curve.size(); ++n) {
      EXPECT_EQ(curve[n].iteration, static_cast<int>(n) + 1);
      EXPECT_EQ(curve[n].rounds, kind == Kind::kCentralised ? 0 : 3 * curve[n].iteration);
      EXPECT_EQ(std::isnan(curve[n].worst_agent_error), !is_measured(curve[n].iteration, 4));
    }
    EXPECT_EQ((*outcome)->basis.cols(), 4);
    EXPECT_EQ((*outcome)->pictures.cols(), 4);
    EXPECT_TRUE((*outcome)->pictures.allFinite());
  }
}

TEST(Trial, MaskedSumsTakeFiftyRoundsWhateverThePaperTakesAndLeaveOneX) {
  const auto outcome = run_trial(small_problem(), {Kind::kSum}, keep_going);
  ASSERT_TRUE(outcome && *outcome);
  const auto& curve = (*outcome)->curve;
  ASSERT_EQ(curve.size(), 50);
  for (std::size_t n = 0; n < curve.size(); ++n) {
    EXPECT_EQ(curve[n].rounds, static_cast<int>(n) + 1);
    EXPECT_EQ(curve[n].disagreement, 0);
    EXPECT_EQ(std::isnan(curve[n].worst_agent_error), !is_measured(curve[n].iteration, 50));
  }
  // Everybody's Y is the best one for that X but for the last sweeps' change.
  EXPECT_NEAR(curve.back().worst_agent_error, curve.back().relative_error, 1e-3 * curve.back().relative_error);
  EXPECT_LT(curve.back().worst_agent_error, curve.front().worst_agent_error);
}

TEST(Trial, ErrorsAreMeasuredWhereTheCurveIsSteep) {
  std::vector<int> measured;
  for (int n = 1; n <= 110; ++n) {
    if (is_measured(n, 110)) measured.push_back(n);
  }
  EXPECT_EQ(measured, (std::vector<int>{1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 110}));
}

TEST(Trial, AStoppedTrialHasNoOutcome) {
  for (const Kind kind : {Kind::kCentralised, Kind::kCorrected}) {
    int asked = 0;
    const auto outcome = run_trial(small_problem(), {kind}, [&] { return ++asked > 2; });
    ASSERT_TRUE(outcome);
    EXPECT_FALSE(outcome->has_value());
  }
}

TEST(Trial, OutcomesSurviveTheirBytesAndDamageIsNoticed) {
  const auto outcome = run_trial(small_problem(), {Kind::kCorrected}, keep_going);
  ASSERT_TRUE(outcome && *outcome);
  const Bytes bytes = encode(**outcome);
  const auto again = decode_trial(bytes);
  ASSERT_TRUE(again);
  EXPECT_EQ(encode(*again), bytes);
  EXPECT_TRUE(again->basis == (*outcome)->basis);
  for (std::size_t size = 0; size < bytes.size(); size += 7)
    EXPECT_FALSE(decode_trial(ByteSpan(bytes).first(size))) << size;
  Bytes enormous = bytes;
  std::fill(enormous.begin(), enormous.begin() + 8, 0xFF);
  EXPECT_FALSE(decode_trial(enormous));
}

TEST(Trial, BadProblemsGetASentence) {
  TrialProblem problem = small_problem();
  problem.rank = 1000;
  for (const Kind kind : {Kind::kCentralised, Kind::kDefaults, Kind::kSum}) {
    const auto outcome = run_trial(problem, {kind}, keep_going);
    ASSERT_FALSE(outcome);
    EXPECT_NE(outcome.error().message.find("rank 1000"), std::string::npos);
  }
}

TEST(FaceData, ImagesAreInRangeRepeatableAndUnlike) {
  const Matrix Z = make_face_data(20, 3);
  EXPECT_EQ(Z.rows(), 361);
  EXPECT_GE(Z.minCoeff(), 0);
  EXPECT_LE(Z.maxCoeff(), 1);
  EXPECT_TRUE(Z == make_face_data(20, 3));
  EXPECT_FALSE(Z == make_face_data(20, 4));
  const Eigen::VectorXd mean = Z.rowwise().mean();
  EXPECT_GT((Z.colwise() - mean).norm(), 0.1 * Z.norm());
  // Upright: the eyes are darker than what is between them.
  const auto pixel = [&](Index row, Index column) { return mean[column * kFaceShape.height + row]; };
  EXPECT_LT(pixel(7, 5), pixel(7, 9));
  EXPECT_LT(pixel(7, 13), pixel(7, 9));
}

}  // namespace
}  // namespace ppdnmf::experiment
