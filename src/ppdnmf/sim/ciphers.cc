#include <ppdnmf/sim/ciphers.h>

#include <utility>

#include <ppdnmf/protocol/neighbours/paillier_cipher.h>
#include <ppdnmf/protocol/neighbours/plain_cipher.h>
#include <ppdnmf/protocol/seeded_secrets.h>

namespace ppdnmf::sim {
namespace {

std::vector<crypto::IdentityBytes> simulated_identities(std::uint32_t agents, std::uint64_t seed) {
  std::vector<crypto::IdentityBytes> identities;
  for (std::uint32_t i = 0; i < agents; ++i)
    identities.push_back(protocol::simulated_identity(seed, AgentId{i}).public_bytes());
  return identities;
}

std::vector<crypto::IdentityBytes> simulated_nonces(std::uint32_t agents, std::uint64_t seed) {
  std::vector<crypto::IdentityBytes> nonces;
  for (std::uint32_t i = 0; i < agents; ++i)
    nonces.push_back(protocol::ephemeral_key(protocol::simulated_secret(seed, AgentId{i})).public_bytes());
  return nonces;
}

}  // namespace

CipherFactory plain_ciphers(const protocol::RunSettings& settings) {
  return [settings](AgentId) { return std::make_unique<protocol::neighbours::PlainCipher>(settings); };
}

Result<CipherFactory> paillier_ciphers(const protocol::RunSettings& settings, const protocol::Graph& graph,
                                       const crypto::KeyOptions& keys, std::uint64_t seed, Executor& executor) {
  const std::uint32_t agents = graph.agents();
  protocol::neighbours::PaillierRun run{
      protocol::simulated_run_id(seed), settings, keys, graph, simulated_identities(agents, seed),
      simulated_nonces(agents, seed)};
  PPDNMF_TRY_STATUS(protocol::neighbours::validate(run));
  return [shared = std::make_shared<const protocol::neighbours::PaillierRun>(std::move(run)), seed,
          &executor](AgentId self) {
    const Seed secret = protocol::simulated_secret(seed, self);
    return std::make_unique<protocol::neighbours::PaillierCipher>(
        shared, self, secret, protocol::simulated_identity(seed, self), protocol::ephemeral_key(secret), executor);
  };
}

SumSecretsFactory simulated_sum_secrets(std::uint32_t agents, std::uint64_t seed) {
  return [members = std::make_shared<const std::vector<crypto::IdentityBytes>>(simulated_identities(agents, seed)),
          nonces = std::make_shared<const std::vector<crypto::IdentityBytes>>(simulated_nonces(agents, seed)),
          seed](AgentId self) -> protocol::SumSecrets {
    return {protocol::simulated_identity(seed, self), protocol::ephemeral_key(protocol::simulated_secret(seed, self)),
            members, nonces};
  };
}

}  // namespace ppdnmf::sim
