#include <ppdnmf/audit/attacks/a12_told_apart.h>

#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/totals.h>
#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/protocol/spanning_tree.h>
#include <ppdnmf/protocol/sum_scheme.h>

namespace ppdnmf::audit {
namespace {

// Half of every number: totals that other data could have.
Bytes halved(ByteSpan payload) {
  std::vector<double> values = protocol::from_words(protocol::words_of(payload));
  for (double& value : values) value /= 2;
  return protocol::to_bytes(protocol::to_words(values, 1).value_or(protocol::words_of(payload)));
}

}  // namespace

Deviation telling_apart(const ToldApart& attack) {
  return [attack](AgentId from, AgentId to, const protocol::Message& message) {
    protocol::Message out = message;
    if (auto* total = std::get_if<protocol::Total>(&out.body); total != nullptr && from == attack.relay) {
      if (total->number == attack.number + 1) *attack.next = protocol::words_of(total->payload);
      if (total->number == attack.number && to == attack.child) total->payload = halved(total->payload);
    }
    if (auto* part = std::get_if<protocol::Partial>(&out.body);
        part != nullptr && from == attack.child && to == attack.relay) {
      if (part->number == attack.number + 1) part->chain = attack.chain;
    }
    return std::vector{out};
  };
}

Digest chain_after(const AttackerView& view, std::uint32_t number) {
  for (const ReceivedMessage& received : view.alone().received) {
    const auto* part = std::get_if<protocol::Partial>(&received.message.body);
    if (part != nullptr && part->number == number + 1) return part->chain;
  }
  return {};
}

Result<Trial> told_apart_trial(const AuditSetup& setup, bool masked, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed, 3);
  problem.masks = masked;
  problem.deviation = send_unchanged;
  PPDNMF_TRY(const Recording clean, record(problem));
  ToldApart attack;
  attack.relay = places_in(problem.graph).root;
  attack.child = protocol::spanning_tree(problem.graph)[attack.relay.value].children.front();
  const AttackerView view = clean.view(attack.relay);
  attack.number = first_round(view);
  attack.chain = chain_after(view, attack.number);
  problem.deviation = telling_apart(attack);
  const auto ended = record(problem);  // it may well end with a sentence: what counts is what the relay learned
  static_cast<void>(ended);
  if (attack.next->empty()) return Trial{0, 0};
  // A total that did not open is noise of 2^63; one that did is like the one that everybody expected.
  const std::vector<double> got = protocol::from_words(*attack.next);
  const std::vector<double> expected =
      protocol::from_words(protocol::words_of(view.alone().totals.at(attack.number + 1)));
  const Eigen::Map<const Vector> g(got.data(), static_cast<Index>(got.size()));
  const Eigen::Map<const Vector> e(expected.data(), static_cast<Index>(expected.size()));
  constexpr double kAlike = 10;
  return Trial{relative_error_of(e, g) < kAlike ? 1.0 : 0.0, 0};
}

void plan_telling_apart(Plan& plan) {
  const AuditSetup s = smallest_sum();
  const AuditRow row =
      Plan::row("A12", s, "share of sums opened after one agent was told another total", Measure::kShare);
  plan.add(Plan::switched_off(row, "sum, masks off"), plan.seeds(20, 3),
           [s](std::uint64_t seed) { return told_apart_trial(s, false, seed); });
  plan.add(row, plan.seeds(100, 3), [s](std::uint64_t seed) { return told_apart_trial(s, true, seed); });
}

}  // namespace ppdnmf::audit
