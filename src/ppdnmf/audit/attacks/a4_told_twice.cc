#include <ppdnmf/audit/attacks/a4_told_twice.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/setups.h>

namespace ppdnmf::audit {

Deviation telling_twice(AgentId relay) {
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

Result<Trial> told_twice_trial(const AuditSetup& setup, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed, 6);
  problem.masks = true;
  const AgentId relay = places_in(problem.graph).root;
  problem.deviation = telling_twice(relay);
  PPDNMF_TRY(const Recording run, record(problem));
  const PartCount parts = count_parts(run.view(relay));
  if (parts.all == 0) return error(ErrorCode::kInternal, "no part reached the root");
  return Trial{static_cast<double>(parts.second) / static_cast<double>(parts.all), 0};
}

Result<Trial> careless_part_trial(std::uint64_t seed) {
  Stream stream(Seed::from_number(seed), 'c');
  constexpr std::size_t kNumbers = 24;
  std::vector<double> numbers(2 * kNumbers);
  for (double& number : numbers) number = static_cast<double>(stream.below(1'000'000)) / 1000;
  PPDNMF_TRY(protocol::Words first, protocol::to_words(std::span(numbers).first(kNumbers), 2));
  PPDNMF_TRY(protocol::Words second, protocol::to_words(std::span(numbers).last(kNumbers), 2));
  for (std::size_t k = 0; k < kNumbers; ++k) {
    const protocol::Word mask = (protocol::Word{stream.next()} << 64U) | stream.next();
    first[k] += mask;
    second[k] += mask;
  }
  const std::vector<double> apart = opened_difference(first, second);
  bool found = true;
  for (std::size_t k = 0; k < kNumbers; ++k)
    found = found && std::abs(apart[k] - (numbers[k] - numbers[kNumbers + k])) < 1e-9;
  return Trial{found ? 1.0 : 0.0, 0};
}

void plan_telling_twice(Plan& plan) {
  plan.add(Plan::row("A4", "broken replier", "a relay that gets two parts of one sum", "share of differences found",
                     Measure::kShare, false),
           plan.seeds(100, 10), careless_part_trial);
  const AuditSetup s = smallest_sum();
  plan.add(Plan::row("A4", s, "share of parts that were sent a second time, changed", Measure::kShare),
           plan.seeds(100, 3), [s](std::uint64_t seed) { return told_twice_trial(s, seed); });
}

}  // namespace ppdnmf::audit
