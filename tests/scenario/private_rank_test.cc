// Private runs that look for the number of components in the one opening of second moments: it costs nothing, and
// everybody comes to the same.
#include <map>

#include "tests/scenario/private_problem.h"
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/nmf/resample.h>

namespace ppdnmf::scenario {
namespace {

constexpr std::uint32_t kAgents = 4;
constexpr Index kRows = 16;
constexpr Index kReal = 3;

std::vector<Matrix> made_counts(std::uint64_t seed, Index columns) {
  Stream stream(Seed::from_number(seed), 'c');
  Matrix X = Matrix::Constant(kRows, kReal, 0.02);
  for (Index k = 0; k < kReal; ++k) {
    for (Index l = 5 * k; l < 5 * k + 5; ++l) X(l, k) += stream.exponential();
  }
  std::vector<Matrix> Z;
  for (std::uint32_t i = 0; i < kAgents; ++i) {
    Matrix& own = Z.emplace_back(kRows, columns);
    for (Index m = 0; m < columns; ++m) {
      Eigen::VectorXd mean = Eigen::VectorXd::Zero(kRows);
      for (Index k = 0; k < kReal; ++k) mean += 60 * std::pow(stream.uniform(), 3) * X.col(k);
      for (Index l = 0; l < kRows; ++l) own(l, m) = nmf::draw_poisson(mean[l], stream);
      if (own.col(m).sum() == 0) own(0, m) = 1;
    }
  }
  return Z;
}

protocol::Settings said(Index least, Index most, double epsilon, int columns, int span_rounds) {
  protocol::Settings s;
  s.scheme = protocol::SchemeKind::kMoments;
  s.least_rank = least;
  s.rank = most;
  s.starts = 3;
  s.iterations = 1 + span_rounds;
  s.epsilon = epsilon;
  s.delta = 1e-6;
  s.normalise = nmf::ColumnNorm::kL2;
  s.columns = columns;
  return s;
}

Problem problem_of(std::uint64_t seed, const std::string& graph, const protocol::Settings& settings, Index columns) {
  Problem problem{topology(graph, kAgents, seed), made_counts(seed, columns), {}};
  auto complete = protocol::make_run_settings(settings, kRows, problem.graph);
  EXPECT_TRUE(complete) << complete.error().message;
  problem.config.settings = *std::move(complete);
  problem.config.seed = seed;
  return masked(std::move(problem));
}

Problem search_problem(std::uint64_t seed, const std::string& graph, int span_rounds, Index columns = 60) {
  return problem_of(seed, graph, said(2, 6, 8, static_cast<int>(kAgents * columns), span_rounds), columns);
}

const protocol::RankSearch& search_of(const sim::Simulation& simulation, std::size_t agent = 0) {
  return *simulation.agent(agent).scheme().search();
}

void expect_same_search(const sim::Simulation& a, const sim::Simulation& b) {
  expect_same_bytes(a, b);
  for (std::size_t i = 0; i < a.agents(); ++i) {
    ASSERT_EQ(search_of(a, i).tried.size(), search_of(b, i).tried.size());
    for (std::size_t n = 0; n < search_of(a, i).tried.size(); ++n) {
      EXPECT_EQ(search_of(a, i).tried[n].values, search_of(b, i).tried[n].values);
      EXPECT_TRUE(search_of(a, i).tried[n].X == search_of(b, i).tried[n].X);
    }
    EXPECT_EQ(search_of(a, i).choice->reason, search_of(b, i).choice->reason);
    EXPECT_EQ(search_of(a, i).choice->found, search_of(b, i).choice->found);
  }
}

TEST(PrivateRankRuns, SpendWhatARunOfTheLargestRankSpends) {
  for (const int rounds : {0, 4}) {
    const protocol::Settings range = said(2, 6, 8, 1000, rounds);
    protocol::Settings one = range;
    one.least_rank = 0;
    const protocol::Graph graph = topology("ring", kAgents, 1);
    const auto searching = protocol::make_run_settings(range, kRows, graph);
    const auto given = protocol::make_run_settings(one, kRows, graph);
    ASSERT_TRUE(searching && given);
    EXPECT_EQ(searching->privacy->noise, given->privacy->noise);
    EXPECT_EQ(*searching->privacy->opening, *given->privacy->opening);
    EXPECT_EQ(protocol::account_notes(*searching->privacy), protocol::account_notes(*given->privacy));
  }
}

TEST(PrivateRankRuns, GraphsThreadsAndFaultsChangeNothing) {
  for (const int rounds : {0, 3}) {
    const Problem problem = search_problem(1, "line", rounds);
    const sim::Simulation line = run(problem);
    expect_one_X(line);
    Problem star = problem;
    star.graph = topology("star", kAgents, 1);
    protocol::complete(star.config.settings, star.graph);
    expect_same_search(line, run(star));
    host::ThreadPool pool(3);
    Problem threads = problem;
    threads.config.executor = &pool;
    sim::Simulation parallel = make(threads);
    ASSERT_TRUE(parallel.run(pool, nullptr, go_on));
    expect_same_search(line, parallel);
    Problem rough = problem;
    rough.config.faults = {0.2, 0.2, 4, 0.1};
    rough.config.fault_seed = 7;
    const sim::Simulation disturbed = run(rough);
    EXPECT_GT(disturbed.crashes(), 0U);
    expect_same_search(line, disturbed);
  }
}

TEST(PrivateRankRuns, ASavedRunGoesOnToTheSameBytes) {
  const Problem problem = search_problem(2, "ring", 3);
  const sim::Simulation straight = run(problem);
  SerialExecutor serial;
  for (const int units : {1, 9, 14, 18, 22, 26}) {
    sim::Simulation first = make(problem);
    int left = units;
    ASSERT_TRUE(first.run(serial, nullptr,
                          [&] { return left-- > 0 ? sim::Simulation::Wish::kGoOn : sim::Simulation::Wish::kPause; }));
    sim::Simulation second = make(problem);
    const Status loaded = second.load(first.save());
    ASSERT_TRUE(loaded) << loaded.error().message;
    ASSERT_TRUE(second.run(serial, nullptr, go_on));
    expect_same_search(straight, second);
  }
}

TEST(PrivateRankRuns, EndWithTheXOfTheRankThatWasFound) {
  for (const int rounds : {0, 3}) {
    const sim::Simulation found = run(search_problem(1, "ring", rounds, 300));
    const Index rank = found.agent(0).X().cols();
    ASSERT_EQ(rank, kReal) << search_of(found).choice->reason;
    EXPECT_EQ(found.agent(1).Y().rows(), rank);
    protocol::Settings given = said(2, 6, 8, kAgents * 300, rounds);
    given.least_rank = 0;
    given.rank = rank;
    const sim::Simulation one = run(problem_of(1, "ring", given, 300));
    EXPECT_EQ(one.agent(0).scheme().search(), nullptr);
    // Rounds of the largest rank would open more numbers, of which the account takes a little more noise.
    if (rounds == 0) {
      EXPECT_TRUE(found.agent(0).X() == one.agent(0).X());
    }
  }
}

TEST(PrivateRankRuns, FindTheNumberOfComponentsAmongManyColumns) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const sim::Simulation found = run(search_problem(seed, "ring", 0, 500));
    EXPECT_NEAR(static_cast<double>(found.agent(0).X().cols()), kReal, 1) << search_of(found).choice->reason;
    EXPECT_EQ(search_of(found).tried.size(), 5U);
  }
}

// Every total that anybody was told, by the number of its sum.
class Told final : public sim::Recorder {
 public:
  void sent(std::uint64_t /*now*/, AgentId /*from*/, AgentId /*to*/, const protocol::Message& message) override {
    if (const auto* total = std::get_if<protocol::Total>(&message.body)) sizes[total->number] = total->payload.size();
  }
  void received(std::uint64_t /*now*/, AgentId /*from*/, AgentId /*to*/,
                const protocol::Message& /*message*/) override {}

  std::map<std::uint32_t, std::size_t> sizes;
};

TEST(PrivateRankRuns, OpenNothingForTheRanks) {
  Problem problem = search_problem(1, "ring", 2);
  Told told;
  problem.config.recorder = &told;
  const sim::Simulation found = run(problem);
  const auto rank = static_cast<std::size_t>(found.agent(0).X().cols());
  ASSERT_EQ(told.sizes.size(), 3U + 1U + 2U);  // three empty ones, the opening, two rounds
  EXPECT_EQ(told.sizes[3], sizeof(protocol::Word) * kRows * (kRows + 1) / 2);
  for (const std::uint32_t n : {4U, 5U})
    EXPECT_EQ(told.sizes[n], sizeof(protocol::Word) * (rank * rank + rank * (rank + 1) / 2));
}

TEST(PrivateRankRuns, NeedAnOpeningWithNoise) {
  const protocol::Graph graph = topology("ring", kAgents, 1);
  protocol::Settings exact = said(2, 6, 8, 1000, 0);
  exact.epsilon.reset();
  exact.delta.reset();
  exact.columns.reset();
  const auto refused = protocol::make_run_settings(exact, kRows, graph);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("needs `epsilon`"), std::string::npos) << refused.error().message;
  protocol::Settings exchanges = said(2, 6, 8, 1000, 0);
  exchanges.scheme = protocol::SchemeKind::kSum;
  exchanges.starts = 1;
  const auto other = protocol::make_run_settings(exchanges, kRows, graph);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("needs `scheme=moments`"), std::string::npos) << other.error().message;
  protocol::Settings left = said(2, 6, 8, 1000, 0);
  left.scheme.reset();
  left.starts = 1;
  const auto chosen = protocol::make_run_settings(left, kRows, graph);
  ASSERT_TRUE(chosen) << chosen.error().message;
  EXPECT_EQ(chosen->scheme, protocol::SchemeKind::kMoments);
  EXPECT_EQ(chosen->starts, 10);
}

}  // namespace
}  // namespace ppdnmf::scenario
