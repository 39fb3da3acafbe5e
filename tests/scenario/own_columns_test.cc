// Whole runs whose columns are changed before they enter: what the agents find out together is what one machine finds.
#include "tests/scenario/harness.h"
#include <ppdnmf/data/cap.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/weights.h>
#include <ppdnmf/host/thread_pool.h>

namespace ppdnmf::scenario {
namespace {

// Agents' columns of very different sizes.
Problem uneven_problem(std::uint64_t seed, const std::string& graph, std::uint32_t agents,
                       nmf::LossKind loss = nmf::LossKind::kSquares) {
  Problem problem = small_problem(seed, graph, agents, 8, 3);
  double factor = 1;
  for (Matrix& Z : problem.Z) {
    for (Index m = 0; m < Z.cols(); ++m) Z.col(m) *= factor = factor > 50 ? 0.01 * factor : 3.5 * factor;
  }
  protocol::RunSettings& s = problem.config.settings;
  s.scheme = protocol::SchemeKind::kSum;
  s.loss = loss;
  s.iterations = 12;
  s.data_scale.reset();
  protocol::complete(s, problem.graph);
  return problem;
}

Problem capped_problem(std::uint64_t seed, const std::string& graph, std::uint32_t agents) {
  Problem problem = uneven_problem(seed, graph, agents);
  problem.config.settings.cap = 0.6;
  return problem;
}

// The same data, capped beforehand by somebody who sees all of them.
Problem capped_beforehand(Problem problem, double& cap) {
  std::vector<data::SharedColumns> parts;
  for (const Matrix& Z : problem.Z) parts.push_back(data::view(Z));
  cap = *data::cap_of(parts, *problem.config.settings.cap);
  Index above = 0;
  for (Matrix& Z : problem.Z) {
    for (Index m = 0; m < Z.cols(); ++m) {
      const double total = data::column_totals(*data::view(Z, {m, 1})).front();
      if (total <= cap) continue;
      Z.col(m) *= cap / total;
      ++above;
    }
  }
  EXPECT_GT(above, 2);
  problem.config.settings.cap.reset();
  return problem;
}

TEST(CappedRuns, GiveTheXOfDataThatWereCappedBeforehand) {
  for (const protocol::SchemeKind scheme : {protocol::SchemeKind::kSum, protocol::SchemeKind::kMoments}) {
    Problem problem = capped_problem(4, "random:3", 6);
    problem.config.settings.scheme = scheme;
    if (scheme == protocol::SchemeKind::kMoments) problem.config.settings.iterations = 1;
    double cap = 0;
    const sim::Simulation before = run(capped_beforehand(problem, cap));
    const sim::Simulation together = run(masked(problem));
    EXPECT_TRUE(together.agent(0).X() == before.agent(0).X());
    // Y fits the columns as they were.
    for (std::size_t i = 0; i < together.agents(); ++i) {
      const Matrix& Z = problem.Z[i];
      const Matrix Y = together.agent(i).Y();
      for (Index m = 0; m < Z.cols(); ++m) {
        const double total = data::column_totals(*data::view(Z, {m, 1})).front();
        const double factor = std::max(1.0, total / cap);
        EXPECT_LT((Y.col(m) - factor * before.agent(i).Y().col(m)).norm(), 1e-12 * Y.col(m).norm());
      }
    }
  }
}

TEST(CappedRuns, GraphsMasksThreadsAndFaultsChangeNothing) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    Problem problem = capped_problem(seed, "line", 5);
    const sim::Simulation line = run(problem);
    expect_same(line, run(masked(problem)));
    host::ThreadPool pool(2);
    sim::Simulation parallel = make(problem);
    ASSERT_TRUE(parallel.run(pool, nullptr, go_on));
    expect_same(line, parallel);
    Problem star = problem;
    star.graph = topology("star", 5, 1);
    protocol::complete(star.config.settings, star.graph);
    expect_same(line, run(star));
    problem.config.faults = {0.2, 0.2, 3, 0.15};
    problem.config.fault_seed = seed;
    const sim::Simulation disturbed = run(masked(problem));
    expect_same(line, disturbed);
    EXPECT_GT(disturbed.crashes(), 0U);
  }
}

TEST(CappedRuns, APausedRunGoesOnInAnotherProcessToTheSameBytes) {
  const Problem problem = masked(capped_problem(5, "random:3", 6));
  const sim::Simulation whole = run(problem);
  SerialExecutor serial;
  for (int pause_after = 0; pause_after < 60; pause_after += 3) {
    sim::Simulation first = make(problem);
    int asked = 0;
    ASSERT_TRUE(first.run(serial, nullptr, [&] {
      return asked++ < pause_after ? sim::Simulation::Wish::kGoOn : sim::Simulation::Wish::kPause;
    }));
    sim::Simulation second = make(problem);
    ASSERT_TRUE(second.load(first.save()));
    ASSERT_TRUE(second.run(serial, nullptr, go_on));
    expect_same(whole, second);
  }
}

// A column of weight two is one that stands there twice.
TEST(WeightedRuns, AWeightOfTwoIsAColumnTwice) {
  for (const nmf::LossKind loss : {nmf::LossKind::kSquares, nmf::LossKind::kPoisson}) {
    Problem problem = uneven_problem(3, "line", 4, loss);
    std::vector<data::SharedColumns> weighted;
    Problem twice = problem;
    for (std::size_t i = 0; i < problem.Z.size(); ++i) {
      const Matrix& Z = problem.Z[i];
      std::vector<double> weights(static_cast<std::size_t>(Z.cols()), 1);
      weights.front() = 2;
      weighted.push_back(data::with_weights(data::view(Z), weights));
      twice.Z[i].conservativeResize(Z.rows(), Z.cols() + 1);
      twice.Z[i].col(Z.cols()) = Z.col(0);
    }
    // The scale follows from the mean of what is there, and a power of two changes no digit.
    problem.config.settings.data_scale = twice.config.settings.data_scale = 16;
    const sim::Simulation copied = run(twice);
    auto simulation = sim::Simulation::create(problem.config, problem.graph, weighted);
    ASSERT_TRUE(simulation) << simulation.error().message;
    SerialExecutor serial;
    ASSERT_TRUE(simulation->run(serial, nullptr, go_on));
    const Matrix& X = copied.agent(0).X();
    EXPECT_LT((simulation->agent(0).X() - X).norm(), 1e-6 * X.norm());
    const double loss_twice = copied.history().back().loss;
    EXPECT_NEAR(simulation->history().back().loss / loss_twice, 1, 1e-6);
    const Matrix Y = simulation->agent(1).Y();
    EXPECT_LT((Y - copied.agent(1).Y().leftCols(Y.cols())).norm(), 1e-5 * Y.norm());
  }
}

}  // namespace
}  // namespace ppdnmf::scenario
