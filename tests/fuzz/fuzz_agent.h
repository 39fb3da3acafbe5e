// A small agent for the fuzz targets: agent 1 of a line of three, with one column of data.
#ifndef PPDNMF_TESTS_FUZZ_FUZZ_AGENT_H_
#define PPDNMF_TESTS_FUZZ_FUZZ_AGENT_H_

#include <memory>
#include <utility>

#include "protocol/agent.h"
#include "protocol/plain_cipher.h"

namespace ppdnmf {

inline constexpr RunId kFuzzRun = {7, 7, 7};

inline Graph fuzz_graph() { return *Graph::create(3, {{0, 1}, {1, 2}}); }

inline RunSettings fuzz_settings(bool printed) {
  RunSettings s;
  s.rows = 2;
  s.rank = 1;
  s.bcd = 3;
  s.admm_x = 2;
  s.admm_y = 2;
  s.local_rounds = 2;
  s.bcd_tolerance = 0.01;
  s.admm_tolerance = 0.01;
  if (printed) {
    s.updates = Updates::kAsPrinted;
    s.exchange = ExchangeKind::kAsPrinted;
  }
  complete(s, fuzz_graph());
  return s;
}

inline Agent fuzz_agent(std::uint32_t self, bool printed) {
  const RunSettings s = fuzz_settings(printed);
  const Graph graph = fuzz_graph();
  AgentConfig config;
  config.run = kFuzzRun;
  config.settings = s;
  config.settings_digest = s.digest(graph);
  config.self = AgentId{self};
  config.neighbours = graph.neighbours(config.self);
  config.X0 = Matrix::Constant(2, 1, 0.5);
  config.Z = Matrix::Constant(2, 1, 1.0 + self);
  config.cipher = std::make_unique<PlainCipher>(s);
  return {std::move(config), Seed::from_number(self)};
}

}  // namespace ppdnmf

#endif  // PPDNMF_TESTS_FUZZ_FUZZ_AGENT_H_
