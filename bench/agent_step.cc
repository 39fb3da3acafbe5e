// How much faster one agent's steps become with two threads, by the clock, on a tall matrix. The agent is that of a
// real run: its sums are masked and every step carries the state to save. Usage: agent_step [ROWS [COLUMNS [RANK
// [ROUNDS]]]]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <bench/timing.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/nmf/start.h>
#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/sim/assembly.h>
#include <ppdnmf/sim/topology.h>

namespace {

using namespace ppdnmf;

struct Shape {
  Index rows = 20000;
  Index columns = 500;
  Index rank = 20;
  int rounds = 30;
};

// Agent 0 has nearly all columns; the others are there because masks need partners.
constexpr std::uint32_t kAgents = 3;
constexpr Index kOthers = 2;

Matrix random_matrix(Index rows, Index columns, std::uint32_t name) {
  Stream stream(Seed::from_number(1), 'Z', name);
  Matrix matrix(rows, columns);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = stream.uniform();
  return matrix;
}

// A low rank and noise, so that the descent has something to find.
Matrix tall_matrix(const Shape& shape, Index columns, std::uint32_t agent) {
  return random_matrix(shape.rows, shape.rank, kAgents) * random_matrix(shape.rank, columns, agent) +
         0.1 * random_matrix(shape.rows, columns, kAgents + 1 + agent);
}

protocol::RunSettings settings_of(const Shape& shape, const protocol::Graph& graph) {
  protocol::RunSettings settings;
  settings.scheme = protocol::SchemeKind::kSum;
  settings.rows = shape.rows;
  settings.rank = shape.rank;
  settings.iterations = shape.rounds;
  protocol::complete(settings, graph);
  return settings;
}

struct Spent {
  double clock = 0;
  double processor = 0;
};

// All steps of agent 0 in one run.
Spent run(const Shape& shape, const std::vector<data::SharedColumns>& columns, Executor& executor, Matrix& X) {
  const protocol::Graph graph = *sim::make_topology("star", kAgents, Seed::from_number(1));
  const protocol::RunSettings settings = settings_of(shape, graph);
  const sim::SimulationConfig config = *sim::assemble(settings, graph, 1, {std::nullopt, true}, executor);
  std::vector<std::unique_ptr<protocol::Agent>> agents;
  for (std::uint32_t i = 0; i < kAgents; ++i) {
    protocol::AgentConfig agent;
    agent.settings = settings;
    agent.settings_digest = settings.digest(graph);
    agent.self = AgentId{i};
    agent.agents = kAgents;
    agent.neighbours = graph.neighbours(agent.self);
    agent.place = protocol::spanning_tree(graph)[i];
    agent.start = [&](int) {
      return nmf::common_start(settings.start, shape.rows, shape.rank, Seed::from_number(1), 0);
    };
    agent.columns = std::make_unique<nmf::Holder>(columns[i], executor);
    agent.masks = config.make_sum_secrets(agent.self);
    agents.push_back(std::make_unique<protocol::Agent>(std::move(agent), Seed::from_number(i)));
  }
  Spent spent;
  std::deque<std::pair<std::uint32_t, protocol::Event>> events;
  for (std::uint32_t i = 0; i < kAgents; ++i) events.emplace_back(i, protocol::Started{});
  while (!events.empty()) {
    const auto [to, event] = std::move(events.front());
    events.pop_front();
    const Spent before{wall_seconds(), cpu_seconds()};
    protocol::Step step = agents[to]->step(event);
    if (to == 0) {
      spent.clock += wall_seconds() - before.clock;
      spent.processor += cpu_seconds() - before.processor;
    }
    if (step.state) agents[to]->lend(*std::move(step.state));  // as a member of a real run does
    for (const protocol::Send& send : step.sends)
      events.emplace_back(send.to.value, protocol::Received{AgentId{to}, send.message});
  }
  X = agents[0]->X();
  return spent;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  Shape shape;
  if (argc > 1) shape.rows = std::atol(argv[1]);
  if (argc > 2) shape.columns = std::atol(argv[2]);
  if (argc > 3) shape.rank = std::atol(argv[3]);
  if (argc > 4) shape.rounds = std::atoi(argv[4]);
  std::vector<data::SharedColumns> columns;
  for (std::uint32_t i = 0; i < kAgents; ++i)
    columns.push_back(data::own(tall_matrix(shape, i == 0 ? shape.columns : kOthers, i)));
  host::ThreadPool two(2);
  std::vector<double> alone;
  std::vector<double> shared;
  std::vector<double> processor;
  for (int repetition = 0; repetition < 3; ++repetition) {
    Matrix X;
    Matrix X_of_two;
    const Spent one = run(shape, columns, serial_executor(), X);
    alone.push_back(one.clock);
    processor.push_back(one.processor);
    shared.push_back(run(shape, columns, two, X_of_two).clock);
    if (X != X_of_two) {
      fmt::print(stderr, "threads changed X\n");
      return 1;
    }
  }
  fmt::print(
      "an agent's steps, {} x {}, rank {}, {} rounds: one thread {:.2f} s ({:.2f} s of the processor), "
      "two threads {:.2f} s: {:.2f} times as fast\n",
      shape.rows, shape.columns, shape.rank, shape.rounds, median(alone), median(processor), median(shared),
      median(alone) / median(shared));
  return 0;
}
