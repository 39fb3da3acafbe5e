#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <variant>

#include "fuzz_agent.h"
#include "fuzz_choices.h"
#include <ppdnmf/base/result.h>

namespace {

using namespace ppdnmf;

protocol::Round round_from(Choices& choices) {
  const std::uint32_t b = choices.byte();
  return b == 255 ? protocol::Round{protocol::kNever, protocol::kNever} : protocol::Round{b & 7U, b >> 4U};
}

protocol::Message message_from(Choices& choices, const protocol::RunSettings& s) {
  protocol::Message message;
  const std::uint8_t kind = choices.byte();
  if ((kind & 0x40U) == 0) message.run = protocol::testing_agents::kRun;
  const std::size_t whole = 8 * s.entries();
  const std::size_t size = (kind & 0x20U) != 0 ? choices.byte() : whole;
  // Half of the kinds are about sums, so that a run of them can go on.
  if (const std::uint32_t number = kind & 7U; number >= 4) {
    const std::size_t words = (kind & 8U) != 0 ? choices.byte() % 24U : std::size_t{1};
    Bytes payload = (kind & 0x80U) != 0 ? choices.bytes(16 * words) : Bytes(16 * words);
    const std::uint32_t sum = choices.byte() % 16U;
    const bool stop = (kind & 0x10U) != 0;
    if (number < 6) {
      Digest chain = s.digest(protocol::testing_agents::line_of_three());
      if (number == 5) chain[choices.byte() % 32U] ^= choices.byte();
      message.body = protocol::Partial{sum, stop, chain, std::move(payload)};
    } else {
      message.body = protocol::Total{sum, stop, std::move(payload)};
    }
    return message;
  }
  if (kind % 4 == 0) {
    protocol::Hello hello;
    hello.again = (kind & 0x10U) != 0;
    if ((kind & 0x80U) == 0) hello.common = s.digest(protocol::testing_agents::line_of_three());
    hello.weight = (kind & 8U) != 0 ? choices.number() : 1 + choices.byte();
    if ((kind & 0x20U) != 0) hello.payload = choices.bytes(size);
    message.body = hello;
  } else if (kind % 4 == 1) {
    protocol::Query query;
    query.round = round_from(choices);
    query.stop_admm = (kind & 8U) != 0 ? choices.byte() : protocol::kNever;
    query.payload = (kind & 0x80U) != 0 ? choices.bytes(size) : Bytes(size);
    message.body = query;
  } else {
    protocol::Reply reply;
    reply.round = round_from(choices);
    reply.weight = (kind & 8U) != 0 ? choices.number() : 1 + choices.byte();
    reply.payload = (kind & 0x80U) != 0 ? choices.bytes(size) : Bytes(size);
    message.body = reply;
  }
  return message;
}

}  // namespace

// Whatever arrives: no crash; one answer per neighbour and round, one part per sum; at most one end; a state that
// can be loaded again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Choices choices(data, size);
  constexpr protocol::SchemeKind kKinds[] = {protocol::SchemeKind::kHardened, protocol::SchemeKind::kAsPrinted,
                                             protocol::SchemeKind::kSum};
  const protocol::SchemeKind kind = kKinds[choices.byte() % 3U];
  const protocol::RunSettings s = fuzz_settings(kind);
  protocol::Agent agent = fuzz_agent(1, kind);
  std::map<std::pair<std::uint32_t, protocol::Round>, protocol::Reply> answers;
  std::map<std::uint32_t, protocol::Partial> parts;
  int ends = 0;
  bool failed = false;
  for (int events = 0; !choices.empty() && events < 200; ++events) {
    const std::uint8_t what = choices.byte();
    protocol::Event event = protocol::Ticked{};
    if (what < 16) event = protocol::Started{};
    if (what >= 24 && what < 28) event = protocol::StopRequested{};
    if (what >= 28) event = protocol::Received{AgentId{what % 4U}, message_from(choices, s)};
    const protocol::Step step = agent.step(event);
    for (const protocol::Send& send : step.sends) {
      PPDNMF_CHECK(send.to.value == 0 || send.to.value == 2);
      if (const auto* reply = std::get_if<protocol::Reply>(&send.message.body)) {
        const auto [found, fresh] = answers.try_emplace({send.to.value, reply->round}, *reply);
        PPDNMF_CHECK(found->second == *reply && (!fresh || step.state));
      }
      if (const auto* part = std::get_if<protocol::Partial>(&send.message.body)) {
        const auto [found, fresh] = parts.try_emplace(part->number, *part);
        PPDNMF_CHECK(found->second == *part && (!fresh || step.state));
      }
    }
    failed = failed || step.failure() != nullptr;
    PPDNMF_CHECK(!step.failure() || (!step.state && step.sends.empty()));
    if (step.end) ++ends;
    PPDNMF_CHECK(ends <= 1);
  }
  if (!failed) {
    protocol::Agent again = fuzz_agent(1, kind);
    const auto loaded = again.load(agent.save());
    PPDNMF_CHECK(loaded.has_value());
    (void)again.step(protocol::Started{});
  }
  return 0;
}
