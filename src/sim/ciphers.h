// The secrets of simulated agents, all from the run's seed, and what makes their ciphers.
#ifndef PPDNMF_SIM_CIPHERS_H_
#define PPDNMF_SIM_CIPHERS_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "base/executor.h"
#include "base/random.h"
#include "crypto/key.h"
#include "protocol/cipher.h"
#include "protocol/graph.h"
#include "protocol/seeded_secrets.h"
#include "protocol/settings.h"
#include "protocol/sum_masks.h"

namespace ppdnmf {

// Makes one agent's cipher; called once per agent and again after each crash, from any thread.
using CipherFactory = std::function<std::unique_ptr<Cipher>(AgentId self)>;

[[nodiscard]] CipherFactory plain_ciphers(const RunSettings& settings);
// Fails as validate(PaillierRun) does. `executor` outlives the ciphers; it may be the one that steps their agents.
[[nodiscard]] Result<CipherFactory> paillier_ciphers(const RunSettings& settings, const Graph& graph,
                                                     const KeyOptions& keys, std::uint64_t seed, Executor& executor);

// What one agent brings to masked sums; called as a CipherFactory is. An empty one stands for sums without masks.
using SumSecretsFactory = std::function<SumSecrets(AgentId self)>;
[[nodiscard]] SumSecretsFactory simulated_sum_secrets(std::uint32_t agents, std::uint64_t seed);

}  // namespace ppdnmf

#endif  // PPDNMF_SIM_CIPHERS_H_
