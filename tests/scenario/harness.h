// What the scenario tests share: small problems, whole runs, what a centralised run makes of the same data.
#ifndef PPDNMF_TESTS_SCENARIO_HARNESS_H_
#define PPDNMF_TESTS_SCENARIO_HARNESS_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/nmf/factorize.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/nmf/start.h>
#include <ppdnmf/protocol/neighbours/neighbour_scheme.h>
#include <ppdnmf/protocol/seeded_secrets.h>
#include <ppdnmf/protocol/spanning_tree.h>
#include <ppdnmf/sim/simulation.h>
#include <ppdnmf/sim/topology.h>

namespace ppdnmf::scenario {

// A sanitizer makes big numbers ten times slower: the longest tests take a tenth of their seeds then.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

inline constexpr const char* kTopologies[] = {"ring", "line", "star", "complete", "random:3"};

// An agent's columns drawn from a common exponential factor, plus a little noise.
inline std::vector<Matrix> make_data(std::uint64_t seed, const std::vector<Index>& columns, Index rows, Index rank) {
  Stream stream(Seed::from_number(seed), 'D');
  const auto draw = [&](Index r, Index c) {
    Matrix m(r, c);
    for (Index t = 0; t < m.size(); ++t) m.data()[t] = stream.exponential();
    return m;
  };
  const Matrix truth = draw(rows, rank);
  std::vector<Matrix> Z;
  for (const Index c : columns) {
    Z.emplace_back(truth * draw(rank, c));
    for (Index t = 0; t < Z.back().size(); ++t) Z.back().data()[t] += 0.02 * stream.uniform();
  }
  return Z;
}

inline protocol::Graph topology(const std::string& name, std::uint32_t agents, std::uint64_t seed) {
  return *sim::make_topology(name, agents, Seed::from_number(seed));
}

struct Problem {
  protocol::Graph graph;
  std::vector<Matrix> Z;
  sim::SimulationConfig config;
};

// A small problem with automatic parameters; change what matters before `simulate`, then call `complete` again.
inline Problem small_problem(std::uint64_t seed, const std::string& topology_name, std::uint32_t agents, Index rows = 7,
                             Index rank = 3) {
  std::vector<Index> columns;
  for (std::uint64_t i = 0; i < agents; ++i) columns.push_back(1 + static_cast<Index>((seed + 3 * i) % 5));
  Problem problem{topology(topology_name, agents, seed), make_data(seed, columns, rows, rank), {}};
  protocol::RunSettings& s = problem.config.settings;
  s.rows = rows;
  s.rank = rank;
  s.scheme = protocol::SchemeKind::kHardened;
  s.iterations = 4;
  s.admm_x = 3;
  s.admm_y = 5;
  s.local_rounds = 2;
  s.data_scale = 1;
  protocol::complete(s, problem.graph);
  problem.config.seed = seed;
  problem.config.make_cipher = sim::plain_ciphers(s);
  return problem;
}

inline Executor& serial_executor() {
  static SerialExecutor serial;
  return serial;
}

// Keys below 2048 bits are for tests only.
inline crypto::KeyOptions small_keys(crypto::KeyProfile profile = crypto::KeyProfile::kStandard,
                                     crypto::Kernel kernel = crypto::Kernel::kAutomatic) {
  crypto::KeyOptions keys;
  keys.bits = 512;
  keys.profile = profile;
  keys.kernel = kernel;
  keys.test_only = true;
  return keys;
}

// The same problem with masks on its sums.
inline Problem masked(Problem problem) {
  problem.config.make_sum_secrets = sim::simulated_sum_secrets(problem.graph.agents(), problem.config.seed);
  return problem;
}

// The same problem under Paillier, its sums under masks.
inline Problem encrypted(Problem problem, const crypto::KeyOptions& keys, Executor& executor = serial_executor()) {
  auto ciphers = sim::paillier_ciphers(problem.config.settings, problem.graph, keys, problem.config.seed, executor);
  EXPECT_TRUE(ciphers) << ciphers.error().message;
  problem.config.make_cipher = *std::move(ciphers);
  return masked(std::move(problem));
}

inline sim::Simulation::Wish go_on() { return sim::Simulation::Wish::kGoOn; }

// Of a problem with missing entries it only views the data.
inline sim::Simulation make(const Problem& problem) {
  sim::SimulationConfig config = problem.config;
  std::vector<data::SharedColumns> gappy;
  if (config.settings.missing) {
    for (const Matrix& Z : problem.Z) gappy.push_back(data::gappy_view(Z));
  }
  auto simulation = gappy.empty() ? sim::Simulation::create(std::move(config), problem.graph, problem.Z)
                                  : sim::Simulation::create(std::move(config), problem.graph, gappy);
  EXPECT_TRUE(simulation) << simulation.error().message;
  return *std::move(simulation);
}

inline sim::Simulation run(const Problem& problem) {
  sim::Simulation simulation = make(problem);
  SerialExecutor serial;
  const auto finished = simulation.run(serial, nullptr, go_on);
  EXPECT_TRUE(finished && *finished) << (finished ? "paused" : finished.error().message);
  return simulation;
}

// Plain integers, within the bounds of the settings as they are now.
inline void set_cipher(Problem& problem) { problem.config.make_cipher = sim::plain_ciphers(problem.config.settings); }

// Agent i of the problem as a simulation makes it, but for what agents of one process share.
inline protocol::AgentConfig agent_config(const Problem& problem, std::uint32_t i) {
  protocol::AgentConfig config;
  config.run = protocol::simulated_run_id(problem.config.seed);
  config.settings = problem.config.settings;
  config.settings_digest = config.settings.digest(problem.graph);
  config.self = AgentId{i};
  config.agents = problem.graph.agents();
  config.neighbours = problem.graph.neighbours(config.self);
  config.place = protocol::spanning_tree(problem.graph)[i];
  config.start = [s = config.settings, seed = problem.config.seed](int number) {
    return nmf::common_start(s.start, s.rows, s.rank, Seed::from_number(seed), static_cast<std::uint64_t>(number));
  };
  config.columns = nmf::dense_holder(problem.Z[i]);
  if (!protocol::sums_only(config.settings.scheme)) {
    config.cipher = problem.config.make_cipher(config.self);
  }
  if (problem.config.make_sum_secrets) config.masks = problem.config.make_sum_secrets(config.self);
  return config;
}

// An agent's X step in a scheme between neighbours.
inline const nmf::AdmmXStep& x_step(const protocol::Agent& agent) {
  return dynamic_cast<const protocol::neighbours::NeighbourScheme&>(agent.scheme()).x_step();
}

// Every total that anybody was told, by the number of its sum.
class Told final : public sim::Recorder {
 public:
  void sent(std::uint64_t /*now*/, AgentId /*from*/, AgentId /*to*/, const protocol::Message& message) override {
    if (const auto* total = std::get_if<protocol::Total>(&message.body))
      totals[total->number] = protocol::words_of(total->payload);
  }
  void received(std::uint64_t /*now*/, AgentId /*from*/, AgentId /*to*/,
                const protocol::Message& /*message*/) override {}

  std::map<std::uint32_t, protocol::Words> totals;
};

// Everybody's data side by side.
inline Matrix all_columns(const Problem& problem) {
  Index columns = 0;
  for (const Matrix& part : problem.Z) columns += part.cols();
  Matrix Z(problem.Z.front().rows(), columns);
  Index first = 0;
  for (const Matrix& part : problem.Z) {
    Z.middleCols(first, part.cols()) = part;
    first += part.cols();
  }
  return Z;
}

// What one party with all the data gets.
inline double centralised_error(const Matrix& Z, Index rank, int iterations, int admm, std::optional<double> mu,
                                std::optional<double> eta) {
  nmf::FactorizeOptions options;
  options.rank = rank;
  options.solver = nmf::Solver::kAdmm;
  options.iterations = iterations;
  options.admm_x = admm;
  options.admm_y = admm;
  options.tolerance = 0;
  options.mu = mu;
  options.eta = eta;
  auto run = nmf::Factorization::create(Z, options, Seed::from_number(1));
  EXPECT_TRUE(run);
  while (!run->done()) EXPECT_TRUE(run->step());
  return run->relative_error();
}

// How well the X of the worst agent fits Z, with the best Y for it.
inline double worst_error(const sim::Simulation& simulation, const Matrix& Z) {
  double worst = 0;
  for (std::size_t i = 0; i < simulation.agents(); ++i)
    worst = std::max(worst, nmf::best_error(simulation.agent(i).X(), Z));
  return worst;
}

// X, Y and history to the bit.
inline void expect_same(const sim::Simulation& a, const sim::Simulation& b) {
  ASSERT_EQ(a.agents(), b.agents());
  for (std::size_t i = 0; i < a.agents(); ++i) {
    EXPECT_TRUE(a.agent(i).X() == b.agent(i).X()) << "X of agent " << i;
    EXPECT_TRUE(a.agent(i).Y() == b.agent(i).Y()) << "Y of agent " << i;
  }
  ASSERT_EQ(a.history().size(), b.history().size());
  for (std::size_t n = 0; n < a.history().size(); ++n) {
    EXPECT_EQ(a.history()[n].rounds, b.history()[n].rounds);
    EXPECT_EQ(a.history()[n].nmse, b.history()[n].nmse);
    EXPECT_EQ(a.history()[n].relative_error, b.history()[n].relative_error);
    EXPECT_EQ(a.history()[n].common_error, b.history()[n].common_error);
    EXPECT_EQ(a.history()[n].disagreement, b.history()[n].disagreement);
  }
}

// Masks, two threads, a star in place of a line of five agents, faults: the same bytes.
inline void expect_same_on_other_networks(Problem problem) {
  const sim::Simulation line = run(problem);
  for (std::size_t i = 1; i < line.agents(); ++i) ASSERT_TRUE(line.agent(i).X() == line.agent(0).X());
  expect_same(line, run(masked(problem)));
  host::ThreadPool pool(2);
  sim::Simulation parallel = make(problem);
  ASSERT_TRUE(parallel.run(pool, nullptr, go_on));
  expect_same(line, parallel);
  Problem star = problem;
  star.graph = topology("star", problem.graph.agents(), 1);
  protocol::complete(star.config.settings, star.graph);
  expect_same(line, run(star));
  problem.config.faults = {0.2, 0.2, 3, 0.15};
  problem.config.fault_seed = problem.config.seed;
  const sim::Simulation disturbed = run(masked(problem));
  expect_same(line, disturbed);
  EXPECT_GT(disturbed.crashes(), 0U);
}

// A run that was paused after so many units of time, and continued in another process.
inline sim::Simulation paused_after(const Problem& problem, int units) {
  sim::Simulation first = make(problem);
  int asked = 0;
  EXPECT_TRUE(first.run(serial_executor(), nullptr, [&] {
    return asked++ < units ? sim::Simulation::Wish::kGoOn : sim::Simulation::Wish::kPause;
  }));
  sim::Simulation second = make(problem);
  EXPECT_TRUE(second.load(first.save()));
  const auto finished = second.run(serial_executor(), nullptr, go_on);
  EXPECT_TRUE(finished && *finished) << units;
  return second;
}

// Paused after 0, `every`, 2 `every`, ... units of time, below 60: the same bytes.
inline void expect_same_after_pauses(const Problem& problem, int every) {
  const sim::Simulation whole = run(problem);
  for (int units = 0; units < 60; units += every) expect_same(whole, paused_after(problem, units));
}

}  // namespace ppdnmf::scenario

#endif  // PPDNMF_TESTS_SCENARIO_HARNESS_H_
