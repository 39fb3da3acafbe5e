// Whole runs of participants: streams break, processes die between any two actions and come back from their disks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ppdnmf/member/test_members.h>
#include <ppdnmf/protocol/column_minimum.h>
#include "tests/scenario/private_problem.h"

namespace ppdnmf::scenario {
namespace {

using member::testing_members::Members;
using member::testing_members::Site;

constexpr std::uint64_t kSeed = 3;

Problem small(protocol::SchemeKind scheme, std::uint32_t agents = 4, const char* graph = "ring") {
  Problem problem = small_problem(kSeed, graph, agents);
  protocol::RunSettings& s = problem.config.settings;
  s.scheme = scheme;
  s.data_scale.reset();
  s.iterations = scheme == protocol::SchemeKind::kSum ? 6 : 2;
  protocol::complete(s, problem.graph);
  return problem;
}

Members members_of(const Problem& problem, std::optional<std::uint64_t> seed = kSeed) {
  const bool sum = problem.config.settings.scheme == protocol::SchemeKind::kSum;
  return Members(problem.graph, problem.config.settings, problem.Z, seed,
                 sum ? std::nullopt : std::optional<crypto::KeyOptions>(small_keys()));
}

// What the same seed gives in a simulation.
std::vector<Matrix> simulated(Problem problem) {
  set_cipher(problem);
  const sim::Simulation simulation = run(problem);
  std::vector<Matrix> X;
  for (std::size_t i = 0; i < simulation.agents(); ++i) X.push_back(simulation.agent(i).X());
  return X;
}

void expect_ended_with(const Members& members, const std::vector<Matrix>& X) {
  for (std::size_t i = 0; i < members.sites.size(); ++i) {
    const Site& site = members.sites[i];
    ASSERT_FALSE(site.failure) << i << ": " << site.failure->message;
    ASSERT_TRUE(site.kept) << i;
    ASSERT_NE(site.participant->agent(), nullptr);
    EXPECT_EQ(site.participant->agent()->X(), X[i]) << i;
  }
  EXPECT_TRUE(members.all_done());
}

// The schemes, and the private run of the scheme sum.
struct Kind {
  protocol::SchemeKind scheme;
  bool is_private = false;
};

Problem small(const Kind& kind) { return kind.is_private ? private_problem(kSeed, "ring", 4, 6) : small(kind.scheme); }

class MembersOf : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(AllSchemes, MembersOf,
                         testing::Values(Kind{protocol::SchemeKind::kSum}, Kind{protocol::SchemeKind::kHardened},
                                         Kind{protocol::SchemeKind::kAsPrinted},
                                         Kind{protocol::SchemeKind::kSum, true}));

TEST_P(MembersOf, EndWithTheBytesOfASimulation) {
  const Problem problem = small(GetParam());
  Members members = members_of(problem);
  Stream pick(Seed::from_number(1), 'p');
  members.connect_all();
  members.run(pick);
  expect_ended_with(members, simulated(problem));
}

// Deaths between any two actions, cut streams, late starts. Nobody answers twice in two forms (Members looks), and the
// result does not change by a bit.
TEST_P(MembersOf, SurviveDeathsAndCutsWithTheSameBytes) {
  const Problem problem = small(GetParam());
  const std::vector<Matrix> X = simulated(problem);
  const int runs = GetParam().scheme == protocol::SchemeKind::kSum ? 60 : 12;
  std::uint64_t deaths = 0;
  for (int seed = 0; seed < runs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Stream chance(Seed::from_number(static_cast<std::uint64_t>(seed)), 'c');
    Members members = members_of(problem);
    const auto agents = static_cast<std::uint64_t>(members.sites.size());
    for (int step = 0; step < 600; ++step) {
      if (chance.below(4) == 0) members.connect_all();
      const std::uint64_t fate = chance.below(40);
      if (fate == 0) members.survive_next = chance.below(6);
      if (fate == 1)
        members.cut(static_cast<std::uint32_t>(chance.below(agents)), static_cast<std::uint32_t>(chance.below(agents)));
      if (!members.deliver(chance)) members.tick();
      for (std::uint32_t i = 0; i < agents; ++i) {
        if (!members.sites[i].participant && chance.below(3) == 0) {
          ++deaths;
          members.make(i);
        }
      }
      if (HasFatalFailure()) return;
    }
    for (std::uint32_t i = 0; i < agents; ++i) {
      if (!members.sites[i].participant) members.make(i);
    }
    members.survive_next.reset();
    members.connect_all();
    members.run(chance);
    expect_ended_with(members, X);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(deaths, 20U) << "the test must have killed somebody";
}

// Every stream that breaks is made again, and nobody ticks: what was lost with it is asked for on the new one, of whom
// it was lost and of nobody else.
TEST_P(MembersOf, NeedNoTickToGoOn) {
  const Problem problem = small(GetParam());
  const std::vector<Matrix> X = simulated(problem);
  const int runs = GetParam().scheme == protocol::SchemeKind::kSum ? 60 : 12;
  for (int seed = 0; seed < runs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Stream chance(Seed::from_number(static_cast<std::uint64_t>(seed)), 'n');
    Members members = members_of(problem);
    const auto agents = static_cast<std::uint64_t>(members.sites.size());
    for (int fault = 0; fault < 20; ++fault) {
      members.connect_all();
      for (std::uint64_t left = chance.below(12); left > 0; --left) (void)members.deliver(chance);
      const auto victim = static_cast<std::uint32_t>(chance.below(agents));
      if (chance.below(2) == 0) {
        members.cut(victim, static_cast<std::uint32_t>(chance.below(agents)));
      } else {
        members.kill(victim);
        // Neighbours may meet it one by one, and speak to it before it may answer.
        members.make(victim);
        for (std::uint32_t i = 0; i < agents; ++i) {
          if (members.has_edge(victim, i)) members.connect(victim, i);
          while (chance.below(8) != 0 && members.deliver(chance)) continue;
        }
      }
      if (HasFatalFailure()) return;
    }
    members.connect_all();
    while (members.deliver(chance)) continue;
    expect_ended_with(members, X);
    if (HasFatalFailure()) return;
  }
}

TEST_P(MembersOf, ANewStreamIsAskedForNothingThatAnotherOwes) {
  const Problem problem = small(GetParam());
  Members members = members_of(problem);
  Stream pick(Seed::from_number(1), 'p');
  members.connect_all();
  for (int n = 0; n < 60; ++n) ASSERT_TRUE(members.deliver(pick));
  while (members.sites[1].participant->waiting_for().size() != 1) ASSERT_TRUE(members.deliver(pick));
  const std::uint32_t owes = members.sites[1].participant->waiting_for().front().value;
  const std::uint32_t other = owes == 0 ? 2 : 0;
  members.cut(1, other);
  const std::size_t waiting = members.queued(1, owes);
  members.connect(1, other);
  while (members.queued(other, 1) > 0) ASSERT_TRUE(members.deliver_from(other, 1));
  EXPECT_EQ(members.queued(1, owes), waiting);
}

// With nonces from nowhere: another run, another start, other masks; the same error to a few digits is not asked for.
TEST_P(MembersOf, StartElsewhereInEveryRealRun) {
  const Problem problem = small(GetParam());
  std::vector<Digest> digests;
  std::vector<Matrix> X;
  for (int repeat = 0; repeat < 2; ++repeat) {
    Members members(problem.graph, problem.config.settings, problem.Z, std::nullopt,
                    GetParam().scheme == protocol::SchemeKind::kSum ? std::nullopt
                                                                    : std::optional<crypto::KeyOptions>(small_keys()));
    // Secrets differ between the repetitions as they would with real entropy: a few more processes come and go.
    for (int spare = 0; spare < repeat; ++spare) {
      for (std::uint32_t i = 0; i < 4; ++i) {
        members.kill(i);
        members.sites[i] = Site{};
        members.make(i);
      }
    }
    Stream pick(Seed::from_number(1), 'p');
    members.connect_all();
    members.run(pick);
    ASSERT_TRUE(members.all_done());
    digests.push_back(*members.sites[0].participant->digest());
    X.push_back(members.sites[0].participant->agent()->X());
    for (const Site& site : members.sites) EXPECT_EQ(*site.participant->digest(), digests.back());
  }
  EXPECT_NE(digests[0], digests[1]);
  EXPECT_NE(X[0], X[1]);
}

// From an earlier round, and from the same round before it answered: it stops before it says anything new.
TEST_P(MembersOf, AnOldCopyOfTheFolderStopsItself) {
  const Problem problem = small(GetParam());
  for (const std::uint64_t behind : {1U, 4U}) {
    Members members = members_of(problem);
    Stream pick(Seed::from_number(2), 'p');
    members.connect_all();
    Site& site = members.sites[1];
    std::map<std::uint64_t, Bytes> copies;
    // Until somebody has heard of a save that the copy does not know.
    while (site.number < 6 || members.heard_of[1] < site.number) {
      if (!members.deliver(pick)) members.tick();
      copies[site.number] = site.disk;
    }
    ASSERT_TRUE(copies.contains(site.number - behind));
    members.kill(1);
    const std::uint64_t known = site.number;
    site.number -= behind;
    site.disk = copies[site.number];
    members.make(1);
    const std::uint64_t before = site.number;
    members.connect_all();
    while (members.deliver(pick)) continue;
    ASSERT_TRUE(site.failure) << "behind by " << behind << " of " << known;
    EXPECT_NE(site.failure->message.find("is an old copy"), std::string::npos) << site.failure->message;
    EXPECT_EQ(site.number, before) << "it saved something";
    // The others hear of it, and their states stay as they were.
    for (const std::uint32_t other : {0U, 2U}) {
      ASSERT_TRUE(members.sites[other].failure);
      EXPECT_NE(members.sites[other].failure->message.find("agent 1 gave up"), std::string::npos);
    }
  }
}

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
  members.handle(3, member::Heard{AgentId{2}, wire::Abort{"the disk is on fire"}});
  while (members.deliver(pick)) continue;
  EXPECT_EQ(members.sites[3].failure->message, "agent 2 gave up: the disk is on fire");
  EXPECT_EQ(members.sites[0].failure->message,
            "agent 1 gave up: agent 2 gave up: agent 3 gave up: agent 2 gave up: the disk is on fire");
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
  Members members(problem.graph, problem.config.settings, problem.Z, kSeed, std::nullopt,
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

// Nothing that depends on its data but the number of columns has left by then.
TEST(MembersColumns, TooFewBehindATotalEndTheRunWithASentence) {
  const Problem problem = small(protocol::SchemeKind::kSum);
  Members members(problem.graph, problem.config.settings, problem.Z, kSeed, std::nullopt, [](Index total) {
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
