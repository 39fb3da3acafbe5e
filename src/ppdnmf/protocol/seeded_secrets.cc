#include <ppdnmf/protocol/seeded_secrets.h>

#include <ppdnmf/protocol/purposes.h>

namespace ppdnmf::protocol {
namespace {

enum Purpose : std::uint8_t { kAgentSeed = 'A', kRunStream = 'R' };

}  // namespace

RunId simulated_run_id(std::uint64_t seed) {
  RunId run{};
  Stream(Seed::from_number(seed), kRunStream).fill(run);
  return run;
}

Seed simulated_secret(std::uint64_t seed, AgentId agent) {
  return Seed::from_number(seed).derive(kAgentSeed, agent.value);
}

crypto::IdentityKey simulated_identity(std::uint64_t seed, AgentId agent) {
  Stream stream(simulated_secret(seed, agent), kIdentityStream);
  return crypto::IdentityKey::generate(stream);
}

crypto::IdentityKey ephemeral_key(const Seed& secret) {
  Stream stream(secret, kEphemeralStream);
  return crypto::IdentityKey::generate(stream);
}

}  // namespace ppdnmf::protocol
