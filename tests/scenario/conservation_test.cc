// The conservation law: the agents' Q sum to zero, exactly, at all times (docs/mathematics.md).
#include "tests/scenario/harness.h"

namespace ppdnmf::scenario {
namespace {

// True if the sum is zero in every entry.
bool sums_to_zero(const sim::Simulation& simulation) {
  std::vector<Int128> sum(x_step(simulation.agent(0)).Q_integer().size());
  for (std::size_t i = 0; i < simulation.agents(); ++i) {
    const auto& Q = x_step(simulation.agent(i)).Q_integer();
    for (std::size_t t = 0; t < sum.size(); ++t) sum[t] += Q[t];
  }
  return std::all_of(sum.begin(), sum.end(), [](Int128 entry) { return entry == 0; });
}

// A run with its own topology, weights and stopping time.
Problem random_problem(std::uint64_t seed, protocol::SchemeKind scheme,
                       protocol::WeightRule rule = protocol::WeightRule::kCommon) {
  Stream stream(Seed::from_number(seed), 'T');
  Problem problem = small_problem(seed, kTopologies[seed % 5], 2 + static_cast<std::uint32_t>(stream.below(7)));
  protocol::RunSettings& s = problem.config.settings;
  s.scheme = scheme;
  s.weight_rule = rule;
  s.blinding = false;
  s.iterations = 1 + static_cast<int>(stream.below(4));
  s.admm_x = 1 + static_cast<int>(stream.below(8));
  s.admm_tolerance = stream.below(2) == 0 ? 0 : 0.2;  // ends X steps early
  s.tolerance = stream.below(2) == 0 ? 0 : 0.2;
  if (stream.below(2) == 0) s.weight = 0.05 + stream.uniform();
  if (stream.below(2) == 0) {
    s.updates = nmf::Updates::kAsPrinted;
    s.weight = 0.02 + 0.1 * stream.uniform();  // with larger ones the printed updates diverge
  }
  protocol::complete(s, problem.graph);
  problem.config.make_cipher = sim::plain_ciphers(s);
  return problem;
}

TEST(Conservation, HardenedSumsToZeroExactly) {
  int factors = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Problem problem = random_problem(seed, protocol::SchemeKind::kHardened);
    if (problem.config.settings.factors) ++factors;
    ASSERT_TRUE(sums_to_zero(run(problem))) << "seed " << seed;
  }
  EXPECT_GT(factors, 5) << "no graph had factors on its edges";
}

TEST(Conservation, HardenedWithSecretWeightsSumsToZeroExactlyWithoutBlinding) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    ASSERT_TRUE(sums_to_zero(run(random_problem(seed, protocol::SchemeKind::kHardened, protocol::WeightRule::kSecret))))
        << "seed " << seed;
  }
}

TEST(Conservation, AsPrintedSumsToZeroExactly) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    ASSERT_TRUE(sums_to_zero(run(random_problem(seed, protocol::SchemeKind::kAsPrinted)))) << "seed " << seed;
  }
}

// The test can fail: blinding, less than a quantum per round and neighbour, already breaks the law.
TEST(Conservation, BlindingOfSecretWeightsMovesTheSumByLessThanAQuantumPerRoundAndEdge) {
  Problem problem = small_problem(4, "random:3", 6);
  protocol::RunSettings& s = problem.config.settings;
  s.weight_rule = protocol::WeightRule::kSecret;
  s.weight = 0.5;
  protocol::complete(s, problem.graph);
  problem.config.make_cipher = sim::plain_ciphers(s);
  const sim::Simulation simulation = run(problem);
  EXPECT_FALSE(sums_to_zero(simulation));
  Matrix sum = Matrix::Zero(s.rows, s.rank);
  for (std::size_t i = 0; i < simulation.agents(); ++i) sum += x_step(simulation.agent(i)).Q();
  // Agent i adds g_i e_j / 2 for each neighbour, |e_j| <= g_j / 2 quanta.
  const double per_round = static_cast<double>(2 * problem.graph.edges().size()) * 0.5 * 0.5 / 4;
  const double quantum = 1 / static_cast<double>(s.n_max);
  EXPECT_LT(sum.cwiseAbs().maxCoeff(), static_cast<double>(simulation.agent(0).rounds()) * per_round * quantum);
}

TEST(Conservation, StoppingIsTheSameEverywhere) {
  int early = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Problem problem = random_problem(seed, protocol::SchemeKind::kHardened);
    const sim::Simulation simulation = run(problem);
    for (std::size_t i = 1; i < simulation.agents(); ++i) {
      ASSERT_EQ(simulation.agent(i).rounds(), simulation.agent(0).rounds()) << "seed " << seed;
    }
    const auto planned = static_cast<std::uint64_t>(problem.config.settings.iterations) *
                         static_cast<std::uint64_t>(problem.config.settings.admm_x);
    if (simulation.agent(0).rounds() < planned) ++early;
  }
  EXPECT_GT(early, 10) << "no run ended early: the tolerance was not tested";
}

}  // namespace
}  // namespace ppdnmf::scenario
