#include <ppdnmf/sim/topology.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ppdnmf::sim {
namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr std::string_view kRandomPrefix = "random:";

Edges line(std::uint32_t agents) {
  Edges edges;
  for (std::uint32_t i = 1; i < agents; ++i) edges.emplace_back(i - 1, i);
  return edges;
}

Edges ring(std::uint32_t agents) {
  Edges edges = line(agents);
  if (agents > 2) edges.emplace_back(0, agents - 1);
  return edges;
}

Edges star(std::uint32_t agents) {
  Edges edges;
  for (std::uint32_t i = 1; i < agents; ++i) edges.emplace_back(0, i);
  return edges;
}

Edges complete_graph(std::uint32_t agents) {
  Edges edges;
  for (std::uint32_t i = 0; i < agents; ++i) {
    for (std::uint32_t j = i + 1; j < agents; ++j) edges.emplace_back(i, j);
  }
  return edges;
}

// A ring through the agents in random order, or a random tree if the degree is too low for one, then random edges.
Edges random_connected(std::uint32_t agents, double mean_degree, const Seed& seed) {
  constexpr std::uint8_t kPurpose = 'G';
  Stream stream(seed, kPurpose);
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  const auto add = [&](std::uint32_t a, std::uint32_t b) {
    if (a != b) edges.emplace(std::min(a, b), std::max(a, b));
  };
  if (mean_degree >= 2) {
    std::vector<std::uint32_t> order(agents);
    std::iota(order.begin(), order.end(), 0U);
    for (std::uint32_t i = agents; i > 1; --i) std::swap(order[i - 1], order[stream.below(i)]);
    for (std::uint32_t i = 0; i < agents; ++i) add(order[i], order[(i + 1) % agents]);
  } else {
    for (std::uint32_t i = 1; i < agents; ++i) add(static_cast<std::uint32_t>(stream.below(i)), i);
  }
  const double most = 0.5 * agents * (agents - 1.0);
  const auto wanted = static_cast<std::size_t>(std::llround(std::min(0.5 * agents * mean_degree, most)));
  while (edges.size() < wanted) {
    const auto a = static_cast<std::uint32_t>(stream.below(agents));
    add(a, static_cast<std::uint32_t>(stream.below(agents)));
  }
  return {edges.begin(), edges.end()};
}

std::optional<double> parse_degree(std::string_view name) {
  if (!name.starts_with(kRandomPrefix)) return std::nullopt;
  const std::string_view number = name.substr(kRandomPrefix.size());
  double degree = 0;
  const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), degree);
  if (status != std::errc() || end != number.data() + number.size() || !(degree > 0) || !std::isfinite(degree))
    return std::nullopt;
  return degree;
}

}  // namespace

bool is_topology_name(std::string_view name) {
  return name == "ring" || name == "line" || name == "star" || name == "complete" || name.starts_with(kRandomPrefix);
}

Result<protocol::Graph> make_topology(std::string_view name, std::uint32_t agents, const Seed& seed) {
  if (name == "ring") return protocol::Graph::create(agents, ring(agents));
  if (name == "line") return protocol::Graph::create(agents, line(agents));
  if (name == "star") return protocol::Graph::create(agents, star(agents));
  if (name == "complete") return protocol::Graph::create(agents, complete_graph(agents));
  if (const auto degree = parse_degree(name))
    return protocol::Graph::create(agents, random_connected(agents, *degree, seed));
  return error(ErrorCode::kUsage,
               "`topology={}` is not known: give random:D with a mean degree D, ring, line, star, complete, or a "
               "file of edges",
               name);
}

Result<protocol::Graph> parse_edge_list(std::string_view text, std::uint32_t agents) {
  Edges edges;
  for (std::size_t line_number = 1; !text.empty(); ++line_number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view rest = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    rest = rest.substr(0, rest.find('#'));

    std::vector<std::uint32_t> numbers;
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == ',' || c == '\r'; };
    for (;;) {
      while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
      if (rest.empty()) break;
      std::uint32_t number = 0;
      const auto [stop, status] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
      const auto length = static_cast<std::size_t>(stop - rest.data());
      if (status != std::errc() || (length < rest.size() && !is_blank(rest[length]))) {
        return error(ErrorCode::kInvalidData, "line {} is not two agent numbers", line_number);
      }
      numbers.push_back(number);
      rest.remove_prefix(length);
    }
    if (numbers.empty()) continue;
    if (numbers.size() != 2) {
      return error(ErrorCode::kInvalidData, "line {} has {} numbers where an edge has two", line_number,
                   numbers.size());
    }
    edges.emplace_back(numbers[0], numbers[1]);
  }
  return protocol::Graph::create(agents, edges);
}

}  // namespace ppdnmf::sim
