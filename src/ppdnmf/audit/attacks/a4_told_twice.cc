#include <ppdnmf/audit/attacks/a4_told_twice.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace ppdnmf::audit {

std::function<std::vector<protocol::Message>(AgentId, AgentId, const protocol::Message&)> telling_twice(AgentId relay) {
  return [relay](AgentId from, AgentId /*to*/, const protocol::Message& message) {
    std::vector out{message};
    const auto* total = std::get_if<protocol::Total>(&message.body);
    if (from == relay && total != nullptr && !total->payload.empty()) {
      protocol::Total another = *total;
      another.payload.front() ^= 1U;
      out.push_back(protocol::Message{message.run, another});
    }
    return out;
  };
}

PartCount count_parts(const AttackerView& view) {
  std::map<std::pair<AgentId, std::uint32_t>, std::set<Bytes>> parts;
  for (const ReceivedMessage& received : view.alone().received) {
    if (const auto* part = std::get_if<protocol::Partial>(&received.message.body))
      parts[{received.from, part->number}].insert(part->payload);
  }
  PartCount count;
  for (const auto& [which, payloads] : parts) {
    ++count.all;
    count.second += payloads.size() - 1;
  }
  return count;
}

std::vector<double> opened_difference(const protocol::Words& first, const protocol::Words& second) {
  protocol::Words apart(first.size());
  std::transform(first.begin(), first.end(), second.begin(), apart.begin(), std::minus<>());
  return protocol::from_words(apart);
}

}  // namespace ppdnmf::audit
