// Whole runs of participants: streams break, processes die between any two actions and come back from their disks.
#include "tests/scenario/members_harness.h"

namespace ppdnmf::scenario {
namespace {

// The schemes, and the private run of the scheme sum.
struct Kind {
  protocol::SchemeKind scheme;
  bool is_private = false;
};

Problem problem_of(const Kind& kind) {
  return kind.is_private ? private_problem(kMembersSeed, "ring", 4, 6) : small(kind.scheme);
}

class MembersOf : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(AllSchemes, MembersOf,
                         testing::Values(Kind{protocol::SchemeKind::kSum}, Kind{protocol::SchemeKind::kHardened},
                                         Kind{protocol::SchemeKind::kAsPrinted},
                                         Kind{protocol::SchemeKind::kSum, true}));

TEST_P(MembersOf, EndWithTheBytesOfASimulation) {
  const Problem problem = problem_of(GetParam());
  Members members = members_of(problem);
  Stream pick(Seed::from_number(1), 'p');
  members.connect_all();
  members.run(pick);
  expect_ended_with(members, simulated(problem));
}

// Deaths between any two actions, cut streams, late starts. Nobody answers twice in two forms (Members looks), and the
// result does not change by a bit.
TEST_P(MembersOf, SurviveDeathsAndCutsWithTheSameBytes) {
  const Problem problem = problem_of(GetParam());
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
  const Problem problem = problem_of(GetParam());
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
  const Problem problem = problem_of(GetParam());
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
  const Problem problem = problem_of(GetParam());
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
  const Problem problem = problem_of(GetParam());
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
      EXPECT_THAT(members.sites[other].failure->message, testing::HasSubstr("agent 1 gave up"));
    }
  }
}

}  // namespace
}  // namespace ppdnmf::scenario
