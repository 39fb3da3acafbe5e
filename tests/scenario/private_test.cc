// Whole private runs: one X for all, the same bytes whatever the network does, and nothing opened that is not accounted
// for (docs/privacy.md).
#include <map>
#include <set>

#include "tests/scenario/private_problem.h"

namespace ppdnmf::scenario {
namespace {

TEST(Private, AllEndWithOneXWhateverTheGraph) {
  const Problem problem = private_problem(1, "line", 6);
  const sim::Simulation line = run(problem);
  expect_one_X(line);
  EXPECT_EQ(line.history().size(), 8U);
  EXPECT_EQ(line.stopped_because(), "iterations");
  Problem star = problem;
  star.graph = topology("star", 6, 1);
  protocol::complete(star.config.settings, star.graph);
  expect_same_bytes(line, run(star));
  Problem other = problem;
  other.config.seed = 2;  // and so another noise
  other.config.X0 = Matrix::Ones(7, 3);
  Problem first = problem;
  first.config.X0 = Matrix::Ones(7, 3);
  EXPECT_FALSE(run(masked(other)).agent(0).X() == run(first).agent(0).X());
}

TEST(Private, FaultsAndCrashesChangeNothing) {
  std::uint64_t crashes = 0;
  const std::uint64_t seeds = kSanitized ? 5 : 40;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem problem =
        private_problem(seed, seed % 2 == 0 ? "ring" : "random:3", 3 + static_cast<std::uint32_t>(seed % 4), 4);
    const sim::Simulation calm = run(problem);
    problem.config.faults = {0.2, 0.2, 4, 0.1};
    problem.config.fault_seed = seed;
    const sim::Simulation rough = run(problem);
    crashes += rough.crashes();
    expect_same_bytes(calm, rough);
  }
  EXPECT_GT(crashes, seeds);
}

TEST(Private, ASavedRunGoesOnToTheSameBytes) {
  const Problem problem = private_problem(3, "ring", 4);
  const sim::Simulation straight = run(problem);
  for (const int units : {1, 5, 12, 20, 40}) expect_same_bytes(straight, paused_after(problem, units));
}

// The length of every total that anybody was told, by the number of its sum.
class Totals final : public sim::Recorder {
 public:
  void sent(std::uint64_t /*now*/, AgentId /*from*/, AgentId /*to*/, const protocol::Message& message) override {
    if (const auto* total = std::get_if<protocol::Total>(&message.body))
      words[total->number].insert(total->payload.size() / 16);
  }
  void received(std::uint64_t /*now*/, AgentId /*from*/, AgentId /*to*/,
                const protocol::Message& /*message*/) override {}

  std::map<std::uint32_t, std::set<std::size_t>> words;
};

TEST(Private, NothingIsOpenedButWhatCarriesNoise) {
  Problem problem = private_problem(5, "ring", 4);
  Totals totals;
  problem.config.recorder = &totals;
  (void)run(problem);
  constexpr std::size_t kEntries = 7 * 3 + 6;
  ASSERT_EQ(totals.words.size(), 3U + 8U);  // three empty ones, eight rounds
  for (std::uint32_t n = 0; n < 3; ++n) EXPECT_EQ(totals.words[n], std::set<std::size_t>{0});
  for (std::uint32_t n = 3; n < 11; ++n) EXPECT_EQ(totals.words[n], std::set<std::size_t>{kEntries});
}

TEST(Private, EndingEarlyIsOneMoreRoundAtMost) { expect_end_soon_after(3, private_problem(6, "ring", 4)); }

TEST(Private, MuchNoiseIsWorseThanLittle) {
  double much = 0;
  double little = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    much += run(private_problem(seed, "ring", 8, 20, 10)).history().back().relative_error;
    little += run(private_problem(seed, "ring", 8, 20, 100)).history().back().relative_error;
  }
  EXPECT_LT(little, much);
}

TEST(Private, WithoutMasksItIsRefused) {
  Problem problem = private_problem(7, "ring", 4);
  problem.config.make_sum_secrets = nullptr;
  sim::SimulationConfig config = problem.config;
  const auto refused = sim::Simulation::create(std::move(config), problem.graph, problem.Z);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("needs its masks"), std::string::npos);
}

}  // namespace
}  // namespace ppdnmf::scenario
