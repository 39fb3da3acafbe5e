// Whole runs that look for the number of components.
#include "tests/scenario/harness.h"
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/nmf/matching.h>
#include <ppdnmf/nmf/resample.h>

namespace ppdnmf::scenario {
namespace {

// Counts made of `real` components that have rows of their own and one that all share.
struct Made {
  Matrix truth;
  std::vector<Matrix> Z;
};

Made made_counts(std::uint64_t seed, Index real, const std::vector<Index>& columns) {
  Stream stream(Seed::from_number(seed), 'c');
  Made made;
  const Index rows = 5 * real + 2;
  made.truth = Matrix::Constant(rows, real, 0.02);
  for (Index k = 0; k < real; ++k) {
    for (Index l = 5 * k; l < 5 * k + 5; ++l) made.truth(l, k) += stream.exponential();
  }
  for (const Index count : columns) {
    Matrix Z(rows, count);
    for (Index m = 0; m < count; ++m) {
      Eigen::VectorXd mean = Eigen::VectorXd::Zero(rows);
      for (Index k = 0; k < real; ++k) mean += 60 * std::pow(stream.uniform(), 3) * made.truth.col(k);
      for (Index l = 0; l < rows; ++l) Z(l, m) = nmf::draw_poisson(mean[l], stream);
    }
    made.Z.push_back(Z);
  }
  return made;
}

Problem search_problem(std::uint64_t seed, const std::string& graph, nmf::LossKind loss, Index real = 3,
                       Index least = 2, Index most = 6, int starts = 4, int rounds = 12) {
  const std::vector<Index> columns = {20, 12, 25, 8, 15};
  Problem problem{topology(graph, 5, seed), made_counts(seed, real, columns).Z, {}};
  protocol::Settings said;
  said.least_rank = least;
  said.rank = most;
  said.starts = starts;
  said.iterations = rounds;
  said.loss = loss;
  auto settings = protocol::make_run_settings(said, problem.Z.front().rows(), problem.graph);
  EXPECT_TRUE(settings) << settings.error().message;
  problem.config.settings = *std::move(settings);
  problem.config.seed = seed;
  return problem;
}

const protocol::RankSearch& search_of(const sim::Simulation& simulation, std::size_t agent = 0) {
  return *simulation.agent(agent).scheme().search();
}

void expect_same_search(const sim::Simulation& a, const sim::Simulation& b) {
  expect_same(a, b);
  ASSERT_EQ(search_of(a).tried.size(), search_of(b).tried.size());
  for (std::size_t n = 0; n < search_of(a).tried.size(); ++n) {
    EXPECT_EQ(search_of(a).tried[n].values, search_of(b).tried[n].values);
    EXPECT_TRUE(search_of(a).tried[n].X == search_of(b).tried[n].X);
  }
  EXPECT_EQ(search_of(a).choice->reason, search_of(b).choice->reason);
}

TEST(RankRuns, GraphsMasksThreadsAndFaultsChangeNothing) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const nmf::LossKind loss = seed == 1 ? nmf::LossKind::kPoisson : nmf::LossKind::kSquares;
    Problem problem = search_problem(seed, "line", loss);
    const sim::Simulation line = run(problem);
    for (std::size_t i = 1; i < line.agents(); ++i) ASSERT_TRUE(line.agent(i).X() == line.agent(0).X());
    expect_same_search(line, run(masked(problem)));
    host::ThreadPool pool(2);
    problem.config.executor = &pool;
    sim::Simulation parallel = make(problem);
    ASSERT_TRUE(parallel.run(pool, nullptr, go_on));
    expect_same_search(line, parallel);
    problem.config.executor = &serial_executor();
    Problem star = problem;
    star.graph = topology("star", 5, 1);
    protocol::complete(star.config.settings, star.graph);
    expect_same_search(line, run(star));
    problem.config.faults = {0.2, 0.2, 3, 0.05};
    problem.config.fault_seed = seed;
    const sim::Simulation disturbed = run(masked(problem));
    expect_same_search(line, disturbed);
    EXPECT_GT(disturbed.crashes(), 0U);
  }
}

TEST(RankRuns, APausedRunGoesOnInAnotherProcessToTheSameBytes) {
  const Problem problem = masked(search_problem(3, "random:3", nmf::LossKind::kPoisson));
  const sim::Simulation whole = run(problem);
  SerialExecutor serial;
  int units = 0;
  for (int pause_after = 0; pause_after < 420; pause_after += 41) {
    sim::Simulation first = make(problem);
    int asked = 0;
    const auto finished = first.run(serial, nullptr, [&] {
      return asked++ < pause_after ? sim::Simulation::Wish::kGoOn : sim::Simulation::Wish::kPause;
    });
    ASSERT_TRUE(finished);
    sim::Simulation second = make(problem);
    const Status loaded = second.load(first.save());
    ASSERT_TRUE(loaded) << loaded.error().message;
    ASSERT_TRUE(second.run(serial, nullptr, go_on));
    expect_same_search(whole, second);
    ++units;
    if (*finished) break;
  }
  EXPECT_GT(units, 3);
}

TEST(RankRuns, FindTheNumberOfComponentsThatAreThere) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const nmf::LossKind loss : {nmf::LossKind::kPoisson, nmf::LossKind::kSquares}) {
      const Problem problem = search_problem(seed, "ring", loss, 4, 2, 9, 6, 30);
      const sim::Simulation found = run(problem);
      const Matrix& X = found.agent(0).X();
      // The noise of counts differs from entry to entry, which squares know nothing of.
      const Index slack = loss == nmf::LossKind::kPoisson ? 0 : 1;
      EXPECT_NEAR(static_cast<double>(X.cols()), 4, static_cast<double>(slack)) << search_of(found).choice->reason;
      const Matrix cosine = nmf::cosines(X, made_counts(seed, 4, {20}).truth);
      EXPECT_GT(cosine.colwise().maxCoeff().minCoeff(), 0.95);
      if (slack == 0) {
        EXPECT_LT(search_of(found).tried.back().rank, 9);  // larger ones would not change the choice
      }
      EXPECT_EQ(found.history().size(), search_of(found).tried.size() + 1);
      EXPECT_EQ(found.agent(0).Y().rows(), X.cols());
      EXPECT_EQ(found.agent(2).Y().cols(), 25);
    }
  }
}

TEST(RankRuns, ResampleAlikeHoweverColumnsAreDivided) {
  const Problem several = search_problem(1, "ring", nmf::LossKind::kPoisson);
  Problem one = several;
  one.graph = topology("line", 1, 1);
  one.Z = {all_columns(several)};
  protocol::complete(one.config.settings, one.graph);
  const sim::Simulation a = run(several);
  const sim::Simulation b = run(one);
  ASSERT_EQ(search_of(a).tried.size(), search_of(b).tried.size());
  for (std::size_t n = 0; n < search_of(a).tried.size(); ++n) {
    for (std::size_t r = 0; r < search_of(a).tried[n].values.size(); ++r)
      EXPECT_NEAR(search_of(a).tried[n].values[r] / search_of(b).tried[n].values[r], 1, 1e-9);
  }
  EXPECT_LT((a.agent(0).X() - b.agent(0).X()).norm(), 1e-6 * a.agent(0).X().norm());
}

TEST(RankRuns, ChooseFromWhatWasTriedWhenSomebodyWantsToEnd) {
  const Problem problem = search_problem(1, "ring", nmf::LossKind::kPoisson);
  sim::Simulation simulation = make(problem);
  SerialExecutor serial;
  int asked = 0;
  ASSERT_TRUE(simulation.run(
      serial, nullptr, [&] { return asked++ < 60 ? sim::Simulation::Wish::kGoOn : sim::Simulation::Wish::kEnd; }));
  EXPECT_EQ(simulation.stopped_because(), "request");
  ASSERT_TRUE(search_of(simulation).choice.has_value());
  EXPECT_LT(search_of(simulation).tried.size(), 4U);
  EXPECT_EQ(simulation.agent(0).Y().rows(), simulation.agent(0).X().cols());
}

TEST(RankRuns, AllStartsOfARankTravelInOneSum) {
  const Problem few = search_problem(1, "ring", nmf::LossKind::kPoisson, 3, 2, 5, 2);
  const Problem many = search_problem(1, "ring", nmf::LossKind::kPoisson, 3, 2, 5, 8);
  const sim::Simulation a = run(few);
  const sim::Simulation b = run(many);
  const auto per_rank = [](const sim::Simulation& s) { return s.rounds_completed() / search_of(s).tried.size(); };
  EXPECT_EQ(per_rank(a), per_rank(b));
  EXPECT_EQ(per_rank(a), 12U);
}

}  // namespace
}  // namespace ppdnmf::scenario
