// Whole runs under the Poisson loss: what holds for squares holds here, too.
#include "tests/scenario/harness.h"

namespace ppdnmf::scenario {
namespace {

Problem poisson_problem(std::uint64_t seed, const std::string& graph, std::uint32_t agents, int rounds,
                        nmf::Curvature curvature = nmf::Curvature::kFull, Index rows = 8, Index rank = 3) {
  Problem problem = small_problem(seed, graph, agents, rows, rank);
  for (Matrix& Z : problem.Z) Z = (7 * Z).array().round();
  protocol::RunSettings& s = problem.config.settings;
  s.scheme = protocol::SchemeKind::kSum;
  s.loss = nmf::LossKind::kPoisson;
  s.curvature = curvature;
  s.iterations = rounds;
  s.data_scale.reset();
  protocol::complete(s, problem.graph);
  return problem;
}

TEST(PoissonRuns, GraphsMasksThreadsAndFaultsChangeNothing) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    const nmf::Curvature curvature = seed % 2 == 0 ? nmf::Curvature::kFull : nmf::Curvature::kScaled;
    Problem problem = poisson_problem(seed, "line", 5, 12, curvature);
    problem.config.settings.starts = seed == 3 ? 2 : 1;
    expect_same_on_other_networks(problem);
  }
}

TEST(PoissonRuns, APausedRunGoesOnInAnotherProcessToTheSameBytes) {
  expect_same_after_pauses(masked(poisson_problem(5, "random:3", 6, 14)), 7);
}

TEST(PoissonRuns, TheLossOfTheTotalsIsThatOfOneMachineInEveryIteration) {
  for (const nmf::Curvature curvature : {nmf::Curvature::kFull, nmf::Curvature::kScaled}) {
    const Problem problem = poisson_problem(2, "random:3", 10, 40, curvature, 20, 4);
    const sim::Simulation network = run(problem);
    nmf::FactorizeOptions options;
    options.rank = 4;
    options.iterations = 40;
    options.tolerance = 0;
    options.loss = nmf::LossKind::kPoisson;
    options.curvature = curvature;
    auto machine = nmf::Factorization::create(all_columns(problem), options, Seed::from_number(2));
    ASSERT_TRUE(machine);
    for (const sim::HistoryEntry& entry : network.history()) {
      ASSERT_TRUE(machine->step());
      EXPECT_NEAR(entry.loss / machine->divergence(), 1, 1e-9) << "iteration " << entry.iteration;
      EXPECT_NEAR(entry.common_error / entry.relative_error, 1, 1e-9) << "iteration " << entry.iteration;
    }
    EXPECT_TRUE(machine->done());
  }
}

TEST(PoissonRuns, ARequestToEndWhileTheRowsAreAddedUpEndsAfterARound) {
  sim::Simulation simulation = make(poisson_problem(3, "line", 4, 50));
  SerialExecutor serial;
  ASSERT_TRUE(simulation.run(serial, nullptr, [] { return sim::Simulation::Wish::kEnd; }));
  EXPECT_EQ(simulation.stopped_because(), "request");
  EXPECT_EQ(simulation.history().size(), 1U);
}

}  // namespace
}  // namespace ppdnmf::scenario
