#include <ppdnmf/audit/attacks/a7_pooled_parts.h>

#include <algorithm>
#include <functional>

#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/protocol/sum_iteration.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::audit {
namespace {

constexpr std::uint32_t kFirstMasked = 0;  // its chain is the digest of the run

const protocol::Partial* part_from(const MemberView& member, AgentId of, const std::function<bool(const protocol::Partial&)>& wanted) {
  for (const ReceivedMessage& received : member.received) {
    const auto* part = std::get_if<protocol::Partial>(&received.message.body);
    if (received.from == of && part != nullptr && wanted(*part)) return part;
  }
  return nullptr;
}

}  // namespace

std::optional<Vector> pooled_part(const AttackerView& view, AgentId of) {
  const std::size_t words = protocol::SumIteration::words(view.settings);
  for (const auto& [id, member] : view.members) {
    const protocol::Partial* part = part_from(
        member, of, [&](const protocol::Partial& p) { return p.number >= protocol::kOpeningSums && p.payload.size() == 16 * words; });
    const protocol::Partial* first = part_from(member, of, [&](const protocol::Partial& p) { return p.number == kFirstMasked; });
    if (part == nullptr || first == nullptr) continue;
    protocol::Words left = protocol::words_of(part->payload);
    for (const auto& [helper, knows] : view.members) {
      if (!knows.sum_secrets) continue;                                     // a run without masks
      const crypto::IdentityBytes& nonce = (*knows.sum_secrets->nonces)[of.value];  // the roll call tells all of them to all
      const protocol::SumSecrets& own = *knows.sum_secrets;
      auto pair = crypto::SumPairKey::agree({own.identity, own.ephemeral}, {(*own.members)[of.value], nonce}, first->chain,
                                    helper < of);
      if (!pair) return std::nullopt;
      pair->apply(left, part->chain);  // the helper's mask is minus the agent's
    }
    const std::vector<double> values = protocol::from_words(left);
    return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
  }
  return std::nullopt;
}

}  // namespace ppdnmf::audit
