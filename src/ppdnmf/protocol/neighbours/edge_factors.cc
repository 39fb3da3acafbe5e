#include <ppdnmf/protocol/neighbours/edge_factors.h>

#include <algorithm>
#include <utility>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/protocol/neighbours/isolation.h>

namespace ppdnmf::protocol::neighbours {
namespace {

constexpr std::uint8_t kPurpose = 'F';
constexpr std::uint32_t kUnit = 64;
constexpr std::uint32_t kFewest = 48;
constexpr std::uint32_t kMax = 80;
constexpr std::uint64_t kEffort = std::uint64_t{1} << 23U;  // to compare; what is printed may take longer

std::uint64_t seed_of(const Graph& graph) {
  ByteWriter out;
  out.put_string("ppdnmf edge factors 1");
  out.put(graph.agents());
  for (const auto& [a, b] : graph.edges()) {
    out.put(a);
    out.put(b);
  }
  const Digest digest = sha256(out.take());
  std::uint64_t seed = 0;
  for (std::size_t byte = 0; byte < sizeof(seed); ++byte) seed = seed << 8U | digest[byte];
  return seed;
}

// The smallest number of colluders of all agents, and their sum.
std::pair<std::uint32_t, std::uint64_t> strength(const Graph& graph, const FactorSeed& seed) {
  std::pair<std::uint32_t, std::uint64_t> strength{graph.agents(), 0};
  for (const Isolation& agent : hardened_isolation(graph, edge_factors(graph, seed), kEffort)) {
    strength.first = std::min(strength.first, agent.colluders);
    strength.second += agent.colluders;
  }
  return strength;
}

}  // namespace

FactorSeed choose_factors(const Graph& graph) {
  const FactorSeed seed = seed_of(graph);
  return strength(graph, seed) > strength(graph, std::nullopt) ? seed : std::nullopt;
}

std::uint32_t edge_factor(const FactorSeed& seed, AgentId a, AgentId b) {
  if (!seed) return 1;
  Stream stream(Seed::from_number(*seed), kPurpose, std::min(a, b).value, std::max(a, b).value);
  return kFewest + static_cast<std::uint32_t>(stream.below(kMax - kFewest + 1));
}

std::uint32_t factor_unit(const FactorSeed& seed) { return seed ? kUnit : 1; }

int factor_bits(const FactorSeed& seed) { return seed ? 7 : 1; }

EdgeFactors edge_factors(const Graph& graph, const FactorSeed& seed) {
  EdgeFactors factors(graph.agents());
  for (std::uint32_t i = 0; i < graph.agents(); ++i) {
    for (const AgentId j : graph.neighbours(AgentId{i})) factors[i].push_back(edge_factor(seed, AgentId{i}, j));
  }
  return factors;
}

}  // namespace ppdnmf::protocol::neighbours
