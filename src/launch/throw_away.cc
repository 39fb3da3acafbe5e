#include "launch/throw_away.h"

#include <fmt/format.h>

#include <utility>

#include "protocol/seeded_secrets.h"

namespace ppdnmf {

std::string throw_away_name(std::size_t agent) { return fmt::format("agent-{}", agent); }

Result<std::vector<PrivateIdentity>> throw_away_identities(std::uint32_t agents, std::uint64_t seed,
                                                           std::chrono::sys_seconds now) {
  std::vector<PrivateIdentity> out;
  for (std::uint32_t i = 0; i < agents; ++i) {
    PPDNMF_TRY(PrivateIdentity identity,
               PrivateIdentity::generate(throw_away_name(i), simulated_identity(seed, AgentId{i}), now));
    out.push_back(std::move(identity));
  }
  return out;
}

Result<CheckedConsortium> throw_away_consortium(std::span<const PrivateIdentity> identities,
                                                std::span<const std::uint16_t> ports, const Graph& graph,
                                                AgreedSettings settings, std::uint64_t seed,
                                                std::chrono::sys_seconds now) {
  PPDNMF_CHECK(identities.size() == graph.agents() && ports.size() == graph.agents());
  Consortium out;
  for (std::uint32_t i = 0; i < graph.agents(); ++i) {
    const PublicIdentity& identity = identities[i].public_identity();
    out.members.push_back({identity, Address{"127.0.0.1", ports[i]}});
    const bool alone = graph.neighbours(AgentId{i}).size() == 1;
    if (alone && settings.exchange != AgreedExchange::kSum) out.allow_degree_one.push_back(identity.name());
  }
  for (const auto& [a, b] : graph.edges())
    out.edges.emplace_back(out.members[a].identity.name(), out.members[b].identity.name());
  out.settings = std::move(settings);
  out.throw_away_seed = seed;
  return CheckedConsortium::create(std::move(out), now);
}

}  // namespace ppdnmf
