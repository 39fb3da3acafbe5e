// The secrets of agents that are to be simulated or thrown away, all from one number: whoever knows it knows them.
#ifndef PPDNMF_PROTOCOL_SEEDED_SECRETS_H_
#define PPDNMF_PROTOCOL_SEEDED_SECRETS_H_

#include <cstdint>

#include <ppdnmf/base/ids.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/crypto/mask.h>

namespace ppdnmf::protocol {

[[nodiscard]] RunId simulated_run_id(std::uint64_t seed);
[[nodiscard]] Seed simulated_secret(std::uint64_t seed, AgentId agent);
[[nodiscard]] crypto::IdentityKey simulated_identity(std::uint64_t seed, AgentId agent);
// The key for masks of this run, whose public bytes are the nonce; from any agent's own secret.
[[nodiscard]] crypto::IdentityKey ephemeral_key(const Seed& secret);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_SEEDED_SECRETS_H_
