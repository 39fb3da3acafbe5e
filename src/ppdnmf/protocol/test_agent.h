// An agent for tests and fuzz targets: one of a line of three. Without GoogleTest, which fuzz targets do not have.
#ifndef PPDNMF_PROTOCOL_TEST_AGENT_H_
#define PPDNMF_PROTOCOL_TEST_AGENT_H_

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <ppdnmf/protocol/agent.h>

namespace ppdnmf::protocol::testing_agents {

inline constexpr RunId kRun = {1, 2, 3};

inline Graph line_of_three() { return *Graph::create(3, {{0, 1}, {1, 2}}); }

// Agent `self` of the line, with `columns` columns of data.
inline Agent make(std::uint32_t self, const RunSettings& s, Index columns, std::unique_ptr<Cipher> cipher,
                  std::function<Status(Index)> accept_columns = {}) {
  const Graph graph = line_of_three();
  AgentConfig config;
  config.run = kRun;
  config.settings = s;
  config.settings_digest = s.digest(graph);
  config.self = AgentId{self};
  config.agents = graph.agents();
  config.neighbours = graph.neighbours(config.self);
  config.place = spanning_tree(graph)[self];
  config.start = [s](int number) {
    Matrix X0 = Matrix::Constant(s.rows, s.rank, 0.5);
    X0(0, 0) = 0.25 / (1 + number);
    return X0;
  };
  config.columns = nmf::dense_holder(Matrix::Constant(s.rows, columns, 1.0 + self));
  config.cipher = std::move(cipher);
  config.accept_columns = std::move(accept_columns);
  return Agent(std::move(config), Seed::from_number(self));
}

// The agent against itself as a mirror, for `steps` steps: its neighbours say what it says, so every exchange ends.
inline void run_on(Agent& agent, int steps) {
  std::vector<Action> actions = agent.step(Started{});
  for (; steps > 0 && !actions.empty(); --steps) {
    std::vector<Action> next;
    for (const Action& action : actions) {
      const auto* send = std::get_if<Send>(&action);
      if (send == nullptr) continue;
      for (Action& further : agent.step(Received{send->to, send->message})) next.push_back(std::move(further));
    }
    actions = std::move(next);
  }
}

}  // namespace ppdnmf::protocol::testing_agents

#endif  // PPDNMF_PROTOCOL_TEST_AGENT_H_
