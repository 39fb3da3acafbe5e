#include <ppdnmf/protocol/sum_masks.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include <ppdnmf/base/parts.h>

namespace ppdnmf::protocol {
namespace {

constexpr std::uint8_t kRingPurpose = 'P';

// A permutation of the agents that all compute alike (Fisher-Yates).
std::vector<std::uint32_t> ring_order(std::uint32_t agents, const Digest& nonces) {
  Stream stream(Seed::from_bytes(nonces), kRingPurpose);
  std::vector<std::uint32_t> order(agents);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint32_t left = agents; left > 1; --left) std::swap(order[left - 1], order[stream.below(left)]);
  return order;
}

Digest digest_of(std::span<const crypto::IdentityBytes> nonces) {
  ByteWriter out;
  for (const crypto::IdentityBytes& nonce : nonces) out.put_array(nonce.data(), nonce.size());
  return sha256(out.take());
}

}  // namespace

std::vector<AgentId> mask_partners(AgentId self, std::uint32_t agents, const Digest& nonces) {
  std::vector<AgentId> partners;
  if (agents <= kMaxPaired) {
    for (std::uint32_t i = 0; i < agents; ++i) {
      if (i != self.value) partners.push_back(AgentId{i});
    }
    return partners;
  }
  const std::vector<std::uint32_t> order = ring_order(agents, nonces);
  const auto at = static_cast<std::uint32_t>(std::find(order.begin(), order.end(), self.value) - order.begin());
  for (std::uint32_t step = 1; step <= kRingPartners; ++step) {
    partners.push_back(AgentId{order[(at + step) % agents]});
    partners.push_back(AgentId{order[(at + agents - step) % agents]});
  }
  std::sort(partners.begin(), partners.end());
  return partners;
}

Result<SumMasks> SumMasks::agree(AgentId self, const SumSecrets& own, std::span<const crypto::IdentityBytes> nonces,
                                 const Digest& run) {
  SumMasks masks;
  for (const AgentId partner : mask_partners(self, static_cast<std::uint32_t>(nonces.size()), digest_of(nonces))) {
    auto pair = crypto::SumPairKey::agree({own.identity, own.ephemeral},
                                          {own.members->at(partner.value), nonces[partner.value]}, run, self < partner);
    if (!pair) return at(fmt::format("agent {}", partner.value), std::move(pair).error());
    masks.pairs_.push_back(*std::move(pair));
  }
  return masks;
}

// A part after the other under all masks, while it is near the processor.
void SumMasks::apply(std::span<Word> words, const Digest& chain, Executor& executor) const {
  for_each_part(executor, words.size(), crypto::kMaskPart, [&](std::size_t i, std::size_t first, std::size_t count) {
    for (const crypto::SumPairKey& pair : pairs_) pair.apply_to_part(words.subspan(first, count), i, chain);
  });
}

}  // namespace ppdnmf::protocol
