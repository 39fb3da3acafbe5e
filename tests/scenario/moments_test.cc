// Whole runs of the scheme moments: one X for all, the same bytes whatever the network does, and nothing opened but
// what is accounted for (docs/privacy.md).
#include "tests/scenario/private_problem.h"
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/nmf/second_moments.h>
#include <ppdnmf/protocol/noise_share.h>

namespace ppdnmf::scenario {
namespace {

constexpr std::uint32_t kFirstSum = protocol::kOpeningSums;

constexpr std::optional<int> kKinds[] = {std::nullopt, 0, 3};

TEST(MomentsRun, AllEndWithOneXWhateverTheGraphAndTheThreads) {
  for (const std::optional<int> rounds : kKinds) {
    const Problem problem = moments_problem(1, "line", 6, rounds);
    const sim::Simulation line = run(problem);
    expect_one_X(line);
    EXPECT_EQ(line.history().size(), 1U + static_cast<std::size_t>(rounds.value_or(0)));
    EXPECT_EQ(line.stopped_because(), "iterations");
    Problem star = problem;
    star.graph = topology("star", 6, 1);
    protocol::complete(star.config.settings, star.graph);
    expect_same_bytes(line, run(star));
    host::ThreadPool pool(3);
    Problem threads = problem;
    threads.config.executor = &pool;
    sim::Simulation parallel = make(threads);
    const auto finished = parallel.run(pool, nullptr, go_on);
    ASSERT_TRUE(finished && *finished);
    expect_same_bytes(line, parallel);
    if (rounds) continue;
    Problem plain = problem;
    plain.config.make_sum_secrets = nullptr;
    expect_same_bytes(line, run(plain));
  }
}

TEST(MomentsRun, FaultsAndCrashesChangeNothing) {
  std::uint64_t crashes = 0;
  const std::uint64_t seeds = kSanitized ? 3 : 15;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem problem = moments_problem(seed, seed % 2 == 0 ? "ring" : "random:3",
                                      3 + static_cast<std::uint32_t>(seed % 4), kKinds[seed % 3]);
    const sim::Simulation calm = run(problem);
    problem.config.faults = {0.2, 0.2, 4, 0.1};
    problem.config.fault_seed = seed;
    const sim::Simulation rough = run(problem);
    crashes += rough.crashes();
    expect_same_bytes(calm, rough);
  }
  EXPECT_GT(crashes, seeds);
}

TEST(MomentsRun, ASavedRunGoesOnToTheSameBytes) {
  for (const std::optional<int> rounds : kKinds) {
    const Problem problem = moments_problem(3, "ring", 4, rounds);
    const sim::Simulation straight = run(problem);
    for (const int units : {1, 8, 13, 17, 21}) expect_same_bytes(straight, paused_after(problem, units));
  }
}

TEST(MomentsRun, NothingIsOpenedButWhatCarriesNoise) {
  Problem problem = moments_problem(5, "ring", 4, 3);
  Told told;
  problem.config.recorder = &told;
  (void)run(problem);
  ASSERT_EQ(told.totals.size(), 3U + 1U + 3U);  // three empty ones, the opening, three rounds
  for (std::uint32_t n = 0; n < 3; ++n) EXPECT_EQ(told.totals[n].size(), 0U);
  EXPECT_EQ(told.totals[3].size(), 7U * 8U / 2U);
  for (std::uint32_t n = 4; n < 7; ++n) EXPECT_EQ(told.totals[n].size(), 3U * 3U + 6U);
}

TEST(MomentsRun, EndingEarlyIsOneMoreRoundAtMost) { expect_end_soon_after(2, moments_problem(6, "ring", 4, 6)); }

// In whole masked runs: one column more moves what is opened by that column's part, to the bit.
TEST(MomentsRun, OneMoreColumnMovesTheOpeningByItsPartAndNothingElse) {
  Problem without = moments_problem(7, "ring", 4, 0);
  Problem with = without;
  Matrix& Z = with.Z[1];
  const Matrix column = without.Z[2].col(0).reverse();
  Z.conservativeResize(Eigen::NoChange, Z.cols() + 1);
  Z.rightCols(1) = column;
  Told before;
  Told after;
  without.config.recorder = &before;
  with.config.recorder = &after;
  (void)run(without);
  (void)run(with);
  const auto holder = nmf::unit_holder(column, nmf::ColumnNorm::kL2);
  holder->begin(3, 1);
  const int bits = without.config.settings.privacy->opening->bits;
  std::vector<double> part = holder->rounded_second_moments(bits).values;
  for (double& value : part) value = std::ldexp(value, -2 * bits);
  const protocol::Words words = *protocol::to_words(part, 4);
  for (std::size_t t = 0; t < words.size(); ++t)
    ASSERT_TRUE(after.totals[kFirstSum][t] - before.totals[kFirstSum][t] == words[t]) << t;
}

TEST(MomentsRun, ExactMomentsAreWhatOneMachineWouldTake) {
  const Problem problem = moments_problem(8, "ring", 4, std::nullopt);
  Told told;
  Problem watched = problem;
  watched.config.recorder = &told;
  const sim::Simulation done = run(watched);
  Matrix G = Matrix::Zero(7, 7);
  for (const Matrix& Z : problem.Z) G += Z * Z.transpose();
  const double scale = *done.agent(0).data_scale();
  const std::vector<double> opened = protocol::from_words(told.totals[kFirstSum]);
  std::size_t t = 0;
  for (Index k = 0; k < 7; ++k) {
    for (Index j = 0; j <= k; ++j, ++t) EXPECT_NEAR(opened[t] * scale * scale, G(j, k), 1e-12 * G.trace());
  }
  Problem sums = small_problem(8, "ring", 4, 7, 3);
  sums.config.settings.scheme = protocol::SchemeKind::kSum;
  sums.config.settings.iterations = 50;
  sums.config.settings.data_scale.reset();
  protocol::complete(sums.config.settings, sums.graph);
  EXPECT_LT(done.history().back().relative_error, 2 * run(sums).history().back().relative_error + 0.1);
}

}  // namespace
}  // namespace ppdnmf::scenario
