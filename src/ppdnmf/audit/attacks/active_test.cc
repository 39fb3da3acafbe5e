// A4, A12 and A13: agents that do not keep to the protocol.
#include <algorithm>

#include <ppdnmf/audit/attacks/a12_probing.h>
#include <ppdnmf/audit/attacks/a13_poisoning.h>
#include <ppdnmf/audit/attacks/a4_asked_twice.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/test_runs.h>
#include <ppdnmf/protocol/neighbours/plain_cipher.h>

namespace ppdnmf::audit {
namespace {

AuditProblem small(std::uint64_t rounds) {
  return testing_runs::synthetic(protocol::SchemeKind::kHardened, testing_runs::graph("ring", 4), {5, 5, 5, 5}, 1,
                                 rounds, 8, 3);
}

// A replier that answers whatever it is asked, with the weight and factor of its round and fresh blinding.
Answered careless_answer(const protocol::RunSettings& settings, const std::vector<std::int64_t>& question,
                         std::int64_t weight, const std::vector<std::int64_t>& u, Stream& stream) {
  protocol::neighbours::PlainCipher cipher(settings);
  std::vector<std::int64_t> blinding(u.size());
  for (std::size_t t = 0; t + 1 < u.size(); ++t) {
    blinding[t] = static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(weight))) - (weight - 1) / 2;
  }
  const Bytes query = cipher.make_query({1, 1}, question).value();
  const Bytes reply = cipher.make_reply({1, 1}, AgentId{0}, query, {weight, u, blinding}).value();
  const protocol::neighbours::ReceivedReply received{AgentId{1}, reply};
  return {question, cipher.open({1, 1}, {&received, 1}).value()};
}

TEST(AskedTwice, ACarelessReplierTellsItsWeight) {
  AuditProblem problem = small(1);
  remove_countermeasures(problem.settings, problem.graph);
  Stream stream(Seed::from_number(1), 'c');
  std::vector<std::int64_t> u(problem.settings.entries(), 250'000);
  std::vector<std::int64_t> question(u.size());
  const Answered first = careless_answer(problem.settings, question, 7'654, u, stream);
  std::fill(question.begin(), question.end(), 1'000'000);
  const Answered second = careless_answer(problem.settings, question, 7'654, u, stream);
  EXPECT_EQ(weight_from_two(first, second), 7'654);
}

TEST(AskedTwice, AnAgentAnswersOnce) {
  AuditProblem problem = small(6);
  problem.deviation = asking_twice(kAttacker);
  const Recording run = testing_runs::record(problem);
  const AttackerView view = run.view(kAttacker);
  for (const AgentId j : problem.graph.neighbours(kAttacker)) EXPECT_TRUE(answered_twice(view, j).empty());
}

TEST(Probing, ReadsSingleWeightsWhereTheyAreSecretAndHaveASlot) {
  const AuditSetup s{protocol::SchemeKind::kHardened, "ring", 4, 5, 5, 8, 3, false, true};
  EXPECT_EQ(probing_trial(s, 1).value().value, 1);
}

TEST(Probing, ReadsNothingOfOneNeighbourWhereWeightsAreCommon) {
  const AuditSetup s{protocol::SchemeKind::kHardened, "ring", 4, 5, 5, 8, 3, false, false};
  double share = 0;
  for (const std::uint64_t seed : {1, 2, 3}) share += probing_trial(s, seed).value().value / 3;
  EXPECT_LE(share, kLuckyShare);
}

// The largest weight that anybody but the attacker uses at the end.
std::int64_t largest_weight(const Recording& run) {
  std::int64_t largest = 0;
  for (std::uint32_t i = 1; i < run.graph().agents(); ++i) {
    largest = std::max(largest, run.all_of(AgentId{i}).replies.back().weight);
  }
  return largest;
}

TEST(Poisoning, RaisesSecretWeightsForEver) {
  AuditProblem problem = small(24);
  remove_countermeasures(problem.settings, problem.graph);
  const std::int64_t clean = largest_weight(testing_runs::record(problem));
  problem.deviation = poisoning(kAttacker, 1, std::int64_t{1} << 40);
  const std::int64_t poisoned = largest_weight(testing_runs::record(problem));
  EXPECT_GT(poisoned, 100 * clean);
}

TEST(Poisoning, HardlyMovesACommonWeight) {
  const AuditSetup s{protocol::SchemeKind::kHardened, "ring", 4, 5, 5, 8, 3, false, false};
  EXPECT_LT(poisoning_trial(s, 1).value().value, kPoisoned);
}

}  // namespace
}  // namespace ppdnmf::audit
