// Whole runs of the scheme sum: every agent the same X, to the bit, whatever the graph, the masks, the threads and
// the network do; and as good as one machine's.
#include <deque>
#include <map>
#include <memory>
#include <set>

#include "tests/scenario/harness.h"
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/nmf/descent.h>

namespace ppdnmf::scenario {
namespace {

Problem sum_problem(std::uint64_t seed, const std::string& topology_name, std::uint32_t agents, int rounds = 12,
                    Index rows = 7, Index rank = 3) {
  Problem problem = small_problem(seed, topology_name, agents, rows, rank);
  protocol::RunSettings& s = problem.config.settings;
  s.scheme = protocol::SchemeKind::kSum;
  s.iterations = rounds;
  s.data_scale.reset();
  protocol::complete(s, problem.graph);
  return problem;
}

Problem on_graph(Problem problem, const std::string& name, std::uint64_t graph_seed = 1) {
  problem.graph = topology(name, problem.graph.agents(), graph_seed);
  protocol::complete(problem.config.settings, problem.graph);
  return problem;
}

void expect_one_X(const sim::Simulation& simulation) {
  for (std::size_t i = 1; i < simulation.agents(); ++i) {
    ASSERT_TRUE(simulation.agent(i).X() == simulation.agent(0).X()) << "agent " << i;
  }
  for (const sim::HistoryEntry& entry : simulation.history()) ASSERT_EQ(entry.disagreement, 0);
}

TEST(Sum, TheGraphChangesNothing) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Problem problem = sum_problem(seed, "line", 8);
    const sim::Simulation line = run(problem);
    expect_one_X(line);
    for (const char* name : {"ring", "star", "complete"}) expect_same(line, run(on_graph(problem, name)));
    for (const std::uint64_t graph : {1U, 2U, 3U}) expect_same(line, run(on_graph(problem, "random:3", graph)));
  }
}

TEST(Sum, MasksChangeNothing) {
  for (const std::uint32_t agents : {1U, 2U, 3U, 10U, 65U, 66U, 100U}) {
    const Problem problem = sum_problem(agents, "random:3", agents, 4, 7, agents < 3 ? 1 : 3);
    const sim::Simulation plain = run(problem);
    expect_same(plain, run(masked(problem)));
    expect_one_X(plain);
  }
}

TEST(Sum, AThousandAgentsEndWithOneX) {
  const sim::Simulation thousand = run(masked(sum_problem(1, "random:3", kSanitized ? 100 : 1000, 2, 4, 2)));
  expect_one_X(thousand);
}

// The agents after a whole run in which each of them computes the common X by itself, as processes of their own do.
std::vector<std::unique_ptr<protocol::Agent>> run_alone(const Problem& problem) {
  std::vector<std::unique_ptr<protocol::Agent>> agents;
  for (std::uint32_t i = 0; i < problem.graph.agents(); ++i) {
    agents.push_back(std::make_unique<protocol::Agent>(agent_config(problem, i),
                                                       protocol::simulated_secret(problem.config.seed, AgentId{i})));
  }
  std::deque<sim::Delivery> queue;
  const auto handle = [&](AgentId self, const protocol::Event& event) {
    for (protocol::Send& send : agents[self.value]->step(event).sends) {
      queue.push_back({self, send.to, std::move(send.message)});
    }
  };
  for (std::uint32_t i = 0; i < agents.size(); ++i) handle(AgentId{i}, protocol::Started{});
  while (!queue.empty()) {
    const sim::Delivery next = std::move(queue.front());
    queue.pop_front();
    handle(next.to, protocol::Received{next.from, next.message});
  }
  return agents;
}

void expect_as_simulated(const sim::Simulation& simulation,
                         const std::vector<std::unique_ptr<protocol::Agent>>& agents) {
  ASSERT_EQ(simulation.agents(), agents.size());
  for (std::size_t i = 0; i < agents.size(); ++i) {
    EXPECT_TRUE(agents[i]->finished());
    EXPECT_TRUE(simulation.agent(i).X() == agents[i]->X()) << "X of agent " << i;
    EXPECT_TRUE(simulation.agent(i).Y() == agents[i]->Y()) << "Y of agent " << i;
    EXPECT_EQ(simulation.agent(i).rounds(), agents[i]->rounds());
  }
}

TEST(Sum, ThreadsAndSharedStepsChangeNothing) {
  const Problem problem = masked(sum_problem(11, "random:3", 9));
  const sim::Simulation serial = run(problem);
  for (const std::size_t threads : {1U, 2U, 4U}) {
    host::ThreadPool pool(threads);
    sim::Simulation parallel = make(problem);
    ASSERT_TRUE(parallel.run(pool, nullptr, go_on));
    expect_same(serial, parallel);
  }
  expect_as_simulated(serial, run_alone(problem));
}

// Collects every contribution of every agent to every sum.
class Contributions final : public sim::Recorder {
 public:
  void sent(std::uint64_t /*now*/, AgentId from, AgentId /*to*/, const protocol::Message& message) override {
    const auto* partial = std::get_if<protocol::Partial>(&message.body);
    if (partial == nullptr) return;
    const auto [first, fresh] = seen_.try_emplace({from.value, partial->number}, *partial);
    if (!fresh) {
      ++repeated;
      EXPECT_TRUE(first->second == *partial)
          << "agent " << from.value << " contributed twice to sum " << partial->number;
    }
  }
  void received(std::uint64_t /*now*/, AgentId /*from*/, AgentId /*to*/,
                const protocol::Message& /*message*/) override {}

  std::uint64_t repeated = 0;

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, protocol::Partial> seen_;
};

TEST(Sum, FaultsChangeNothingAndNobodyContributesTwice) {
  std::uint64_t crashes = 0;
  std::uint64_t repeated = 0;
  const std::uint64_t seeds = kSanitized ? 100 : 500;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem problem = sum_problem(seed, kTopologies[seed % 5], 3 + static_cast<std::uint32_t>(seed % 5), 5, 4, 2);
    problem.config.settings.starts = seed % 4 == 3 ? 2 : 1;
    const sim::Simulation calm = run(problem);
    Stream stream(Seed::from_number(seed), 'F');
    problem.config.faults = {0.3 * stream.uniform(), 0.3 * stream.uniform(),
                             1 + static_cast<std::uint32_t>(stream.below(6)), 0.2 * stream.uniform()};
    problem.config.fault_seed = seed;
    Contributions contributions;
    problem.config.recorder = &contributions;
    const sim::Simulation disturbed = run(seed % 2 == 0 ? masked(problem) : problem);
    expect_same(calm, disturbed);
    EXPECT_TRUE(disturbed.complaints().empty());
    crashes += disturbed.crashes();
    repeated += contributions.repeated;
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_GT(crashes, 4 * seeds);
  EXPECT_GT(repeated, 4 * seeds) << "no contribution was ever asked for again: nothing was tested";
}

TEST(Sum, APausedRunGoesOnInAnotherProcessToTheSameBytes) {
  Problem problem = masked(sum_problem(5, "random:3", 6, 6));
  problem.config.settings.starts = 2;
  expect_same_after_pauses(problem, 3);
}

TEST(Sum, ARequestToEndEndsAllAgentsAtTheSameRound) {
  const Problem problem = sum_problem(3, "line", 7, 50);
  sim::Simulation simulation = make(problem);
  SerialExecutor serial;
  int asked = 0;
  ASSERT_TRUE(simulation.run(
      serial, nullptr, [&] { return asked++ < 80 ? sim::Simulation::Wish::kGoOn : sim::Simulation::Wish::kEnd; }));
  EXPECT_EQ(simulation.stopped_because(), "request");
  EXPECT_LT(simulation.history().size(), 30U);
  EXPECT_GT(simulation.history().size(), 3U);
  expect_one_X(simulation);
}

// One machine with all columns and a network with the columns split: the same errors, iteration for iteration.
TEST(Sum, IsWhatOneMachineDoes) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const Problem problem = sum_problem(seed, "random:3", 10, 60, 20, 4);
    const sim::Simulation network = run(problem);
    nmf::FactorizeOptions options;
    options.rank = 4;
    options.iterations = 60;
    options.tolerance = 0;
    auto machine = nmf::Factorization::create(all_columns(problem), options, Seed::from_number(seed));
    ASSERT_TRUE(machine);
    for (const sim::HistoryEntry& entry : network.history()) {
      ASSERT_TRUE(machine->step());
      const double squared = machine->relative_error() * machine->relative_error();
      EXPECT_NEAR(entry.relative_error * entry.relative_error / squared, 1, 1e-6) << "iteration " << entry.iteration;
      EXPECT_NEAR(entry.common_error / entry.relative_error, 1, 1e-12) << "iteration " << entry.iteration;
    }
    EXPECT_TRUE(machine->done());
    EXPECT_LT((network.agent(3).X() - machine->X()).norm(), 1e-3 * machine->X().norm());
  }
}

TEST(Sum, TheErrorNeverRisesAndSeveralStartsAreNoWorseThanTheFirst) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    Problem problem = sum_problem(seed, "ring", 5, 100, 12, 4);
    const sim::Simulation one = run(problem);
    problem.config.settings.starts = 3;
    const sim::Simulation three = run(problem);
    EXPECT_EQ(three.history().back().rounds, 100U) << "all starts count";
    for (const sim::Simulation* simulation : {&one, &three}) {
      for (std::size_t n = 1; n < simulation->history().size(); ++n) {
        // Finding the best start's Y again may differ in the last digits.
        EXPECT_LE(simulation->history()[n].common_error, (1 + 1e-9) * simulation->history()[n - 1].common_error);
      }
    }
  }
}

// The opening finds the scale wherever the data lie; a common factor of the data changes Y and nothing else.
TEST(Sum, TheUnitOfTheDataDoesNotMatter) {
  const Problem problem = sum_problem(2, "ring", 4);
  const sim::Simulation plain = run(problem);
  for (const double unit : {0x1p-460, 0x1p-40, 0x1p30, 0x1p450}) {
    Problem scaled = problem;
    for (Matrix& Z : scaled.Z) Z *= unit;
    const sim::Simulation simulation = run(scaled);
    EXPECT_TRUE(simulation.agent(1).X() == plain.agent(1).X()) << unit;
    EXPECT_TRUE(simulation.agent(1).Y() == unit * plain.agent(1).Y()) << unit;
    EXPECT_EQ(*simulation.agent(1).data_scale(), unit * *plain.agent(1).data_scale());
  }
}

// One agent's huge entry beside everybody's small ones: a sentence, never a number that wrapped around.
TEST(Sum, AWordBeyondItsBoundEndsTheRunWithASentence) {
  Problem problem = sum_problem(2, "ring", 4);
  problem.config.settings.data_scale = 1;
  problem.Z[1](0, 0) = 1e12;
  sim::Simulation simulation = make(problem);
  SerialExecutor serial;
  const auto finished = simulation.run(serial, nullptr, go_on);
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, ErrorCode::kNumeric);
  EXPECT_NE(finished.error().message.find("of a sum is 1e+24"), std::string::npos) << finished.error().message;
}

// --- closing a hardened run ------------------------------------------------------------------------------------------

TEST(Closing, GivesEveryAgentOfAHardenedRunTheSameX) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
    Problem problem = small_problem(seed, "random:3", 7, 10, 3);
    problem.config.settings.iterations = 30;
    problem.config.settings.data_scale.reset();
    protocol::complete(problem.config.settings, problem.graph);
    const sim::Simulation closed = run(problem);
    problem.config.settings.closing = false;
    const sim::Simulation open = run(problem);
    const Matrix Z = all_columns(problem);
    for (std::size_t i = 0; i < closed.agents(); ++i) {
      EXPECT_TRUE(closed.agent(i).X() == closed.agent(0).X());
      EXPECT_FALSE(open.agent(i).X() == closed.agent(0).X());
    }
    EXPECT_LE(worst_error(closed, Z), worst_error(open, Z));
    // What is reported as disagreement is that before closing; the errors are those after it.
    EXPECT_EQ(closed.history().back().disagreement, open.history().back().disagreement);
    EXPECT_GT(closed.history().back().disagreement, 0);
    EXPECT_NEAR(closed.history().back().common_error / closed.history().back().relative_error, 1, 1e-12);
    EXPECT_NE(closed.history().back().relative_error, open.history().back().relative_error);
  }
}

TEST(Closing, LeavesPrintedRunsAlone) {
  Problem problem = small_problem(1, "ring", 4);
  problem.config.settings.updates = nmf::Updates::kAsPrinted;
  problem.config.settings.scheme = protocol::SchemeKind::kAsPrinted;
  protocol::complete(problem.config.settings, problem.graph);
  set_cipher(problem);
  const sim::Simulation printed = run(problem);
  EXPECT_FALSE(printed.agent(0).X() == printed.agent(1).X());
}

}  // namespace
}  // namespace ppdnmf::scenario
