// The way that sums take through the graph. Everybody knows the graph, so everybody knows the same tree.
#ifndef PPDNMF_PROTOCOL_SPANNING_TREE_H_
#define PPDNMF_PROTOCOL_SPANNING_TREE_H_

#include <optional>
#include <vector>

#include <ppdnmf/protocol/graph.h>

namespace ppdnmf::protocol {

// One agent's neighbours in the tree.
struct TreePlace {
  std::optional<AgentId> parent;  // none at the root
  std::vector<AgentId> children;  // in rising order
};

// Breadth first from the graph's centre: the agent whose farthest agent is nearest, the smallest of several; an agent's
// parent is the smallest of the neighbours that are nearer to the root. The place of every agent, by its number.
[[nodiscard]] std::vector<TreePlace> spanning_tree(const Graph& graph);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_SPANNING_TREE_H_
