// What neighbours tell each other apart from the sums themselves: lists of nonces, reasons for giving up, and talk that
// brings nobody further.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/scenario/members_harness.h"

namespace ppdnmf::scenario {
namespace {

using testing::HasSubstr;

constexpr std::size_t kNonceBytes = sizeof(crypto::IdentityBytes);

// The total that closes the roll call, if the envelope is one.
protocol::Total* list_in(wire::Envelope& envelope) {
  auto* letter = std::get_if<wire::Letter>(&envelope);
  if (letter == nullptr || letter->message.run != protocol::run_id(member::testing_members::kConsortium)) return nullptr;
  return std::get_if<protocol::Total>(&letter->message.body);
}

// A ring of four: 0 is the root, 1 and 3 are below it, 2 is below 1 and a neighbour of 3.
struct ChangedList : ::testing::TestWithParam<bool> {
  // In a run that is thrown away, messages of two lists look the same from outside.
  Members members = members_of(small(protocol::SchemeKind::kSum),
                               GetParam() ? std::optional<std::uint64_t>(kMembersSeed) : std::nullopt);
  Stream pick{Seed::from_number(5), 'p'};

  // The root passes on a list to agent 3 in which this agent has another nonce.
  void change_for_3(std::uint32_t whose) {
    members.meddle = [whose](std::uint32_t from, std::uint32_t to, wire::Envelope& envelope) {
      protocol::Total* list = from == 0 && to == 3 ? list_in(envelope) : nullptr;
      if (list != nullptr) list->payload[whose * kNonceBytes] ^= 1U;
    };
    members.connect_all();
    members.run(pick);
  }
};

TEST_P(ChangedList, IsNoticedByANeighbourOfTheOneConcerned) {
  change_for_3(2);
  ASSERT_TRUE(members.sites[3].failure);
  EXPECT_THAT(members.sites[3].failure->message,
              HasSubstr("the list of nonces (here it came from agent 0) has another nonce for agent 2"));
  for (const Site& site : members.sites) EXPECT_TRUE(site.failure);
}

TEST_P(ChangedList, IsNoticedWhereTwoListsMeet) {
  change_for_3(1);
  int noticed = 0;
  for (const Site& site : members.sites) {
    ASSERT_TRUE(site.failure);
    noticed += site.failure->message.find("another list of nonces than this agent") != std::string::npos ? 1 : 0;
  }
  EXPECT_GE(noticed, 1);
}

INSTANTIATE_TEST_SUITE_P(ThrowAway, ChangedList, testing::Bool());

// A line of five, whose root is in the middle: 4 has told 3 its nonce, and 3 has passed it on, when 4 is started anew in
// another folder.
struct FreshFolder : ::testing::TestWithParam<bool> {
  Members members = members_of(small(protocol::SchemeKind::kSum, 5, "line"), std::nullopt);
  Stream pick{Seed::from_number(5), 'p'};

  void begin_anew() {
    members.somebody_begins_anew = true;
    members.connect(3, 4);
    members.connect(2, 3);
    while (members.deliver(pick)) continue;
    members.kill(4);
    if (GetParam()) {  // the relay was restarted, too, from its last state
      members.kill(3);
      members.make(3);
    }
    members.sites[4] = Site{};
    members.make(4);
    members.connect_all();
    while (members.deliver(pick)) continue;
  }
};

TEST_P(FreshFolder, DuringTheRollCallAccusesNobody) {
  begin_anew();
  for (const Site& site : members.sites) EXPECT_FALSE(site.failure) << site.failure->message;
  EXPECT_THAT(members.sites[3].hung_up, testing::Contains(HasSubstr("it began this run anew")));
}

INSTANTIATE_TEST_SUITE_P(Relay, FreshFolder, testing::Bool());

TEST(MembersFail, NoNumberOfAnAgentLeavesWhenASumIsSpoilt) {
  const Problem problem = small(protocol::SchemeKind::kSum);
  Members members = members_of(problem);
  members.meddle = [](std::uint32_t from, std::uint32_t to, wire::Envelope& envelope) {
    auto* letter = std::get_if<wire::Letter>(&envelope);
    if (from != 0 || to != 3 || letter == nullptr || list_in(envelope) != nullptr) return;
    auto* total = std::get_if<protocol::Total>(&letter->message.body);
    if (total != nullptr && total->number == 0) std::fill(total->payload.begin(), total->payload.end(), 0);
  };
  Stream pick(Seed::from_number(5), 'p');
  members.connect_all();
  members.run(pick);
  ASSERT_TRUE(members.sites[3].failure);
  const std::string least = fmt::format(" {} to ", problem.Z[3].cols() + 3);
  EXPECT_THAT(members.sites[3].failure->message, HasSubstr(least));  // for its own log
  for (const std::uint32_t other : {0U, 1U, 2U}) {
    ASSERT_TRUE(members.sites[other].failure);
    EXPECT_THAT(members.sites[other].failure->message,
                HasSubstr("the sum of the numbers of columns was not as it must be; its own log says more"));
    EXPECT_EQ(members.sites[other].failure->message.find(least), std::string::npos);
  }
}

TEST(MembersWait, TalkIsNoProgress) {
  Members members = members_of(small(protocol::SchemeKind::kSum, 3, "line"));
  std::vector<wire::Envelope> said;  // by 0 to 1
  members.meddle = [&](std::uint32_t from, std::uint32_t to, const wire::Envelope& envelope) {
    if (from == 0 && to == 1 && std::holds_alternative<wire::Letter>(envelope)) said.push_back(envelope);
  };
  Stream pick(Seed::from_number(5), 'p');
  members.connect_all();
  const member::Participant& one = *members.sites[1].participant;
  std::uint64_t progress = one.progress();
  while ((progress < 10 || one.waiting_for().empty()) && members.deliver(pick)) {
    EXPECT_GE(one.progress(), progress);
    progress = one.progress();
  }
  ASSERT_FALSE(one.waiting_for().empty());
  members.cut(1, 2);  // nothing comes from there any more
  while (members.queued(0, 1) > 0) members.deliver_from(0, 1);
  progress = one.progress();
  for (int n = 0; n < 100; ++n) {
    members.handle(1, member::Heard{AgentId{0}, said[static_cast<std::size_t>(n) % said.size()]});
    members.handle(1, protocol::Ticked{});
  }
  EXPECT_EQ(one.progress(), progress);
}

}  // namespace
}  // namespace ppdnmf::scenario
