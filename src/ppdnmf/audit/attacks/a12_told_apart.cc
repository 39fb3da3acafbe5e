#include <ppdnmf/audit/attacks/a12_told_apart.h>

#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/protocol/sum_iteration.h>

namespace ppdnmf::audit {
namespace {

// Half of every number: totals that other data could have.
Bytes halved(ByteSpan payload) {
  std::vector<double> values = protocol::from_words(protocol::words_of(payload));
  for (double& value : values) value /= 2;
  return protocol::to_bytes(protocol::to_words(values, 1).value_or(protocol::words_of(payload)));
}

}  // namespace

std::function<std::vector<protocol::Message>(AgentId, AgentId, const protocol::Message&)> telling_apart(const ToldApart& attack) {
  return [attack](AgentId from, AgentId to, const protocol::Message& message) {
    protocol::Message out = message;
    if (auto* total = std::get_if<protocol::Total>(&out.body); total != nullptr && from == attack.relay) {
      if (total->number == attack.number + 1) *attack.next = protocol::words_of(total->payload);
      if (total->number == attack.number && to == attack.child) total->payload = halved(total->payload);
    }
    if (auto* part = std::get_if<protocol::Partial>(&out.body); part != nullptr && from == attack.child && to == attack.relay) {
      if (part->number == attack.number + 1) part->chain = attack.chain;
    }
    return std::vector{out};
  };
}

Digest chain_after(const AttackerView& view, std::uint32_t number) {
  for (const ReceivedMessage& received : view.alone().received) {
    const auto* part = std::get_if<protocol::Partial>(&received.message.body);
    if (part != nullptr && part->number == number + 1) return part->chain;
  }
  return {};
}

std::uint32_t first_exchange(const AttackerView& view) {
  for (const auto& [number, payload] : view.alone().totals) {
    const bool exchange = payload.size() == protocol::SumIteration::words(view.settings) * sizeof(protocol::Word);
    if (number >= protocol::kOpeningSums && exchange) return number;
  }
  return protocol::kNever;
}

}  // namespace ppdnmf::audit
