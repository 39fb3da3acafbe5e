#include <ppdnmf/audit/attacks/a13_poisoning.h>

#include <cstring>

#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::audit {

std::function<std::vector<protocol::Message>(AgentId, AgentId, const protocol::Message&)> poisoning(AgentId poisoner, std::uint32_t bcd,
                                                                                std::int64_t claim) {
  return [=](AgentId from, AgentId /*to*/, const protocol::Message& message) {
    protocol::Message out = message;
    auto* reply = std::get_if<protocol::Reply>(&out.body);
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

std::function<std::vector<protocol::Message>(AgentId, AgentId, const protocol::Message&)> poisoning_sums(AgentId poisoner, double claim) {
  return [=](AgentId from, AgentId /*to*/, const protocol::Message& message) {
    constexpr std::uint32_t kCurvature = protocol::kOpeningSums;  // the first of the iteration
    protocol::Message out = message;
    const auto poison = [&](auto* sum) {
      if (sum == nullptr || sum->number != kCurvature) return;
      protocol::Words words = protocol::words_of(sum->payload);
      words.back() += protocol::to_words(std::vector{claim}, 1).value_or(protocol::Words{0}).front();
      sum->payload = protocol::to_bytes(words);
    };
    if (from == poisoner) {
      poison(std::get_if<protocol::Partial>(&out.body));
      poison(std::get_if<protocol::Total>(&out.body));
    }
    return std::vector{out};
  };
}

std::function<std::vector<protocol::Message>(AgentId, AgentId, const protocol::Message&)> poisoning_part(AgentId poisoner,
                                                                                     const protocol::RunSettings& settings,
                                                                                     const PoisonedPart& poison) {
  const auto entries = static_cast<std::size_t>(settings.rows * settings.rank);
  const auto word = [](double value) { return protocol::to_words(std::vector{value}, 1).value_or(protocol::Words{0}).front(); };
  return [=](AgentId from, AgentId /*to*/, const protocol::Message& message) {
    protocol::Message out = message;
    auto* part = std::get_if<protocol::Partial>(&out.body);
    if (from == poisoner && part != nullptr && part->number == poison.number) {
      protocol::Words words = protocol::words_of(part->payload);
      for (std::size_t t = 0; t < entries; ++t) words[t] += word(poison.moments);
      words.back() -= word(poison.error_less);
      part->payload = protocol::to_bytes(words);
    }
    return std::vector{out};
  };
}

}  // namespace ppdnmf::audit
