#include "sim/ciphers.h"

#include <utility>

#include "protocol/paillier_cipher.h"
#include "protocol/plain_cipher.h"
#include "protocol/purposes.h"

namespace ppdnmf {
namespace {

enum Purpose : std::uint8_t { kAgentSeed = 'A', kRunStream = 'R' };

IdentityKey simulated_identity(const Seed& secret) {
  Stream stream(secret, kIdentityStream);
  return IdentityKey::generate(stream);
}

std::vector<IdentityBytes> simulated_identities(std::uint32_t agents, std::uint64_t seed) {
  std::vector<IdentityBytes> identities;
  for (std::uint32_t i = 0; i < agents; ++i)
    identities.push_back(simulated_identity(simulated_secret(seed, AgentId{i})).public_bytes());
  return identities;
}

}  // namespace

RunId simulated_run_id(std::uint64_t seed) {
  RunId run{};
  Stream(Seed::from_number(seed), kRunStream).fill(run);
  return run;
}

Seed simulated_secret(std::uint64_t seed, AgentId agent) {
  return Seed::from_number(seed).derive(kAgentSeed, agent.value);
}

CipherFactory plain_ciphers(const RunSettings& settings) {
  return [settings](AgentId) { return std::make_unique<PlainCipher>(settings); };
}

Result<CipherFactory> paillier_ciphers(const RunSettings& settings, const Graph& graph, const KeyOptions& keys,
                                       std::uint64_t seed, Executor& executor) {
  PaillierRun run{simulated_run_id(seed), settings, keys, graph, simulated_identities(graph.agents(), seed)};
  PPDNMF_TRY_STATUS(validate(run));
  return [shared = std::make_shared<const PaillierRun>(std::move(run)), seed, &executor](AgentId self) {
    const Seed secret = simulated_secret(seed, self);
    return std::make_unique<PaillierCipher>(shared, self, secret, simulated_identity(secret), executor);
  };
}

SumSecretsFactory simulated_sum_secrets(std::uint32_t agents, std::uint64_t seed) {
  return [members = std::make_shared<const std::vector<IdentityBytes>>(simulated_identities(agents, seed)),
          seed](AgentId self) -> SumSecrets {
    const Seed secret = simulated_secret(seed, self);
    Stream ephemeral(secret, kSumNonceStream);
    return {simulated_identity(secret), IdentityKey::generate(ephemeral), members};
  };
}

}  // namespace ppdnmf
