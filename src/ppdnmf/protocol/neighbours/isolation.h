// Who can see whose numbers alone: what a set of agents that work together learns is linear algebra over the graph.
#ifndef PPDNMF_PROTOCOL_NEIGHBOURS_ISOLATION_H_
#define PPDNMF_PROTOCOL_NEIGHBOURS_ISOLATION_H_

#include <cstdint>
#include <vector>

#include <ppdnmf/protocol/graph.h>
#include <ppdnmf/protocol/neighbours/edge_factors.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::protocol::neighbours {

struct Isolation {
  // How many others a curious agent needs to see this agent's numbers alone. 0: it needs nobody.
  std::uint32_t colluders = 0;
  bool exact = true;  // false: at least this many; looking at larger sets would have taken too long
  friend bool operator==(const Isolation&, const Isolation&) = default;
};

// For each agent; empty for one agent alone.
//   hardened     colluder i knows its sum of s_ij (G_j u_j) over its neighbours j, and the terms of other colluders.
//   Agent
//                j is seen alone when its unit vector is in the span of the colluders' rows (s_ij), restricted to the
//                agents that do not collude. All sets of agents are tried by rising size.
//   as printed   nobody is needed: every answer is opened alone
//   sum          everybody with whom the agent shares a mask but one, that is all others up to 65 agents
[[nodiscard]] std::vector<Isolation> isolation(const Graph& graph, SchemeKind scheme);

// As above for the hardened scheme with these factors instead of those that a run takes (choose_factors). Every
// factor is positive (checked). Ranks are computed modulo 2^61 - 1. `effort` bounds the number of multiplications; the
// default takes well below a second.
[[nodiscard]] std::vector<Isolation> hardened_isolation(const Graph& graph, const EdgeFactors& factors,
                                                        std::uint64_t effort = std::uint64_t{1} << 25U);

// Which agents the colluders see alone, in rising order: the rank question for one set.
[[nodiscard]] std::vector<AgentId> isolated_by(const std::vector<AgentId>& colluders, const Graph& graph,
                                               const EdgeFactors& factors);

}  // namespace ppdnmf::protocol::neighbours

#endif  // PPDNMF_PROTOCOL_NEIGHBOURS_ISOLATION_H_
