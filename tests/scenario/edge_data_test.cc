// Data at the edge, with automatic parameters: the agents find what a centralised run finds.
#include <cmath>

#include "tests/scenario/harness.h"

namespace ppdnmf::scenario {
namespace {

Problem automatic(const std::vector<Matrix>& Z, Index rank, int iterations, const std::string& graph = "ring") {
  Problem problem{topology(graph, static_cast<std::uint32_t>(Z.size()), 1), Z, {}};
  protocol::RunSettings& s = problem.config.settings;
  s.rows = Z.front().rows();
  s.rank = rank;
  s.iterations = iterations;
  s.admm_x = protocol::automatic_admm_x(problem.graph);
  protocol::complete(s, problem.graph);
  set_cipher(problem);
  return problem;
}

void expect_as_good_as_centralised(const Problem& problem, double factor) {
  const sim::Simulation simulation = run(problem);
  const Matrix Z = all_columns(problem);
  const double centralised = centralised_error(Z, problem.config.settings.rank, 500, 5, std::nullopt, std::nullopt);
  EXPECT_LT(worst_error(simulation, Z), factor * centralised + 1e-3);
  EXPECT_LT(simulation.history().back().disagreement, 0.05);
}

TEST(Edges, AnAgentWithOneColumn) {
  expect_as_good_as_centralised(automatic(make_data(1, {1, 12, 9, 1}, 10, 3), 3, 100), 1.1);
}

TEST(Edges, AnAgentWithAZeroColumnAndAnAgentWithoutAnyData) {
  std::vector<Matrix> Z = make_data(2, {5, 12, 9, 3}, 10, 3);
  Z[0].col(2).setZero();
  Z[3].setZero();
  expect_as_good_as_centralised(automatic(Z, 3, 100), 1.1);
}

// Fourteen columns in all: rank four fits them nearly exactly, which takes a centralised run a thousand iterations.
TEST(Edges, RankLargerThanAnAgentsColumns) {
  const Problem problem = automatic(make_data(3, {2, 3, 2, 4, 3}, 12, 4), 4, 150, "random:3");
  const sim::Simulation simulation = run(problem);
  EXPECT_LT(worst_error(simulation, all_columns(problem)), 0.03);
  EXPECT_LT(simulation.history().back().disagreement, 0.02);
}

TEST(Edges, CountsUpTo727224) {
  std::vector<Matrix> Z = make_data(4, {10, 12, 9}, 20, 3);
  double largest = 0;
  for (const Matrix& part : Z) largest = std::max(largest, part.maxCoeff());
  for (Matrix& part : Z) part = (part * (727224 / largest)).array().round();
  expect_as_good_as_centralised(automatic(Z, 3, 150), 1.1);
}

TEST(Edges, AMatrixOfRankOne) {
  std::vector<Matrix> Z;
  for (const Index columns : {3, 5, 2}) Z.emplace_back(Matrix::Constant(6, columns, 2));
  const Problem problem = automatic(Z, 1, 60);
  EXPECT_LT(worst_error(run(problem), all_columns(problem)), 1e-3);
}

TEST(Edges, ExactLowRankDataAreFound) {
  std::vector<Matrix> Z = make_data(5, {8, 12, 9}, 12, 2);
  const Matrix rank_two = Z[0].leftCols(2);
  Stream stream(Seed::from_number(5), 'X');
  for (Matrix& part : Z) {
    Matrix coordinates(2, part.cols());
    for (Index t = 0; t < coordinates.size(); ++t) coordinates.data()[t] = stream.exponential();
    part = rank_two * coordinates;
  }
  const Problem problem = automatic(Z, 2, 300);
  const sim::Simulation simulation = run(problem);
  EXPECT_LT(simulation.history().back().relative_error, 1e-3);
  EXPECT_LT(worst_error(simulation, all_columns(problem)), 1e-3);
}

// Each agent has two of five components, and a size of its own between 1 and 1000.
TEST(Edges, VeryUnlikeAgentsInARingAgree) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
    SCOPED_TRACE(seed);
    Stream stream(Seed::from_number(seed), 'U');
    const Matrix truth = make_data(seed, {5}, 30, 5).front();
    std::vector<Matrix> Z;
    for (int agent = 0; agent < 12; ++agent) {
      const double size = std::pow(10, 3 * stream.uniform());
      Matrix coordinates = Matrix::Zero(5, 8);
      for (const std::uint64_t component : {stream.below(5), stream.below(5)}) {
        for (Index m = 0; m < coordinates.cols(); ++m)
          coordinates(static_cast<Index>(component), m) = size * stream.exponential();
      }
      Z.emplace_back(truth * coordinates);
    }
    const Problem problem = automatic(Z, 5, 75);
    const sim::Simulation simulation = run(problem);
    EXPECT_LT(worst_error(simulation, all_columns(problem)), 0.05);
    EXPECT_LT(simulation.history().back().disagreement, 0.03);
  }
}

}  // namespace
}  // namespace ppdnmf::scenario
