// Graphs by name.
#ifndef PPDNMF_SIM_TOPOLOGY_H_
#define PPDNMF_SIM_TOPOLOGY_H_

#include <cstdint>
#include <string_view>

#include <ppdnmf/base/random.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/protocol/graph.h>

namespace ppdnmf::sim {

// "ring", "line", "star" (agent 0 in the middle), "complete", or "random:d": connected, with mean degree as near to d
// as the number of agents allows, the same for the same seed. From d = 2 on every agent of three or more has at least
// two neighbours, so that no agent sees a neighbour's messages alone. Fails with kUsage on any other text.
[[nodiscard]] Result<protocol::Graph> make_topology(std::string_view name, std::uint32_t agents, const Seed& seed);

// Whether `make_topology` would know the text; a command line takes any other for a file of edges.
[[nodiscard]] bool is_topology_name(std::string_view name);

// One edge per line, two agents numbered from 0, separated by blanks or a comma; '#' starts a comment.
// Fails with kInvalidData naming the line, or with Graph::create's error.
[[nodiscard]] Result<protocol::Graph> parse_edge_list(std::string_view text, std::uint32_t agents);

}  // namespace ppdnmf::sim

#endif  // PPDNMF_SIM_TOPOLOGY_H_
