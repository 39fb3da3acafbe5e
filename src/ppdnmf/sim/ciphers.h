// The secrets of simulated agents, all from the run's seed, and what makes their ciphers.
#ifndef PPDNMF_SIM_CIPHERS_H_
#define PPDNMF_SIM_CIPHERS_H_

#include <cstdint>
#include <functional>
#include <memory>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/protocol/graph.h>
#include <ppdnmf/protocol/neighbours/cipher.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/protocol/seeded_secrets.h>
#include <ppdnmf/protocol/sum_masks.h>

namespace ppdnmf::sim {

// Makes one agent's cipher; called once per agent and again after each crash, from any thread.
using CipherFactory = std::function<std::unique_ptr<protocol::neighbours::Cipher>(AgentId self)>;

[[nodiscard]] CipherFactory plain_ciphers(const protocol::RunSettings& settings);
// Fails as validate(PaillierRun) does. `executor` outlives the ciphers; it may be the one that steps their agents.
[[nodiscard]] Result<CipherFactory> paillier_ciphers(const protocol::RunSettings& settings,
                                                     const protocol::Graph& graph, const crypto::KeyOptions& keys,
                                                     std::uint64_t seed, Executor& executor);

// What one agent brings to masked sums; called as a CipherFactory is. An empty one stands for sums without masks.
using SumSecretsFactory = std::function<protocol::SumSecrets(AgentId self)>;
[[nodiscard]] SumSecretsFactory simulated_sum_secrets(std::uint32_t agents, std::uint64_t seed);

}  // namespace ppdnmf::sim

#endif  // PPDNMF_SIM_CIPHERS_H_
