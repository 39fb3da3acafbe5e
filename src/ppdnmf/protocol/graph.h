// Who talks to whom. Public: every agent knows the whole graph.
#ifndef PPDNMF_PROTOCOL_GRAPH_H_
#define PPDNMF_PROTOCOL_GRAPH_H_

#include <cstdint>
#include <utility>
#include <vector>

#include <ppdnmf/base/ids.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf::protocol {

// Undirected, connected, without loops or double edges; neighbours in rising order. Immutable.
class Graph {
 public:
  // Fails with kUsage on an agent >= `agents`, a loop, or a graph that is not connected (it names an agent that cannot
  // be reached). An edge given twice counts once. One agent without edges is a graph.
  [[nodiscard]] static Result<Graph> create(std::uint32_t agents,
                                            const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges);

  [[nodiscard]] std::uint32_t agents() const { return static_cast<std::uint32_t>(neighbours_.size()); }
  [[nodiscard]] const std::vector<AgentId>& neighbours(AgentId agent) const { return neighbours_.at(agent.value); }
  // Each edge once, the smaller agent first, in rising order.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> edges() const;
  [[nodiscard]] std::uint32_t max_degree() const;
  // The largest distance between two agents.
  [[nodiscard]] std::uint32_t diameter() const { return diameter_; }
  // The agent whose farthest agent is nearest; the smallest of several.
  [[nodiscard]] std::uint32_t centre() const { return centre_; }
  // How many edges each agent is away from this one.
  [[nodiscard]] std::vector<std::uint32_t> distances_from(std::uint32_t agent) const;

 private:
  explicit Graph(std::vector<std::vector<AgentId>> neighbours) : neighbours_(std::move(neighbours)) {}

  std::vector<std::vector<AgentId>> neighbours_;
  std::uint32_t diameter_ = 0;
  std::uint32_t centre_ = 0;
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_GRAPH_H_
