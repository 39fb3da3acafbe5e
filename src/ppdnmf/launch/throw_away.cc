#include <ppdnmf/launch/throw_away.h>

#include <fmt/format.h>

#include <utility>

#include <ppdnmf/protocol/seeded_secrets.h>

namespace ppdnmf::launch {

std::string throw_away_name(std::size_t agent) { return fmt::format("agent-{}", agent); }

Result<std::vector<identity::PrivateIdentity>> throw_away_identities(std::uint32_t agents, std::uint64_t seed,
                                                                     std::chrono::sys_seconds now) {
  std::vector<identity::PrivateIdentity> out;
  for (std::uint32_t i = 0; i < agents; ++i) {
    PPDNMF_TRY(
        identity::PrivateIdentity identity,
        identity::PrivateIdentity::generate(throw_away_name(i), protocol::simulated_identity(seed, AgentId{i}), now));
    out.push_back(std::move(identity));
  }
  return out;
}

Result<consortium::CheckedConsortium> throw_away_consortium(std::span<const identity::PrivateIdentity> identities,
                                                            std::span<const std::uint16_t> ports,
                                                            const protocol::Graph& graph, Index rows,
                                                            protocol::Settings settings, std::uint64_t seed,
                                                            std::chrono::sys_seconds now,
                                                            const nmf::KnownColumns* known) {
  PPDNMF_CHECK(identities.size() == graph.agents() && ports.size() == graph.agents());
  consortium::Consortium out;
  for (std::uint32_t i = 0; i < graph.agents(); ++i) {
    const identity::PublicIdentity& identity = identities[i].public_identity();
    out.members.push_back({identity, identity::Address{"127.0.0.1", ports[i]}});
    const bool alone = graph.neighbours(AgentId{i}).size() == 1;
    if (alone && !protocol::sums_only(protocol::scheme_of(settings))) out.allow_degree_one.push_back(identity.name());
  }
  for (const auto& [a, b] : graph.edges())
    out.edges.emplace_back(out.members[a].identity.name(), out.members[b].identity.name());
  out.rows = rows;
  out.settings = protocol::chosen(settings, rows, graph);
  out.settings.trust_members = !out.settings.epsilon;  // one machine holds all data
  out.throw_away_seed = seed;
  if (known != nullptr) out.known = consortium::known_digest(*known);
  return consortium::CheckedConsortium::create(std::move(out), now);
}

}  // namespace ppdnmf::launch
