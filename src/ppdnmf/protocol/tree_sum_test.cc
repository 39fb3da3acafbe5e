// One agent's part in a sum against anything its neighbours can send.
#include <ppdnmf/protocol/tree_sum.h>

#include <numeric>
#include <string>

#include <ppdnmf/protocol/test_sums.h>

namespace ppdnmf::protocol {
namespace {

using testing_sums::random_graph;
using testing_sums::random_words;
using testing_sums::run_sum;
using testing_sums::SumRun;

TEST(TreeSum, EverybodyLearnsTheSumAndEachEdgeCarriesTwoMessages) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Stream stream(Seed::from_number(seed), 'S');
    const auto agents = static_cast<std::uint32_t>(1 + stream.below(12));
    const Graph graph = random_graph(agents, stream);
    std::vector<Words> words;
    Words sum(4);
    for (std::uint32_t i = 0; i < agents; ++i) {
      words.push_back(random_words(stream, 4));
      for (std::size_t t = 0; t < 4; ++t) sum[t] += words[i][t];
    }
    const SumRun run = run_sum(graph, words, std::vector<Digest>(agents));
    ASSERT_FALSE(run.failure);
    for (const auto& outcome : run.outcomes) ASSERT_TRUE(outcome && outcome->total == sum) << "seed " << seed;
    EXPECT_EQ(run.sent.size(), 2 * (agents - 1));
  }
}

// Agent 1 of a line of three: the root, with children 0 and 2; or agent 0, whose parent is 1.
class OneAgent : public testing::Test {
 protected:
  OneAgent()
      : places_(spanning_tree(*Graph::create(3, {{0, 1}, {1, 2}}))), root_(places_[1], 8), leaf_(places_[0], 8) {}

  static Partial part(std::uint32_t number, std::size_t words, std::uint8_t value = 1) {
    Partial partial;
    partial.number = number;
    partial.payload.assign(16 * words, 0);
    if (words > 0) partial.payload[0] = value;
    return partial;
  }
  // The complaints among what was put out, and how many messages.
  std::vector<std::string> complaints() {
    std::vector<std::string> complaints;
    const Step step = out_.take();
    sent_ = static_cast<int>(step.sends.size());
    for (const Complaint& complaint : step.complaints) complaints.push_back(complaint.what);
    return complaints;
  }

  std::vector<TreePlace> places_;
  TreeSum root_, leaf_;
  Outbox out_{RunId{}};
  int sent_ = 0;
};

TEST_F(OneAgent, AContributionOfTheWrongLengthIsNamed) {
  root_.begin(Words(2), {}, false);
  root_.take(AgentId{0}, part(0, 2), out_);
  root_.take(AgentId{2}, part(0, 3), out_);
  const auto outcome = root_.advance(out_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kPeer);
  EXPECT_EQ(outcome.error().message, "agent 2 sent 48 bytes to sum 0, where 2 words of 16 bytes were due");
}

TEST_F(OneAgent, ATotalOfTheWrongLengthIsNamed) {
  leaf_.begin(Words(2), {}, false);
  ASSERT_TRUE(leaf_.advance(out_));
  leaf_.take(AgentId{1}, Total{0, false, Bytes(17)});
  const auto outcome = leaf_.advance(out_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "agent 1 sent 17 bytes to sum 0, where 2 words of 16 bytes were due");
}

TEST_F(OneAgent, ABranchWithOtherTotalsIsNamedAndNothingIsOpened) {
  root_.begin(Words(2), {}, false);
  Partial misled = part(0, 2);
  misled.chain[5] = 1;
  root_.take(AgentId{0}, part(0, 2), out_);
  root_.take(AgentId{2}, misled, out_);
  const auto outcome = root_.advance(out_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kPeer);
  EXPECT_NE(outcome.error().message.find("agent 2 or a branch below it was given other totals"), std::string::npos);
  EXPECT_TRUE(complaints().empty());
  EXPECT_EQ(sent_, 0);
}

// Strangers, the past, the far future, what is too long, totals that nobody waits for.
TEST_F(OneAgent, WhatIsNotDueIsIgnored) {
  root_.begin(Words(2), {}, false);
  root_.take(AgentId{1}, part(0, 2), out_);
  root_.take(AgentId{7}, part(0, 2), out_);
  root_.take(AgentId{0}, part(2, 2), out_);
  root_.take(AgentId{0}, part(kNever, 2), out_);
  root_.take(AgentId{0}, part(0, 9), out_);
  root_.take(AgentId{0}, Total{0, false, Bytes(32)});
  root_.take(AgentId{2}, part(0, 2), out_);
  auto outcome = root_.advance(out_);
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(*outcome) << "agent 0 has sent nothing that counts";
  root_.take(AgentId{0}, part(0, 2, 5), out_);
  outcome = root_.advance(out_);
  ASSERT_TRUE(outcome && *outcome);
  EXPECT_TRUE((*outcome)->total[0] == 6);
  EXPECT_TRUE(complaints().empty());

  leaf_.begin(Words(2), {}, false);
  leaf_.take(AgentId{1}, Total{0, false, Bytes(32)});  // before the part has left
  ASSERT_TRUE(leaf_.advance(out_));
  leaf_.take(AgentId{2}, Total{0, false, Bytes(32)});
  leaf_.take(AgentId{1}, Total{1, false, Bytes(32)});
  outcome = leaf_.advance(out_);
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(*outcome);
}

TEST_F(OneAgent, OfTwoDifferentPartsTheFirstCounts) {
  root_.begin(Words(1), {}, false);
  root_.take(AgentId{0}, part(0, 1, 1), out_);
  root_.take(AgentId{0}, part(0, 1, 1), out_);
  EXPECT_TRUE(complaints().empty());
  root_.take(AgentId{0}, part(0, 1, 2), out_);
  EXPECT_EQ(complaints(), std::vector<std::string>{"it sent two different parts of one sum; the first counts"});
  root_.take(AgentId{2}, part(0, 1, 1), out_);
  const auto outcome = root_.advance(out_);
  EXPECT_TRUE((*outcome)->total[0] == 2);
}

TEST_F(OneAgent, AChildThatMissesItsTotalGetsItAgain) {
  root_.begin(Words(1), {}, false);
  for (const std::uint32_t child : {0U, 2U}) root_.take(AgentId{child}, part(0, 1), out_);
  ASSERT_TRUE(*root_.advance(out_));
  (void)complaints();
  root_.take(AgentId{0}, part(0, 1), out_);
  root_.begin(Words(1), {}, false);
  root_.take(AgentId{0}, part(0, 1), out_);
  EXPECT_TRUE(complaints().empty());
  EXPECT_EQ(sent_, 2);
}

// A part of the next sum may come before this agent has begun it, in this process or the one before.
TEST_F(OneAgent, APartOfTheNextSumWaits) {
  for (const std::uint32_t child : {0U, 2U}) root_.take(AgentId{child}, part(0, 1), out_);
  root_.begin(Words(1), {}, true);
  root_.take(AgentId{0}, part(1, 1), out_);
  auto outcome = root_.advance(out_);
  ASSERT_TRUE(outcome && *outcome);
  EXPECT_TRUE((*outcome)->stop) << "one proposal to stop is enough";
  root_.begin(Words(1), {}, false);
  root_.take(AgentId{2}, part(1, 1), out_);
  outcome = root_.advance(out_);
  ASSERT_TRUE(outcome && *outcome);
  EXPECT_FALSE((*outcome)->stop);
  EXPECT_TRUE((*outcome)->total[0] == 2);
}

TEST_F(OneAgent, AfterARestartThePartAsSentIsSentAgain) {
  leaf_.begin({7, 8}, {}, true);
  ASSERT_TRUE(leaf_.advance(out_));
  EXPECT_TRUE(out_.saves()) << "saved before it leaves";
  const Step first = out_.take();
  ByteWriter saved;
  leaf_.save(saved);
  TreeSum restarted(places_[0], 8);
  const Bytes bytes = saved.take();
  ByteReader in(bytes);
  restarted.load(in);
  ASSERT_TRUE(in.status());
  ASSERT_TRUE(restarted.is_consistent());
  restarted.resend(out_);
  EXPECT_FALSE(out_.saves());
  const Step second = out_.take();
  ASSERT_EQ(first.sends.size(), 1U);
  ASSERT_EQ(second.sends.size(), 1U);
  EXPECT_TRUE(first.sends[0].message == second.sends[0].message);
}

}  // namespace
}  // namespace ppdnmf::protocol
