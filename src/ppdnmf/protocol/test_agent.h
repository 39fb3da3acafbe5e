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

// Agent `self` of the line, with `columns` columns of data; the cipher is left out where the scheme has none.
inline Agent make(std::uint32_t self, const RunSettings& s, Index columns, std::unique_ptr<neighbours::Cipher> cipher,
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
  if (!sums_only(s.scheme)) config.cipher = std::move(cipher);
  config.accept_columns = std::move(accept_columns);
  return {std::move(config), Seed::from_number(self)};
}

// The agent against itself as a mirror, for `steps` steps: its neighbours say what it says, so every round ends.
inline void run_on(Agent& agent, int steps) {
  std::vector<Send> sends = agent.step(Started{}).sends;
  for (; steps > 0 && !sends.empty(); --steps) {
    std::vector<Send> next;
    for (const Send& send : sends) {
      for (Send& further : agent.step(Received{send.to, send.message}).sends) next.push_back(std::move(further));
    }
    sends = std::move(next);
  }
}

}  // namespace ppdnmf::protocol::testing_agents

#endif  // PPDNMF_PROTOCOL_TEST_AGENT_H_
