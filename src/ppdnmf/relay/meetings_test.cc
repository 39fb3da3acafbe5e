#include <gtest/gtest.h>

#include <ppdnmf/relay/meetings.h>

namespace ppdnmf::relay {
namespace {

using namespace std::chrono_literals;
using net::LetterKind;
using net::Refusal;
using net::Role;

const Meetings::Time kNow{1000s};
constexpr AgentId kA{0}, kB{1}, kC{2};

struct Meeting : testing::Test {
  protocol::Graph graph = protocol::Graph::create(3, {{0, 1}, {1, 2}}).value();
  Meetings meetings{graph, {2, 10, 1}};
};

TEST_F(Meeting, WhoeverComesSecondMeetsTheFirst) {
  EXPECT_EQ(meetings.ask(1, kA, Role::kWaits, kB, kNow).kind, LetterKind::kWaits);
  const auto met = meetings.ask(2, kB, Role::kDials, kA, kNow);
  EXPECT_EQ(met.kind, LetterKind::kMet);
  EXPECT_EQ(met.partner, 1U);
  EXPECT_EQ(meetings.ask(3, kB, Role::kDials, kC, kNow).kind, LetterKind::kWaits);
  const auto other = meetings.ask(4, kC, Role::kWaits, kB, kNow);
  EXPECT_EQ(other.kind, LetterKind::kMet);
  EXPECT_EQ(other.partner, 3U);
}

TEST_F(Meeting, TwoThatBothWaitOrBothDialDoNotMeet) {
  EXPECT_EQ(meetings.ask(1, kA, Role::kWaits, kB, kNow).kind, LetterKind::kWaits);
  EXPECT_EQ(meetings.ask(2, kB, Role::kWaits, kA, kNow).kind, LetterKind::kWaits);
  EXPECT_EQ(meetings.ask(3, kB, Role::kDials, kC, kNow).kind, LetterKind::kWaits);
  EXPECT_EQ(meetings.ask(4, kC, Role::kDials, kB, kNow).kind, LetterKind::kWaits);
}

TEST_F(Meeting, OnlyNeighboursMeet) {
  for (const AgentId other : {kC, kA}) {
    const auto answer = meetings.ask(1, kA, Role::kWaits, other, kNow);
    EXPECT_EQ(answer.kind, LetterKind::kRefused);
    EXPECT_EQ(answer.reason, Refusal::kNoNeighbour);
  }
  EXPECT_EQ(meetings.size(), 0U);
}

TEST_F(Meeting, ANewerConnectionTakesThePlaceOfAnOlderOne) {
  (void)meetings.ask(1, kA, Role::kWaits, kB, kNow);
  EXPECT_EQ(meetings.ask(2, kA, Role::kWaits, kB, kNow).replaced, std::vector<Meetings::Number>{1});
  EXPECT_EQ(meetings.ask(3, kB, Role::kDials, kA, kNow).partner, 2U);
  meetings.left(1);
  EXPECT_EQ(meetings.size(), 2U);
}

TEST_F(Meeting, OfTooManyThatMetTheOldestGo) {
  for (Meetings::Number n = 0; n < 3; ++n) {
    (void)meetings.ask(2 * n + 1, kA, Role::kWaits, kB, kNow);
    const auto met = meetings.ask(2 * n + 2, kB, Role::kDials, kA, kNow);
    EXPECT_EQ(met.replaced, n < 2 ? std::vector<Meetings::Number>{} : (std::vector<Meetings::Number>{1, 2}));
  }
  EXPECT_EQ(meetings.size(), 4U);
}

TEST_F(Meeting, WhoHasLeftIsNotMet) {
  (void)meetings.ask(1, kA, Role::kWaits, kB, kNow);
  meetings.left(1);
  EXPECT_EQ(meetings.ask(2, kB, Role::kDials, kA, kNow).kind, LetterKind::kWaits);
  EXPECT_EQ(meetings.ask(3, kA, Role::kWaits, kB, kNow).partner, 2U);
  meetings.left(3);
  EXPECT_EQ(meetings.size(), 0U) << "with one of two the other goes";
}

TEST_F(Meeting, WhoeverAsksIsToldAndChangesNothing) {
  EXPECT_EQ(meetings.ask(1, kB, Role::kAsks, kA, kNow).reason, Refusal::kNobody);
  (void)meetings.ask(2, kA, Role::kWaits, kB, kNow);
  EXPECT_EQ(meetings.ask(3, kB, Role::kAsks, kA, kNow).kind, LetterKind::kThere);
  EXPECT_EQ(meetings.ask(4, kB, Role::kDials, kA, kNow).partner, 2U);
}

TEST_F(Meeting, AMemberThatAsksTooOftenIsRefusedForAWhileAndNobodyElseIs) {
  for (Meetings::Number n = 1; n <= 10; ++n)
    EXPECT_NE(meetings.ask(n, kA, Role::kWaits, kB, kNow).kind, LetterKind::kRefused);
  EXPECT_EQ(meetings.ask(11, kA, Role::kWaits, kB, kNow).reason, Refusal::kTooOften);
  EXPECT_EQ(meetings.ask(12, kB, Role::kDials, kA, kNow).kind, LetterKind::kMet);
  EXPECT_EQ(meetings.ask(13, kA, Role::kWaits, kB, kNow + 2s).kind, LetterKind::kWaits);
}

TEST_F(Meeting, AMemberOfManyNeighboursMayAskForAllOfThemAtOnce) {
  constexpr std::uint32_t kMembers = 200;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t other = 1; other < kMembers; ++other) edges.emplace_back(0, other);
  const protocol::Graph star = protocol::Graph::create(kMembers, edges).value();
  Meetings crowded(star);
  Meetings::Number number = 0;
  for (std::uint32_t other = 1; other < kMembers; ++other) {
    (void)crowded.ask(++number, kA, Role::kDials, AgentId{other}, kNow);
    EXPECT_NE(crowded.ask(++number, kA, Role::kAsks, AgentId{other}, kNow).reason, Refusal::kTooOften);
  }
}

TEST_F(Meeting, AMemberHasABoundedNumberOfConnectionsWhateverItDoes) {
  Meetings patient(graph, {2, 1e9, 1});
  for (Meetings::Number n = 1; n < 2000; ++n) {
    const AgentId from{static_cast<std::uint32_t>(n % 3)}, to{static_cast<std::uint32_t>(n / 3 % 3)};
    (void)patient.ask(n, from, n % 7 < 3 ? Role::kWaits : Role::kDials, to, kNow);
    ASSERT_LE(patient.size(), Meetings::most(graph, {2, 1e9, 1}));
  }
}

}  // namespace
}  // namespace ppdnmf::relay
