// The secrets of agents that are to be simulated or thrown away, all from one number: whoever knows it knows them.
#ifndef PPDNMF_PROTOCOL_SEEDED_SECRETS_H_
#define PPDNMF_PROTOCOL_SEEDED_SECRETS_H_

#include <cstdint>

#include "base/ids.h"
#include "base/random.h"
#include "crypto/mask.h"

namespace ppdnmf {

[[nodiscard]] RunId simulated_run_id(std::uint64_t seed);
[[nodiscard]] Seed simulated_secret(std::uint64_t seed, AgentId agent);
[[nodiscard]] IdentityKey simulated_identity(std::uint64_t seed, AgentId agent);
// The key for masks of this run, whose public bytes are the nonce; from any agent's own secret.
[[nodiscard]] IdentityKey ephemeral_key(const Seed& secret);

}  // namespace ppdnmf

#endif  // PPDNMF_PROTOCOL_SEEDED_SECRETS_H_
