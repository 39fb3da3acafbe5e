// How members meet, wait, fail and end: what each is told, and what it keeps.
#include <gmock/gmock.h>

#include "tests/scenario/members_harness.h"
#include <ppdnmf/protocol/column_minimum.h>

namespace ppdnmf::scenario {
namespace {

TEST(MembersEnd, AMemberThatMissedTheEndIsServedByOneWithoutSecrets) {
  const Problem problem = small(protocol::SchemeKind::kSum, 3, "line");
  const std::vector<Matrix> X = simulated(problem);
  Members members = members_of(problem);
  Stream pick(Seed::from_number(5), 'p');
  members.connect_all();
  // Agent 2, a leaf, dies when the others have all they need of it.
  while (!members.sites[1].kept) {
    ASSERT_TRUE(members.deliver(pick));
    if (members.sites[1].kept) members.kill(2);
  }
  members.run(pick);
  ASSERT_FALSE(members.sites[1].participant->done());
  ASSERT_FALSE(members.sites[2].kept);
  // The middle leaves after its minute, without secrets; its operator types the same command again.
  const crypto::SecretBytes farewell = members.sites[1].participant->save_farewell();
  members.kill(1);
  members.sites[1].disk.assign(farewell.span().begin(), farewell.span().end());
  ++members.sites[1].number;
  members.make(2);
  members.make(1);
  EXPECT_TRUE(members.sites[1].participant->leaving());
  EXPECT_EQ(members.sites[1].participant->agent(), nullptr);
  members.connect_all();
  members.run(pick);
  ASSERT_TRUE(members.sites[2].kept);
  EXPECT_EQ(members.sites[2].participant->agent()->X(), X[2]);
  EXPECT_TRUE(members.sites[1].participant->done());
  EXPECT_TRUE(members.sites[2].participant->done());
}

// It cannot know whether its own was heard, although it has everybody's.
TEST(MembersEnd, AfterACrashItSaysGoodbyeAgain) {
  const Problem problem = small(protocol::SchemeKind::kSum, 3, "line");
  Members members = members_of(problem);
  Stream pick(Seed::from_number(5), 'p');
  members.connect_all();
  members.run(pick);
  ASSERT_TRUE(members.all_done());
  members.kill(1);
  members.make(1);
  EXPECT_TRUE(members.sites[1].participant->leaving());
  EXPECT_FALSE(members.sites[1].participant->done());
  members.connect_all();
  members.run(pick);
  EXPECT_TRUE(members.all_done());
}

TEST(MembersFail, OthersHearWhyAndKeepTheirLastState) {
  const Problem problem = small(protocol::SchemeKind::kSum, 4, "line");
  Members members = members_of(problem);
  Stream pick(Seed::from_number(5), 'p');
  members.connect_all();
  for (int n = 0; n < 30; ++n) ASSERT_TRUE(members.deliver(pick));
  members.handle(3, member::Heard{AgentId{2}, wire::Abort{protocol::Reason::kFile, AgentId{2}}});
  while (members.deliver(pick)) continue;
  EXPECT_EQ(members.sites[3].failure->message, "agent 2 gave up: it could not read or write a file of its own");
  EXPECT_EQ(members.sites[0].failure->message,
            "agent 2 gave up: it could not read or write a file of its own (agent 1 passed this on)");
  // All come back from their disks and end the run.
  for (std::uint32_t i = 0; i < 4; ++i) {
    members.kill(i);
    members.sites[i].failure.reset();
    members.make(i);
  }
  members.connect_all();
  members.run(pick);
  expect_ended_with(members, simulated(problem));
}

TEST(MembersMeet, WhoHasAnotherFileIsNotListenedTo) {
  const Problem problem = small(protocol::SchemeKind::kSum);
  Members members = members_of(problem);
  wire::Introduction other;
  other.consortium = Digest{7};
  members.handle(0, member::Met{AgentId{1}});
  members.handle(0, member::Heard{AgentId{1}, other});
  ASSERT_EQ(members.sites[0].hung_up.size(), 1U);
  EXPECT_NE(members.sites[0].hung_up[0].find("different consortium files"), std::string::npos);
  members.handle(0, member::Heard{AgentId{1}, wire::Goodbye{}});
  ASSERT_EQ(members.sites[0].hung_up.size(), 2U);
  EXPECT_EQ(members.sites[0].hung_up[1], "it did not introduce itself first");
  EXPECT_FALSE(members.sites[0].failure);
}

TEST(MembersMeet, WhoLostItsStateCannotComeBackAsItself) {
  const Problem problem = small(protocol::SchemeKind::kSum);
  Members members = members_of(problem, std::nullopt);
  Stream pick(Seed::from_number(5), 'p');
  members.connect_all();
  const auto begun = [&](std::uint32_t i) { return members.sites[i].participant->agent() != nullptr; };
  while (!begun(0) || !begun(1) || !begun(2)) ASSERT_TRUE(members.deliver(pick));
  members.kill(1);
  Site kept = std::exchange(members.sites[1], Site{});
  members.make(1);
  members.connect_all();
  while (members.deliver(pick)) continue;
  for (const std::uint32_t i : {0, 2}) {
    ASSERT_FALSE(members.sites[i].failure) << members.sites[i].failure->message;
    ASSERT_FALSE(members.sites[i].hung_up.empty());
    EXPECT_THAT(members.sites[i].hung_up.front(), testing::HasSubstr("it began this run anew"));
  }
  ASSERT_TRUE(members.sites[1].failure);
  EXPECT_THAT(members.sites[1].failure->message, testing::HasSubstr("this folder is new"));
  // Its operator finds the right folder: nothing was lost.
  members.kill(1);
  members.sites[1] = std::move(kept);
  members.make(1);
  members.connect_all();
  members.run(pick);
  EXPECT_TRUE(members.all_done());
}

TEST(MembersMeet, WhoLostItsStateAfterTheEndKeepsNobody) {
  const Problem problem = small(protocol::SchemeKind::kSum, 3, "line");
  Members members = members_of(problem, std::nullopt);
  Stream pick(Seed::from_number(5), 'p');
  members.connect_all();
  while (!members.sites[1].kept) {
    ASSERT_TRUE(members.deliver(pick));
    if (members.sites[1].kept) members.kill(2);
  }
  members.sites[2] = Site{};
  members.make(2);
  members.connect_all();
  members.run(pick);
  EXPECT_FALSE(members.sites[1].failure);
  EXPECT_TRUE(members.sites[1].participant->done());
}

// What an agent's own sentence says of its numbers is for its operator alone.
TEST(MembersFail, NeighboursAreNotToldNumbers) {
  const Problem problem = small(protocol::SchemeKind::kSum);
  Members members(problem.graph, problem.config.settings, problem.Z, kMembersSeed, std::nullopt,
                  [calls = 0](Index /*total*/) mutable -> Status {
                    if (++calls > 1) return {};
                    return error(ErrorCode::kUsage, "the others have 12345 columns");
                  });
  Stream pick(Seed::from_number(5), 'p');
  members.connect_all();
  members.run(pick);
  int told = 0;
  int own = 0;
  for (const Site& site : members.sites) {
    if (!site.failure) continue;
    const bool gave_up = site.failure->message.find("gave up") != std::string::npos;
    (gave_up ? told : own) += 1;
    EXPECT_EQ(site.failure->message.find("12345") == std::string::npos, gave_up) << site.failure->message;
  }
  EXPECT_EQ(own, 1);
  EXPECT_GE(told, 1);
}

TEST(MembersEnd, AWishToStopBeforeTheRunIsNotForgotten) {
  const Problem problem = small(protocol::SchemeKind::kSum);
  Members members = members_of(problem);
  Stream pick(Seed::from_number(5), 'p');
  members.handle(1, protocol::StopRequested{});
  members.connect_all();
  members.run(pick);
  for (const Site& site : members.sites) {
    ASSERT_TRUE(site.finished);
    EXPECT_NE(*site.finished, "iterations");
  }
}

// Nothing that hangs on its data but the number of columns has left by then.
TEST(MembersColumns, TooFewBehindATotalEndTheRunWithASentence) {
  const Problem problem = small(protocol::SchemeKind::kSum);
  Members members(problem.graph, problem.config.settings, problem.Z, kMembersSeed, std::nullopt, [](Index total) {
    return protocol::check_columns(protocol::ColumnMinimum{0, 1000}, 1, total);
  });
  Stream pick(Seed::from_number(5), 'p');
  members.connect_all();
  members.run(pick);
  for (const Site& site : members.sites) {
    ASSERT_TRUE(site.failure);
    EXPECT_THAT(site.failure->message, testing::AnyOf(testing::HasSubstr("columns"), testing::HasSubstr("gave up")));
    EXPECT_FALSE(site.kept);
  }
}

// A silent peer, for as long as it likes: nothing ends, nothing grows, and it goes on when the peer returns.
TEST(MembersWait, ForAnHourAndGoOn) {
  const Problem problem = small(protocol::SchemeKind::kSum);
  Members members = members_of(problem);
  Stream pick(Seed::from_number(5), 'p');
  members.connect_all();
  for (int n = 0; n < 40; ++n) ASSERT_TRUE(members.deliver(pick)) << n;
  members.kill(2);
  while (members.deliver(pick)) continue;
  const std::uint64_t number = members.sites[1].number;
  for (int second = 0; second < 3600; ++second) {
    members.tick();
    while (members.deliver(pick)) continue;
  }
  EXPECT_EQ(members.sites[1].number, number) << "it saved while nothing happened";
  const std::vector<AgentId> waiting = members.sites[1].participant->waiting_for();
  EXPECT_FALSE(waiting.empty()) << "an operator must be told for whom it waits";
  members.make(2);
  members.connect_all();
  members.run(pick);
  expect_ended_with(members, simulated(problem));
}

}  // namespace
}  // namespace ppdnmf::scenario
