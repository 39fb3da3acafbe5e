#include <cstddef>
#include <cstdint>

#include "fuzz_agent.h"
#include <ppdnmf/base/result.h>

using namespace ppdnmf;
using protocol::testing_agents::run_on;

// A damaged state is refused, or at least never takes the agent out of its bounds. The first two bytes choose the
// round and either a real state, to which the rest are changes (place, place, value), or the rest as a state with
// the right digest.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  constexpr protocol::SchemeKind kKinds[] = {protocol::SchemeKind::kHardened, protocol::SchemeKind::kAsPrinted,
                                             protocol::SchemeKind::kSum};
  const protocol::SchemeKind kind = kKinds[(data[0] ^ data[1]) % 3U];
  Bytes state;
  if ((data[0] & 2U) != 0) {
    protocol::Agent agent = fuzz_agent(1, kind);
    run_on(agent, data[1] % 24);
    state = agent.save();
    for (std::size_t at = 2; at + 2 < size; at += 3) {
      state[(data[at] + 256U * data[at + 1]) % state.size()] = data[at + 2];
    }
    if ((data[0] & 4U) != 0) state.resize(state.size() - data[0] / 8U);
  } else {
    state.assign(data + 2, data + size);
    const Digest digest = fuzz_settings(kind).digest(protocol::testing_agents::line_of_three());
    for (std::size_t i = 0; i < digest.size() && 4 + i < state.size(); ++i) state[4 + i] = digest[i];
  }
  protocol::Agent agent = fuzz_agent(1, kind);
  if (!agent.load(state)) return 0;
  protocol::Agent again = fuzz_agent(1, kind);
  PPDNMF_CHECK(again.load(agent.save()).has_value());
  run_on(agent, 40);
  return 0;
}
