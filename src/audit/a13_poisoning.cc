#include "audit/a13_poisoning.h"

#include <cstring>

#include "protocol/words.h"

namespace ppdnmf {

std::function<std::vector<Message>(AgentId, AgentId, const Message&)> poisoning(AgentId poisoner, std::uint32_t bcd,
                                                                                std::int64_t claim) {
  return [=](AgentId from, AgentId /*to*/, const Message& message) {
    Message out = message;
    auto* reply = std::get_if<Reply>(&out.body);
    if (from == poisoner && reply != nullptr && reply->round.bcd == bcd) {
      std::int64_t slot = 0;
      std::uint8_t* last = reply->payload.data() + reply->payload.size() - sizeof slot;
      std::memcpy(&slot, last, sizeof slot);
      slot += claim;
      std::memcpy(last, &slot, sizeof slot);
    }
    return std::vector{out};
  };
}

std::function<std::vector<Message>(AgentId, AgentId, const Message&)> poisoning_sums(AgentId poisoner, double claim) {
  return [=](AgentId from, AgentId /*to*/, const Message& message) {
    constexpr std::uint32_t kCurvature = 3;  // after columns, entries and norm
    Message out = message;
    const auto poison = [&](auto* sum) {
      if (sum == nullptr || sum->number != kCurvature) return;
      Words words = words_of(sum->payload);
      words.back() += to_words(std::vector{claim}, 1).value_or(Words{0}).front();
      sum->payload = to_bytes(words);
    };
    if (from == poisoner) {
      poison(std::get_if<Partial>(&out.body));
      poison(std::get_if<Total>(&out.body));
    }
    return std::vector{out};
  };
}

}  // namespace ppdnmf
