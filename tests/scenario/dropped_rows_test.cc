// Whole runs with `crowd=drop`: rows that few columns of some agent have go for all agents, in every scheme; what is
// opened for it is one bit for each row.
#include <gmock/gmock.h>

#include <map>

#include "tests/scenario/harness.h"
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::scenario {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Index kRows = 8;
constexpr std::uint32_t kRowsSum = 1;  // behind the columns

// Three columns of agent 1 have row 2, and of agents 1 and 3 a few have row 5; both at no other agent.
std::vector<Matrix> data_with_rare_rows(std::uint64_t seed) {
  std::vector<Matrix> Z = make_data(seed, {30, 25, 28, 40}, kRows, 3);
  for (Matrix& own : Z) {
    own = own.array().cwiseMin(3) + 1;  // so that none is too large
    own.row(2).setZero();
    own.row(5).setZero();
  }
  for (const Index m : {0, 7, 20}) Z[1](2, m) = 2;
  for (const Index m : {3, 4}) Z[1](5, m) = Z[3](5, m) = 1;
  return Z;
}

Problem drop_problem(std::uint64_t seed, const std::string& graph, protocol::SchemeKind scheme,
                     nmf::LossKind loss = nmf::LossKind::kSquares) {
  Problem problem = small_problem(seed, graph, 4, kRows, 3);
  problem.Z = data_with_rare_rows(seed);
  protocol::RunSettings& s = problem.config.settings;
  s.scheme = scheme;
  s.loss = loss;
  s.crowd = protocol::CrowdKind::kDrop;
  s.iterations = scheme == protocol::SchemeKind::kMoments ? 1 : 10;
  s.data_scale.reset();
  protocol::complete(s, problem.graph);
  set_cipher(problem);
  return masked(std::move(problem));
}

std::vector<Problem> one_of_each_kind(std::uint64_t seed, const std::string& graph) {
  std::vector<Problem> out;
  for (const auto scheme :
       {protocol::SchemeKind::kSum, protocol::SchemeKind::kMoments, protocol::SchemeKind::kHardened})
    out.push_back(drop_problem(seed, graph, scheme));
  out.push_back(drop_problem(seed, graph, protocol::SchemeKind::kSum, nmf::LossKind::kPoisson));
  out.push_back(drop_problem(seed, graph, protocol::SchemeKind::kSum));
  out.back().config.settings.starts = 3;
  return out;
}

// The sum of the rows beside the other early ones, and in a search for the number of components.
std::vector<Problem> beside_other_sums(std::uint64_t seed, const std::string& graph) {
  std::vector<Problem> out(3, drop_problem(seed, graph, protocol::SchemeKind::kSum));
  out[0].config.settings.cap = 0.7;
  out[1].config.settings.cap = 0.7;
  out[1].config.settings.missing = true;
  protocol::RunSettings& s = out[2].config.settings;
  s.least_rank = 1;
  s.starts = 3;
  // A search asks for a larger crowd: every column twice.
  for (Matrix& own : out[2].Z) own = own.replicate(1, 2).eval();
  return out;
}

std::vector<Problem> all_kinds(std::uint64_t seed, const std::string& graph) {
  std::vector<Problem> out = one_of_each_kind(seed, graph);
  for (Problem& problem : beside_other_sums(seed, graph)) out.push_back(std::move(problem));
  return out;
}

void expect_same_factors(const sim::Simulation& a, const sim::Simulation& b) {
  for (std::size_t i = 0; i < a.agents(); ++i) {
    EXPECT_TRUE(a.agent(i).X() == b.agent(i).X()) << "X of agent " << i;
    EXPECT_TRUE(a.agent(i).Y() == b.agent(i).Y()) << "Y of agent " << i;
  }
}

TEST(DroppedRows, AreZeroInEverybodysXWhateverTheScheme) {
  for (const Problem& problem : all_kinds(1, "ring")) {
    const sim::Simulation all = run(problem);
    for (std::size_t i = 0; i < all.agents(); ++i) {
      EXPECT_THAT(all.agent(i).dropped_rows(), ElementsAre(2, 5));
      EXPECT_EQ(all.agent(i).X().row(2).maxCoeff(), 0);
      EXPECT_EQ(all.agent(i).X().row(5).maxCoeff(), 0);
      EXPECT_GT(all.agent(i).X().row(3).maxCoeff(), 0);
    }
  }
}

TEST(DroppedRows, NothingOfWhatTheyHeldEntersTheResult) {
  for (const Problem& problem : one_of_each_kind(2, "ring")) {
    Problem other = problem;
    for (const Index m : {0, 7, 20}) other.Z[1](2, m) = 100 + static_cast<double>(m);
    other.Z[0](5, 12) = 4;
    expect_same_factors(run(problem), run(other));
  }
}

TEST(DroppedRows, GraphsThreadsAndCrashesChangeNothing) {
  for (const std::uint64_t seed : {3U, 4U}) {
    for (Problem problem : all_kinds(seed, "line")) {
      SCOPED_TRACE(::testing::Message() << "scheme " << static_cast<int>(problem.config.settings.scheme) << ", loss "
                                        << static_cast<int>(problem.config.settings.loss) << ", starts "
                                        << problem.config.settings.starts << ", seed " << seed);
      const sim::Simulation calm = run(problem);
      host::ThreadPool pool(2);
      sim::Simulation parallel = make(problem);
      ASSERT_TRUE(parallel.run(pool, nullptr, go_on));
      expect_same_factors(calm, parallel);
      if (protocol::sums_only(problem.config.settings.scheme)) {
        Problem star = problem;
        star.graph = topology("star", 4, 1);
        protocol::complete(star.config.settings, star.graph);
        expect_same_factors(calm, run(star));
      }
      problem.config.faults = {0.2, 0.2, 3, 0.15};
      problem.config.fault_seed = seed;
      const sim::Simulation disturbed = run(problem);
      EXPECT_GT(disturbed.crashes(), 0U);
      expect_same_factors(calm, disturbed);
    }
  }
}

// Row 2 is one agent's wish and row 5 that of two. If the words were counts, or one number for all, they would tell.
TEST(DroppedRows, OneBitForEachRowIsOpenedAndNotHowManyWantIt) {
  std::vector<protocol::Word> seen;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U}) {
    Problem problem = drop_problem(seed, "ring", protocol::SchemeKind::kSum);
    Told told;
    problem.config.recorder = &told;
    (void)run(problem);
    const protocol::Words& words = told.totals.at(kRowsSum);
    ASSERT_EQ(words.size(), static_cast<std::size_t>(kRows));
    for (std::size_t l = 0; l < words.size(); ++l) {
      EXPECT_EQ(words[l] != 0, l == 2 || l == 5) << l;
      if (words[l] != 0) seen.push_back(words[l]);
    }
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end()) << "no two words are alike";
  int high = 0;  // bits that are random are set about half of the time, in the upper half and in the lower one
  int low = 0;
  for (const protocol::Word word : seen) {
    high += static_cast<int>(word >> 127);
    low += static_cast<int>(word & 1);
  }
  EXPECT_GT(high, 0);
  EXPECT_LT(high, 16);
  EXPECT_GT(low, 0);
  EXPECT_LT(low, 16);
}

TEST(DroppedRows, ARunInWhichTooLittleIsLeftEndsWithASentence) {
  Problem problem = drop_problem(1, "ring", protocol::SchemeKind::kSum);
  for (Index l = 0; l < kRows; ++l) {
    problem.Z[2].row(l).setZero();
    problem.Z[2](l, l) = 1;
  }
  sim::Simulation simulation = make(problem);
  SerialExecutor serial;
  const auto ended = simulation.run(serial, nullptr, go_on);
  ASSERT_FALSE(ended);
  EXPECT_THAT(ended.error().message, HasSubstr("8 of 8 rows were to be dropped for all, and too little"));
}

TEST(DroppedRows, RunsInWhichNoneGoesDoWhatBlankDoes) {
  Problem dropping = drop_problem(1, "ring", protocol::SchemeKind::kSum);
  for (Matrix& own : dropping.Z) own.array() += 1;
  dropping.Z[0].col(3) *= 6;  // too large, and lowered
  Problem blanking = dropping;
  blanking.config.settings.crowd = protocol::CrowdKind::kBlank;
  const sim::Simulation dropped = run(dropping);
  EXPECT_TRUE(dropped.agent(0).dropped_rows().empty());
  const sim::Simulation blanked = run(blanking);
  expect_same_factors(dropped, blanked);
  dropping.config.faults = {0.2, 0.2, 3, 0.15};
  const sim::Simulation disturbed = run(dropping);
  EXPECT_GT(disturbed.crashes(), 0U);
  expect_same_factors(disturbed, blanked);
}

TEST(DroppedRows, ASimulationThatWasSavedKnowsThem) {
  const Problem problem = drop_problem(5, "ring", protocol::SchemeKind::kSum);
  const sim::Simulation whole = run(problem);
  sim::Simulation first = make(problem);
  SerialExecutor serial;
  int units = 25;
  const auto paused = first.run(
      serial, nullptr, [&] { return --units > 0 ? sim::Simulation::Wish::kGoOn : sim::Simulation::Wish::kPause; });
  ASSERT_TRUE(paused && !*paused);
  sim::Simulation second = make(problem);
  ASSERT_TRUE(second.load(first.save()));
  ASSERT_TRUE(second.run(serial, nullptr, go_on));
  EXPECT_THAT(second.agent(3).dropped_rows(), ElementsAre(2, 5));
  expect_same(whole, second);
}

}  // namespace
}  // namespace ppdnmf::scenario
