// Identities and a consortium for one run on this machine. Every secret of theirs but the TLS keys follows from the
// seed, as in `simulate`: they protect nothing.
#ifndef PPDNMF_LAUNCH_THROW_AWAY_H_
#define PPDNMF_LAUNCH_THROW_AWAY_H_

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/consortium/check.h>
#include <ppdnmf/consortium/consortium.h>
#include <ppdnmf/identity/private_identity.h>
#include <ppdnmf/protocol/graph.h>

namespace ppdnmf::launch {

// "agent-0", "agent-1", ...
[[nodiscard]] std::string throw_away_name(std::size_t agent);

// With the X25519 keys that `simulate` uses with this seed. Fails as PrivateIdentity::generate does.
[[nodiscard]] Result<std::vector<identity::PrivateIdentity>> throw_away_identities(std::uint32_t agents,
                                                                                   std::uint64_t seed,
                                                                                   std::chrono::sys_seconds now);

// The file of the run: everybody on 127.0.0.1, [throw_away] with the seed, a single neighbour allowed to whom the graph
// gives no more; `known`: columns of X that stay, or null. One identity and one port for each agent of the graph
// (checked). Fails with kUsage if no agent would take part.
[[nodiscard]] Result<consortium::CheckedConsortium> throw_away_consortium(
    std::span<const identity::PrivateIdentity> identities, std::span<const std::uint16_t> ports,
    const protocol::Graph& graph, Index rows, protocol::Settings settings, std::uint64_t seed,
    std::chrono::sys_seconds now, const nmf::KnownColumns* known = nullptr);

}  // namespace ppdnmf::launch

#endif  // PPDNMF_LAUNCH_THROW_AWAY_H_
