#include "sim/ciphers.h"

#include <utility>

#include "protocol/paillier_cipher.h"
#include "protocol/plain_cipher.h"
#include "protocol/seeded_secrets.h"

namespace ppdnmf {
namespace {

std::vector<IdentityBytes> simulated_identities(std::uint32_t agents, std::uint64_t seed) {
  std::vector<IdentityBytes> identities;
  for (std::uint32_t i = 0; i < agents; ++i) identities.push_back(simulated_identity(seed, AgentId{i}).public_bytes());
  return identities;
}

std::vector<IdentityBytes> simulated_nonces(std::uint32_t agents, std::uint64_t seed) {
  std::vector<IdentityBytes> nonces;
  for (std::uint32_t i = 0; i < agents; ++i)
    nonces.push_back(ephemeral_key(simulated_secret(seed, AgentId{i})).public_bytes());
  return nonces;
}

}  // namespace

CipherFactory plain_ciphers(const RunSettings& settings) {
  return [settings](AgentId) { return std::make_unique<PlainCipher>(settings); };
}

Result<CipherFactory> paillier_ciphers(const RunSettings& settings, const Graph& graph, const KeyOptions& keys,
                                       std::uint64_t seed, Executor& executor) {
  const std::uint32_t agents = graph.agents();
  PaillierRun run{simulated_run_id(seed),        settings, keys, graph, simulated_identities(agents, seed),
                  simulated_nonces(agents, seed)};
  PPDNMF_TRY_STATUS(validate(run));
  return [shared = std::make_shared<const PaillierRun>(std::move(run)), seed, &executor](AgentId self) {
    const Seed secret = simulated_secret(seed, self);
    return std::make_unique<PaillierCipher>(shared, self, secret, simulated_identity(seed, self), ephemeral_key(secret),
                                            executor);
  };
}

SumSecretsFactory simulated_sum_secrets(std::uint32_t agents, std::uint64_t seed) {
  return [members = std::make_shared<const std::vector<IdentityBytes>>(simulated_identities(agents, seed)),
          nonces = std::make_shared<const std::vector<IdentityBytes>>(simulated_nonces(agents, seed)),
          seed](AgentId self) -> SumSecrets {
    return {simulated_identity(seed, self), ephemeral_key(simulated_secret(seed, self)), members, nonces};
  };
}

}  // namespace ppdnmf
