#include <ppdnmf/audit/attacks/a4_asked_twice.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>

namespace ppdnmf::audit {
namespace {

constexpr std::int64_t kFarApart = 1'000'000;  // one unit of U at the usual resolution

std::vector<std::int64_t> integers(const Bytes& payload) {
  std::vector<std::int64_t> out(payload.size() / sizeof(std::int64_t));
  std::memcpy(out.data(), payload.data(), out.size() * sizeof(std::int64_t));
  return out;
}

Bytes moved_apart(Bytes payload) {
  std::vector<std::int64_t> values = integers(payload);
  for (std::size_t t = 0; t + 1 < values.size(); ++t) values[t] += kFarApart;
  std::memcpy(payload.data(), values.data(), payload.size());
  return payload;
}

}  // namespace

std::optional<std::int64_t> weight_from_two(const Answered& first, const Answered& second) {
  double weighted = 0;
  double squared = 0;
  for (std::size_t t = 0; t + 1 < first.question.size(); ++t) {
    const auto apart = static_cast<double>(second.question[t] - first.question[t]);
    weighted += apart * static_cast<double>(second.answer[t] - first.answer[t]);
    squared += apart * apart;
  }
  if (squared == 0) return std::nullopt;
  return std::llround(weighted / squared);
}

std::function<std::vector<protocol::Message>(AgentId, AgentId, const protocol::Message&)> asking_twice(AgentId attacker) {
  return [attacker](AgentId from, AgentId /*to*/, const protocol::Message& message) {
    std::vector out{message};
    const auto* query = std::get_if<protocol::Query>(&message.body);
    if (from == attacker && query != nullptr) {
      protocol::Query another = *query;
      another.payload = moved_apart(another.payload);
      out.push_back(protocol::Message{message.run, another});
    }
    return out;
  };
}

std::vector<std::pair<Answered, Answered>> answered_twice(const AttackerView& view, AgentId of) {
  const MemberView& self = view.alone();
  std::map<protocol::Round, std::vector<Bytes>> answers;
  for (const ReceivedMessage& received : self.received) {
    const auto* reply = std::get_if<protocol::Reply>(&received.message.body);
    if (received.from != of || reply == nullptr) continue;
    std::vector<Bytes>& known = answers[reply->round];
    if (std::find(known.begin(), known.end(), reply->payload) == known.end()) known.push_back(reply->payload);
  }
  std::vector<std::pair<Answered, Answered>> out;
  for (const auto& [round, payloads] : answers) {
    if (payloads.size() < 2) continue;
    const auto query = std::find_if(self.queries.begin(), self.queries.end(),
                                    [&, r = round](const OwnQuery& q) { return q.round == r; });
    std::vector<std::int64_t> second = query->minus_u;
    for (std::size_t t = 0; t + 1 < second.size(); ++t) second[t] += kFarApart;
    out.push_back({{query->minus_u, integers(payloads[0])}, {second, integers(payloads[1])}});
  }
  return out;
}

}  // namespace ppdnmf::audit
