#include "audit/a13_poisoning.h"

#include <cstring>

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

}  // namespace ppdnmf
