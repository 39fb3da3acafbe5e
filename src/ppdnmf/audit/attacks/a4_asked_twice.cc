#include <ppdnmf/audit/attacks/a4_asked_twice.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>

#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/setups.h>

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

Deviation asking_twice(AgentId attacker) {
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

namespace {

// The share of rounds in which a second, different question got a useful answer.
Result<Trial> asked_twice_trial(const AuditSetup& setup, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed, 6);
  problem.deviation = asking_twice(kAttacker);
  PPDNMF_TRY(const Recording run, record(problem));
  const AttackerView view = run.view(kAttacker);
  std::size_t twice = 0;
  const std::vector<AgentId>& neighbours = problem.graph.neighbours(kAttacker);
  for (const AgentId j : neighbours) twice += answered_twice(view, j).size();
  return Trial{static_cast<double>(twice) / static_cast<double>(6 * neighbours.size()), 0};
}

// Whether a replier that answers twice told its weight.
Result<Trial> careless_trial(std::uint64_t seed) {
  Stream stream(Seed::from_number(seed), 'c');
  const auto weight = static_cast<std::int64_t>(1 + stream.below(1U << 20U));
  constexpr std::size_t kEntries = 24;
  std::vector<std::int64_t> u(kEntries);
  for (std::int64_t& entry : u) entry = static_cast<std::int64_t>(stream.below(1'000'000));
  // The same weight for two questions, the blinding drawn afresh.
  const auto answer = [&](std::int64_t question) {
    Answered out{std::vector<std::int64_t>(kEntries, question), {}};
    for (const std::int64_t entry : u) {
      const auto blinding = static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(weight))) - weight / 2;
      out.answer.push_back(weight * (entry + question) + blinding);
    }
    return out;
  };
  const Answered first = answer(0);
  return Trial{weight_from_two(first, answer(1'000'000)) == weight ? 1.0 : 0.0, 0};
}

}  // namespace

void plan_asking_twice(Plan& plan) {
  plan.add(
      Plan::row("A4", "broken replier", "an asker that asks twice", "share of weights found", Measure::kShare, false),
      plan.seeds(100, 10), careless_trial);
  for (const protocol::SchemeKind scheme : {kPrinted, kHardened}) {
    const AuditSetup s{scheme};
    plan.add(Plan::row("A4", s, "share of second questions that were answered", Measure::kShare), plan.seeds(100, 3),
             [s](std::uint64_t seed) { return asked_twice_trial(s, seed); });
  }
}

}  // namespace ppdnmf::audit
