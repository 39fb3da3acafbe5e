#include <ppdnmf/sim/transcript.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <utility>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/protocol/neighbours/forwarding_cipher.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::sim {

// Passes everything on and notes what is opened.
class RecordingCipher final : public protocol::neighbours::ForwardingCipher {
 public:
  RecordingCipher(std::unique_ptr<protocol::neighbours::Cipher> cipher, AgentId self, std::vector<std::string>& opened)
      : protocol::neighbours::ForwardingCipher(std::move(cipher)), self_(self), opened_(opened) {}

  [[nodiscard]] Result<std::vector<std::int64_t>> open(
      protocol::Round round, std::span<const protocol::neighbours::ReceivedReply> replies) override {
    auto sum = cipher().open(round, replies);
    std::vector<std::uint32_t> from;
    for (const protocol::neighbours::ReceivedReply& reply : replies) from.push_back(reply.from.value);
    if (sum) {
      opened_.push_back(fmt::format("{} opens {}.{} of {}: {}", self_.value, round.iteration, round.admm,
                                    fmt::join(from, "+"), fmt::join(*sum, " ")));
    }
    return sum;
  }

 private:
  AgentId self_;
  std::vector<std::string>& opened_;
};

CipherFactory Transcript::record(CipherFactory factory) {
  return [this, factory = std::move(factory)](AgentId self) {
    return std::make_unique<RecordingCipher>(factory(self), self, opened_[self.value]);
  };
}

void Transcript::sent(std::uint64_t now, AgentId from, AgentId to, const protocol::Message& message) {
  take_opened(from);  // an agent opens before it sends what follows from it
  text_ += fmt::format("{} {} sends {} {}\n", now, from.value, to.value, describe(message));
}

void Transcript::received(std::uint64_t now, AgentId from, AgentId to, const protocol::Message& message) {
  text_ += fmt::format("{} {} gets {} {}\n", now, to.value, from.value, describe(message));
}

std::string Transcript::text() {
  for (std::uint32_t i = 0; i < opened_.size(); ++i) take_opened(AgentId{i});
  return text_;
}

void Transcript::take_opened(AgentId agent) {
  for (const std::string& line : std::exchange(opened_[agent.value], {})) text_ += line + "\n";
}

std::string Transcript::describe(const protocol::Message& message) const {
  const auto stop = [](std::uint32_t at) { return at == protocol::kNever ? std::string("-") : std::to_string(at); };
  if (const auto* hello = std::get_if<protocol::Hello>(&message.body)) {
    return fmt::format("hello{} weight {} {}", hello->again ? " again" : "", hello->weight, describe(hello->payload));
  }
  if (const auto* query = std::get_if<protocol::Query>(&message.body)) {
    return fmt::format("query {}.{} stop {} {}", query->round.iteration, query->round.admm, stop(query->stop_admm),
                       describe(query->payload));
  }
  if (const auto* partial = std::get_if<protocol::Partial>(&message.body)) {
    return fmt::format("part {}{} {}", partial->number, partial->stop ? " stop" : "", describe_words(partial->payload));
  }
  if (const auto* total = std::get_if<protocol::Total>(&message.body)) {
    return fmt::format("total {}{} {}", total->number, total->stop ? " stop" : "", describe_words(total->payload));
  }
  const auto& reply = std::get<protocol::Reply>(message.body);
  return fmt::format("reply {}.{} weight {} {}", reply.round.iteration, reply.round.admm, reply.weight,
                     describe(reply.payload));
}

// A total is plain even where the parts are masked.
std::string Transcript::describe_words(ByteSpan payload) {
  if (payload.empty()) return "nothing";
  std::string text = "[";
  for (const protocol::Word word : protocol::words_of(payload)) {
    if (text.size() > 1) text += ' ';
    const auto high = static_cast<std::uint64_t>(word >> 64);
    text += high == 0 ? fmt::format("{:x}", static_cast<std::uint64_t>(word))
                      : fmt::format("{:x}{:016x}", high, static_cast<std::uint64_t>(word));
  }
  return text + "]";
}

std::string Transcript::describe(ByteSpan payload) const {
  if (payload.empty()) return "nothing";
  if (plain_) {
    std::vector<std::int64_t> values(payload.size() / sizeof(std::int64_t));
    std::memcpy(values.data(), payload.data(), values.size() * sizeof(std::int64_t));
    return fmt::format("[{}]", fmt::join(values, " "));
  }
  const Digest digest = sha256(payload);
  return fmt::format("{} bytes {:02x}", payload.size(), fmt::join(digest.begin(), digest.begin() + 8, ""));
}

}  // namespace ppdnmf::sim
