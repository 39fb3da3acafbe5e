#include <ppdnmf/launch/run_view.h>

#include <gtest/gtest.h>

#include <cmath>

namespace ppdnmf::launch {
namespace {

site::ProgressLine line(std::int64_t iterations, double error, double common, std::int64_t rounds,
                        std::uint64_t bytes) {
  site::ProgressLine out;
  out.phase = site::AgentPhase::kIterating;
  out.iterations = iterations;
  out.error = error;
  out.common = common;
  out.rounds = rounds;
  out.bytes = bytes;
  return out;
}

TEST(RunView, ARowIsCompleteWhenEverybodyHasReportedIt) {
  RunView view({9, 16});
  EXPECT_FALSE(view.take(0, line(1, 1, 0.9, 3, 10), 1));
  EXPECT_FALSE(view.take(0, line(2, 0.5, 0.4, 6, 20), 2));
  EXPECT_EQ(view.rounds(), 0U);
  EXPECT_TRUE(view.take(1, line(1, 0.5, 0.9, 3, 100), 3));
  ASSERT_EQ(view.history().size(), 1U);
  const report::HistoryRow& row = view.history()[0];
  EXPECT_EQ(row.iteration, 1);
  EXPECT_EQ(row.rounds, 3);
  EXPECT_EQ(row.seconds, 3);
  EXPECT_EQ(row.bytes, 110U);
  EXPECT_DOUBLE_EQ(row.nmse, 0.75);
  EXPECT_DOUBLE_EQ(row.relative_error, std::sqrt((9 * 1 + 16 * 0.25) / 25));
  EXPECT_DOUBLE_EQ(row.loss, (9 * 1 + 16 * 0.25) / 2);
  EXPECT_TRUE(std::isnan(row.disagreement));
  EXPECT_EQ(view.common_error(), 0.9);
  EXPECT_EQ(view.rounds(), 3U);
  EXPECT_TRUE(view.take(1, line(2, 0.5, 0.4, 6, 200), 4));
  EXPECT_EQ(view.bytes(), 220U);
}

TEST(RunView, TheSameIterationSaidAgainCountsOnce) {
  RunView view({1});
  EXPECT_TRUE(view.take(0, line(1, 1, 1, 3, 10), 1));
  site::ProgressLine again = line(1, 1, 1, 3, 12);
  again.waiting_for = {"agent-1"};
  EXPECT_FALSE(view.take(0, again, 2));
  EXPECT_EQ(view.history().size(), 1U);
  EXPECT_EQ(view.bytes(), 12U);
}

TEST(RunView, ErrorsAfterClosingReplaceTheLastOnes) {
  RunView view({1, 1});
  for (const std::size_t agent : {0U, 1U}) view.take(agent, line(1, 0.5, 0.5, 3, 10), 1);
  site::ProgressLine closing = line(1, 0.1, 0.2, 3, 15);
  closing.closing = true;
  closing.because = "neighbour";
  EXPECT_FALSE(view.take(0, closing, 2));
  EXPECT_EQ(view.because(), "neighbour");
  EXPECT_EQ(view.history().back().relative_error, 0.5);
  closing.because = "tolerance";
  EXPECT_FALSE(view.take(1, closing, 2));
  EXPECT_DOUBLE_EQ(view.history().back().relative_error, 0.1);
  EXPECT_EQ(view.history().back().seconds, 1);
  EXPECT_EQ(view.common_error(), 0.2);
  EXPECT_EQ(view.because(), "tolerance");
}

}  // namespace
}  // namespace ppdnmf::launch
