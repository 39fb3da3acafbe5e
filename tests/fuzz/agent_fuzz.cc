#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <variant>

#include "base/result.h"
#include "fuzz_agent.h"

namespace {

using namespace ppdnmf;

// Bytes to choose from; zeros when they are used up.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  std::uint8_t byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  std::int64_t number() {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8U | byte();
    return static_cast<std::int64_t>(value);
  }
  Bytes bytes(std::size_t size) {
    Bytes out(size);
    for (auto& b : out) b = byte();
    return out;
  }
  [[nodiscard]] bool empty() const { return left_ == 0; }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

Round round_from(Choices& choices) {
  const std::uint32_t b = choices.byte();
  return b == 255 ? Round{kNever, kNever} : Round{b & 7U, b >> 4U};
}

Message message_from(Choices& choices, const RunSettings& s) {
  Message message;
  const std::uint8_t kind = choices.byte();
  if ((kind & 0x40U) == 0) message.run = testing_agents::kRun;
  const std::size_t whole = 8 * s.entries();
  const std::size_t size = (kind & 0x20U) != 0 ? choices.byte() : whole;
  // Half of the kinds are about sums, so that a run of them can go on.
  if (const std::uint32_t number = kind & 7U; number >= 4) {
    const std::size_t words = (kind & 8U) != 0 ? choices.byte() % 24U : std::size_t{1};
    Bytes payload = (kind & 0x80U) != 0 ? choices.bytes(16 * words) : Bytes(16 * words);
    const std::uint32_t sum = choices.byte() % 16U;
    const bool stop = (kind & 0x10U) != 0;
    if (number < 6) {
      Digest chain = s.digest(testing_agents::line_of_three());
      if (number == 5) chain[choices.byte() % 32U] ^= choices.byte();
      message.body = Partial{sum, stop, chain, std::move(payload)};
    } else {
      message.body = Total{sum, stop, std::move(payload)};
    }
    return message;
  }
  if (kind % 4 == 0) {
    Hello hello;
    hello.stage = choices.byte() % 4;
    hello.again = (kind & 0x10U) != 0;
    if ((kind & 0x80U) == 0) hello.settings = s.digest(testing_agents::line_of_three());
    hello.weight = (kind & 8U) != 0 ? choices.number() : 1 + choices.byte();
    if ((kind & 0x20U) != 0) hello.payload = choices.bytes(size);
    message.body = hello;
  } else if (kind % 4 == 1) {
    Query query;
    query.round = round_from(choices);
    query.stop_admm = (kind & 8U) != 0 ? choices.byte() : kNever;
    query.payload = (kind & 0x80U) != 0 ? choices.bytes(size) : Bytes(size);
    message.body = query;
  } else {
    Reply reply;
    reply.round = round_from(choices);
    reply.weight = (kind & 8U) != 0 ? choices.number() : 1 + choices.byte();
    reply.payload = (kind & 0x80U) != 0 ? choices.bytes(size) : Bytes(size);
    message.body = reply;
  }
  return message;
}

}  // namespace

// Whatever arrives: no crash; one answer per neighbour and exchange, one part per sum; at most one end; a state that
// can be loaded again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Choices choices(data, size);
  constexpr ExchangeKind kKinds[] = {ExchangeKind::kHardened, ExchangeKind::kAsPrinted, ExchangeKind::kSum};
  const ExchangeKind kind = kKinds[choices.byte() % 3U];
  const RunSettings s = fuzz_settings(kind);
  Agent agent = fuzz_agent(1, kind);
  std::map<std::pair<std::uint32_t, Round>, Reply> answers;
  std::map<std::uint32_t, Partial> parts;
  int ends = 0;
  bool failed = false;
  for (int events = 0; !choices.empty() && events < 200; ++events) {
    const std::uint8_t what = choices.byte();
    Event event = Ticked{};
    if (what < 16) event = Started{};
    if (what >= 24 && what < 28) event = StopRequested{};
    if (what >= 28) event = Received{AgentId{what % 4U}, message_from(choices, s)};
    for (const Action& action : agent.step(event)) {
      if (const auto* send = std::get_if<Send>(&action)) {
        PPDNMF_CHECK(send->to.value == 0 || send->to.value == 2);
        if (const auto* reply = std::get_if<Reply>(&send->message.body)) {
          const auto [found, fresh] = answers.try_emplace({send->to.value, reply->round}, *reply);
          PPDNMF_CHECK(fresh || found->second == *reply);
        }
        if (const auto* part = std::get_if<Partial>(&send->message.body)) {
          const auto [found, fresh] = parts.try_emplace(part->number, *part);
          PPDNMF_CHECK(fresh || found->second == *part);
        }
      }
      failed = failed || std::holds_alternative<Fail>(action);
      if (std::holds_alternative<Fail>(action) || std::holds_alternative<Finish>(action)) ++ends;
    }
    PPDNMF_CHECK(ends <= 1);
  }
  if (!failed) {
    Agent again = fuzz_agent(1, kind);
    const auto loaded = again.load(agent.save());
    PPDNMF_CHECK(loaded.has_value());
    (void)again.step(Started{});
  }
  return 0;
}
