#include <ppdnmf/protocol/neighbours/neighbour_iteration.h>

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>

#include <ppdnmf/nmf/start.h>

namespace ppdnmf::protocol::neighbours {
namespace {

constexpr Index kRows = 24;
constexpr Index kRank = 4;

// A ring of five in which agent 0 is curious; its neighbours are 1 and 4.
RunSettings settings(const Graph& graph) {
  RunSettings s;
  s.rows = kRows;
  s.rank = kRank;
  s.scheme = SchemeKind::kHardened;
  s.data_scale = 1;
  complete(s, graph);
  return s;
}

Graph ring() { return *Graph::create(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}); }

Matrix columns_of(std::uint64_t seed, Index count) {
  Stream stream(Seed::from_number(seed), 'T');
  Matrix Z(kRows, count);
  for (Index t = 0; t < Z.size(); ++t) Z.data()[t] = 2 * stream.uniform();
  return Z;
}

struct OneAgent {
  OneAgent(const RunSettings& s, std::uint32_t self, const Matrix& Z)
      : graph(ring()),
        columns(nmf::dense_holder(Z)),
        secret(Seed::from_number(100 + self)),
        iteration(s, AgentId{self}, graph.neighbours(AgentId{self}),
                  nmf::common_start(nmf::Start::kRandom, kRows, kRank, Seed::from_number(1)), *columns, secret),
        opening{1, 5 * Z.squaredNorm(), 5} {
    columns->begin(kRank, 1);
  }

  // The first ask of a round; `curvature`: what the agents' curvatures come to.
  NeighboursOf first(double curvature) {
    Result<NeighbourAsk> ask = iteration.begin(opening);
    if (const auto* sum = std::get_if<SumOf>(&*ask)) {
      own_curvature = sum->values.back();
      const std::vector<double> totals = {curvature};
      ask = iteration.absorb(totals, false, out);
    }
    return std::get<NeighboursOf>(*ask);
  }

  Graph graph;
  std::unique_ptr<nmf::Holder> columns;
  Seed secret;
  NeighbourIteration iteration;
  Opening opening;
  Outbox out{RunId{}};
  double own_curvature = 0;
};

// What agent 0 opens in the first round, as a matrix, less what it would be if nobody had moved from X0: the third
// singular value over the first. Two neighbours with one column each move in two directions.
double third_direction(const RunSettings& s) {
  const Matrix X0 = nmf::common_start(nmf::Start::kRandom, kRows, kRank, Seed::from_number(1));
  Matrix seen = Matrix::Zero(kRows, kRank);
  for (const std::uint32_t neighbour : {1U, 4U}) {
    OneAgent agent(s, neighbour, columns_of(neighbour, 1));
    const NeighboursOf ask = agent.first(1.0);
    for (Index t = 0; t < seen.size(); ++t)
      seen.data()[t] += static_cast<double>(ask.u[static_cast<std::size_t>(t)]) / static_cast<double>(s.n_max);
  }
  const Eigen::VectorXd values = Eigen::JacobiSVD<Matrix>(seen - 2 * X0).singularValues();
  return values[2] / values[0];
}

TEST(NeighbourIteration, TheFirstRoundShowsNoPlaneOfAFewColumns) {
  RunSettings s = settings(ring());
  s.local_rounds = 1;  // more of them bend the plane in rows where X is at its bound
  EXPECT_GT(third_direction(s), 0.1);
  s.start_spread = 0;
  EXPECT_LT(third_direction(s), 1e-4) << "with a public start the plane is there";
}

TEST(NeighbourIteration, AnswersCarryNothingButTheEdgesFactors) {
  const RunSettings s = settings(ring());
  EXPECT_EQ(s.entries(), static_cast<std::size_t>(kRows * kRank));
  OneAgent small(s, 1, columns_of(1, 3));
  OneAgent large(s, 1, 100 * columns_of(1, 3));
  const NeighboursOf from_small = small.first(1.0);
  const NeighboursOf from_large = large.first(1.0);
  EXPECT_EQ(from_small.weights, from_large.weights);
  EXPECT_EQ(from_small.weights, (std::vector<std::int64_t>{1, 1})) << "a ring has equal factors";

  RunSettings secret = s;
  secret.weight_rule = WeightRule::kSecret;
  complete(secret, ring());
  OneAgent old_small(secret, 1, columns_of(1, 3));
  OneAgent old_large(secret, 1, 100 * columns_of(1, 3));
  EXPECT_NE(old_small.first(1.0).weights, old_large.first(1.0).weights) << "a secret weight tells of the data";
}

TEST(NeighbourIteration, AnAbsurdCurvatureMovesTheWeightByAFactorAndForOneIteration) {
  RunSettings s = settings(ring());
  s.admm_x = 1;
  const auto couplings = [&](double lie) {
    OneAgent agent(s, 1, columns_of(1, 30));
    (void)agent.first(5 * 2.0);
    std::vector<double> seen;
    for (int iteration = 1; iteration <= 4; ++iteration) {
      NeighbourSums sums;
      sums.sums.emplace_back(s.entries(), 0);
      (void)agent.iteration.absorb(sums);
      seen.push_back(agent.iteration.coupling_of_last_round());
      const std::vector<double> totals = {1.0, iteration == 2 ? lie : 5 * 2.0};
      (void)agent.iteration.absorb(totals, false, agent.out);
    }
    return seen;
  };
  const std::vector<double> calm = couplings(5 * 2.0);
  const std::vector<double> poisoned = couplings(0x1p50);
  EXPECT_EQ(poisoned[1], calm[1]);
  EXPECT_NEAR(poisoned[2] / calm[2], 4, 0.1);
  EXPECT_NEAR(poisoned[3] / calm[3], 1, 1e-3);
}

TEST(NeighbourIteration, TheFirstCurvatureIsBoundedByTheData) {
  const RunSettings s = settings(ring());
  OneAgent agent(s, 1, columns_of(1, 30));
  (void)agent.first(0x1p50);
  NeighbourSums sums;
  sums.sums.emplace_back(s.entries(), 0);
  (void)agent.iteration.absorb(sums);
  const double poisoned = agent.iteration.coupling_of_last_round();
  OneAgent honest(s, 1, columns_of(1, 30));
  (void)honest.first(5 * agent.own_curvature);
  (void)honest.iteration.absorb(sums);
  EXPECT_LT(poisoned, 100 * honest.iteration.coupling_of_last_round());
  EXPECT_GT(poisoned, honest.iteration.coupling_of_last_round()) << "the bound does not bind honest agents";
}

TEST(NeighbourIteration, CurvaturesThatCannotBeEndTheRun) {
  for (const double total : {-1.0, std::nan(""), HUGE_VAL}) {
    OneAgent agent(settings(ring()), 1, columns_of(1, 3));
    ASSERT_TRUE(agent.iteration.begin(agent.opening));
    const std::vector<double> totals = {total};
    const Result<NeighbourAsk> ask = agent.iteration.absorb(totals, false, agent.out);
    ASSERT_FALSE(ask) << total;
    EXPECT_EQ(ask.error().code, ErrorCode::kPeer);
  }
}

}  // namespace
}  // namespace ppdnmf::protocol::neighbours
