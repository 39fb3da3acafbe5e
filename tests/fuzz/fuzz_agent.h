// A small agent for the fuzz targets: agent 1 of a line of three, with one column of data.
#ifndef PPDNMF_TESTS_FUZZ_FUZZ_AGENT_H_
#define PPDNMF_TESTS_FUZZ_FUZZ_AGENT_H_

#include <memory>

#include <ppdnmf/protocol/neighbours/plain_cipher.h>
#include <ppdnmf/protocol/test_agent.h>

namespace ppdnmf {

inline protocol::RunSettings fuzz_settings(protocol::SchemeKind kind) {
  protocol::RunSettings s;
  s.rows = 2;
  s.rank = 1;
  s.iterations = 3;
  s.admm_x = 2;
  s.admm_y = 2;
  s.local_rounds = 2;
  s.tolerance = 0.01;
  s.admm_tolerance = 0.01;
  s.scheme = kind;
  if (kind == protocol::SchemeKind::kAsPrinted) s.updates = nmf::Updates::kAsPrinted;
  protocol::complete(s, protocol::testing_agents::line_of_three());
  return s;
}

inline protocol::Agent fuzz_agent(std::uint32_t self, protocol::SchemeKind kind) {
  const protocol::RunSettings s = fuzz_settings(kind);
  return protocol::testing_agents::make(self, s, 1, std::make_unique<protocol::neighbours::PlainCipher>(s));
}

}  // namespace ppdnmf

#endif  // PPDNMF_TESTS_FUZZ_FUZZ_AGENT_H_
