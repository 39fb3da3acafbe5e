#include <ppdnmf/protocol/spanning_tree.h>

#include <algorithm>

namespace ppdnmf::protocol {

std::vector<TreePlace> spanning_tree(const Graph& graph) {
  const std::uint32_t root = graph.centre();
  const std::vector<std::uint32_t> distance = graph.distances_from(root);
  std::vector<TreePlace> places(graph.agents());
  for (std::uint32_t agent = 0; agent < graph.agents(); ++agent) {
    if (agent == root) continue;
    const auto& neighbours = graph.neighbours(AgentId{agent});
    const auto parent = std::find_if(neighbours.begin(), neighbours.end(), [&](AgentId neighbour) {
      return distance[neighbour.value] + 1 == distance[agent];
    });
    places[agent].parent = *parent;
    places[parent->value].children.push_back(AgentId{agent});
  }
  return places;
}

}  // namespace ppdnmf::protocol
