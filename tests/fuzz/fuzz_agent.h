// A small agent for the fuzz targets: agent 1 of a line of three, with one column of data.
#ifndef PPDNMF_TESTS_FUZZ_FUZZ_AGENT_H_
#define PPDNMF_TESTS_FUZZ_FUZZ_AGENT_H_

#include <memory>

#include "protocol/plain_cipher.h"
#include "protocol/test_agent.h"

namespace ppdnmf {

inline RunSettings fuzz_settings(ExchangeKind kind) {
  RunSettings s;
  s.rows = 2;
  s.rank = 1;
  s.bcd = 3;
  s.admm_x = 2;
  s.admm_y = 2;
  s.local_rounds = 2;
  s.bcd_tolerance = 0.01;
  s.admm_tolerance = 0.01;
  s.exchange = kind;
  if (kind == ExchangeKind::kAsPrinted) s.updates = Updates::kAsPrinted;
  complete(s, testing_agents::line_of_three());
  return s;
}

inline Agent fuzz_agent(std::uint32_t self, ExchangeKind kind) {
  const RunSettings s = fuzz_settings(kind);
  return testing_agents::make(self, s, 1, std::make_unique<PlainCipher>(s));
}

}  // namespace ppdnmf

#endif  // PPDNMF_TESTS_FUZZ_FUZZ_AGENT_H_
