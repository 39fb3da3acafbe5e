#include <ppdnmf/run/timed_masks.h>

#include <algorithm>
#include <vector>

#include <ppdnmf/protocol/sum_masks.h>
#include <ppdnmf/sim/ciphers.h>

namespace ppdnmf::run {

Result<Masks> time_masks(std::uint32_t agents, std::size_t words) {
  // Fewer partners than there are stand for all of them.
  constexpr std::uint32_t kSample = 9;
  const std::uint32_t sampled = std::min(agents, kSample);
  const sim::SumSecretsFactory secrets = sim::simulated_sum_secrets(sampled, 1);
  std::vector<crypto::IdentityBytes> nonces;
  for (std::uint32_t i = 0; i < sampled; ++i) nonces.push_back(secrets(AgentId{i}).ephemeral.public_bytes());
  const protocol::SumSecrets own = secrets(AgentId{0});
  const double partners = std::min(agents, protocol::kMaxPaired) - 1.0;
  const double scale = sampled > 1 ? partners / (sampled - 1) : 0;
  Masks seconds;
  Result<protocol::SumMasks> masks = protocol::SumMasks();
  seconds.agree = scale * seconds_of([&] { masks = protocol::SumMasks::agree(AgentId{0}, own, nonces, Digest{}); });
  PPDNMF_TRY_STATUS(masks.map([](const protocol::SumMasks&) {}));
  protocol::Words sum(words);
  seconds.apply = scale * seconds_of([&] { masks->apply(sum, Digest{}); });
  return seconds;
}

}  // namespace ppdnmf::run
