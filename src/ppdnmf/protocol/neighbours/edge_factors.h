// Public factors s_ij on the edges of the hardened scheme: agent i opens the sum of s_ij (u_j - u_i).
//
// With equal factors two agents whose neighbourhoods differ in one agent subtract their sums and see it alone. With
// factors that have nothing to do with each other nothing cancels; but then every further colluder's sum is a new
// equation, where equal ones repeat each other (in a complete graph they are all the same). Which is better depends on
// the graph, so that all agents compute both and take the better one.
//
// The factors are the same in every round and every run on a graph: other ones would be more equations for the same
// unknowns once the agents' U move little.
#ifndef PPDNMF_PROTOCOL_NEIGHBOURS_EDGE_FACTORS_H_
#define PPDNMF_PROTOCOL_NEIGHBOURS_EDGE_FACTORS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include <ppdnmf/base/ids.h>
#include <ppdnmf/protocol/graph.h>

namespace ppdnmf::protocol::neighbours {

// From what the factors are drawn; nothing: all are equal.
using FactorSeed = std::optional<std::uint64_t>;

// The better one for this graph: where the agent that is easiest to isolate needs more colluders; if that is the same,
// where all agents together need more; if that is the same, equal factors.
[[nodiscard]] FactorSeed choose_factors(const Graph& graph);

// s_ab = s_ba, from 48 to 80; 1 without a seed.
[[nodiscard]] std::uint32_t edge_factor(const FactorSeed& seed, AgentId a, AgentId b);
// What stands for a factor of one: 64, or 1 without a seed.
[[nodiscard]] std::uint32_t factor_unit(const FactorSeed& seed);
// Bits of the largest factor: 7, or 1 without a seed.
[[nodiscard]] int factor_bits(const FactorSeed& seed);

// By agent and in the order of its neighbours.
using EdgeFactors = std::vector<std::vector<std::uint32_t>>;
[[nodiscard]] EdgeFactors edge_factors(const Graph& graph, const FactorSeed& seed);

}  // namespace ppdnmf::protocol::neighbours

#endif  // PPDNMF_PROTOCOL_NEIGHBOURS_EDGE_FACTORS_H_
