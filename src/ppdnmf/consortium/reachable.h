// Who can be joined to whom: an edge needs one of its two members to listen.
#ifndef PPDNMF_CONSORTIUM_REACHABLE_H_
#define PPDNMF_CONSORTIUM_REACHABLE_H_

#include <vector>

#include <ppdnmf/protocol/graph.h>

namespace ppdnmf::consortium {

// The wished graph if every edge of it can be. Otherwise those that can, a ring of the members that listen, and three
// of them (or all, if they are fewer) for each that does not. Fails with kUsage if nobody listens.
[[nodiscard]] Result<protocol::Graph> reachable_graph(const protocol::Graph& wished, const std::vector<bool>& listens);

}  // namespace ppdnmf::consortium

#endif  // PPDNMF_CONSORTIUM_REACHABLE_H_
