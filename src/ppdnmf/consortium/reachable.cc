#include <ppdnmf/consortium/reachable.h>

#include <algorithm>
#include <set>
#include <utility>

namespace ppdnmf::consortium {
namespace {

constexpr std::size_t kWays = 3;  // from a member that does not listen into the rest

}  // namespace

Result<protocol::Graph> reachable_graph(const protocol::Graph& wished, const std::vector<bool>& listens) {
  const auto can_be = [&](const auto& edge) { return listens[edge.first] || listens[edge.second]; };
  const auto all = wished.edges();
  if (std::all_of(all.begin(), all.end(), can_be)) return wished;
  std::vector<std::uint32_t> listeners;
  for (std::uint32_t i = 0; i < listens.size(); ++i)
    if (listens[i]) listeners.push_back(i);
  if (listeners.empty()) {
    return error(ErrorCode::kUsage,
                 "no member listens, so that none can be reached: give one an address, as `member=FILE.pub@HOST:PORT`, "
                 "or all of them a relay, as `relay=FILE.pub@HOST:PORT`");
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  const auto add = [&](std::uint32_t a, std::uint32_t b) {
    if (a != b) edges.insert(std::minmax(a, b));
  };
  for (const auto& edge : all)
    if (can_be(edge)) edges.insert(edge);
  for (std::size_t i = 0; i < listeners.size(); ++i) add(listeners[i], listeners[(i + 1) % listeners.size()]);
  const std::size_t ways = std::min(kWays, listeners.size());
  for (std::uint32_t i = 0; i < listens.size(); ++i) {
    if (listens[i]) continue;
    auto degree = static_cast<std::size_t>(
        std::count_if(edges.begin(), edges.end(), [&](const auto& e) { return e.first == i || e.second == i; }));
    for (std::size_t n = i; degree < ways; ++n) {
      const std::size_t before = edges.size();
      add(i, listeners[n % listeners.size()]);
      degree += edges.size() - before;
    }
  }
  return protocol::Graph::create(wished.agents(), {edges.begin(), edges.end()});
}

}  // namespace ppdnmf::consortium
