#include <ppdnmf/protocol/graph.h>

#include <algorithm>
#include <limits>

namespace ppdnmf::protocol {
namespace {

constexpr std::uint32_t kUnreached = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Result<Graph> Graph::create(std::uint32_t agents, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges) {
  if (agents == 0) return error(ErrorCode::kUsage, "a network needs at least one agent");
  std::vector<std::vector<AgentId>> neighbours(agents);
  for (const auto& [a, b] : edges) {
    if (a >= agents || b >= agents) {
      return error(ErrorCode::kUsage,
                   "the edge {}-{} names an agent that does not exist: there are {}, numbered from 0", a, b, agents);
    }
    if (a == b) return error(ErrorCode::kUsage, "agent {} has an edge to itself", a);
    neighbours[a].push_back(AgentId{b});
    neighbours[b].push_back(AgentId{a});
  }
  for (auto& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  Graph graph(std::move(neighbours));
  std::uint32_t nearest = kUnreached;
  for (std::uint32_t agent = 0; agent < agents; ++agent) {
    const std::vector<std::uint32_t> distances = graph.distances_from(agent);
    const auto farthest = std::max_element(distances.begin(), distances.end());
    if (*farthest == kUnreached) {
      return error(
          ErrorCode::kUsage,
          "the graph is not connected: agent {} cannot be reached from agent {}; add an edge between the parts",
          farthest - distances.begin(), agent);
    }
    graph.diameter_ = std::max(graph.diameter_, *farthest);
    if (*farthest < nearest) {
      nearest = *farthest;
      graph.centre_ = agent;
    }
  }
  return graph;
}

std::vector<std::uint32_t> Graph::distances_from(std::uint32_t agent) const {
  std::vector<std::uint32_t> distances(agents(), kUnreached);
  std::vector<std::uint32_t> frontier = {agent};
  distances[agent] = 0;
  for (std::size_t at = 0; at < frontier.size(); ++at) {
    for (const AgentId next : neighbours_[frontier[at]]) {
      if (distances[next.value] != kUnreached) continue;
      distances[next.value] = distances[frontier[at]] + 1;
      frontier.push_back(next.value);
    }
  }
  return distances;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> Graph::edges() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t a = 0; a < agents(); ++a) {
    for (const AgentId b : neighbours_[a]) {
      if (a < b.value) edges.emplace_back(a, b.value);
    }
  }
  return edges;
}

std::uint32_t Graph::max_degree() const {
  std::size_t degree = 0;
  for (const auto& list : neighbours_) degree = std::max(degree, list.size());
  return static_cast<std::uint32_t>(degree);
}

}  // namespace ppdnmf::protocol
