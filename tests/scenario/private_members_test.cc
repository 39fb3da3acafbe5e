// Members of private runs: a share of the noise leaves in one form, whatever becomes of the process that drew it, and
// nothing is opened that lacks one (docs/privacy.md).
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "tests/scenario/private_problem.h"
#include <ppdnmf/member/test_members.h>
#include <ppdnmf/protocol/private_scheme.h>
#include <ppdnmf/protocol/roll_call.h>

namespace ppdnmf::scenario {
namespace {

using member::testing_members::Members;

constexpr std::uint64_t kSeed = 4;
constexpr std::uint32_t kAgents = 4;
constexpr int kRounds = 6;

// With secrets from nowhere, as in a run between organisations; the first processes of two Members have the same ones.
Members members_of(const Problem& problem) { return {problem.graph, problem.config.settings, problem.Z, std::nullopt}; }

// Processes end right after a save, before anything leaves; the next one has another secret of its own until it reads
// the disk. If it drew its noise anew, two shares of one round could be averaged, or subtracted.
TEST(PrivateMembers, KilledBetweenSaveAndSendTheyRepeatTheirWords) {
  const Problem problem = private_problem(kSeed, "ring", kAgents, kRounds);
  Stream pick(Seed::from_number(1), 'p');
  Members calm = members_of(problem);
  calm.connect_all();
  calm.run(pick);
  ASSERT_TRUE(calm.all_done());

  std::uint64_t saved_only = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Stream chance(Seed::from_number(seed), 'c');
    Members rough = members_of(problem);
    for (int step = 0; step < 600; ++step) {
      rough.connect_all();
      std::vector<std::uint64_t> numbers;
      for (const auto& site : rough.sites) numbers.push_back(site.number);
      if (chance.below(5) == 0) rough.survive_next = 1;
      if (!rough.deliver(chance)) rough.tick();
      for (std::uint32_t i = 0; i < kAgents; ++i) {
        if (rough.sites[i].participant) continue;
        saved_only += rough.sites[i].number > numbers[i] ? 1 : 0;
        rough.make(i);
      }
    }
    rough.survive_next.reset();
    rough.connect_all();
    rough.run(chance);
    ASSERT_TRUE(rough.all_done());
    EXPECT_EQ(rough.partials(), calm.partials());
    EXPECT_EQ(rough.sites[1].participant->agent()->X(), calm.sites[1].participant->agent()->X());
  }
  EXPECT_GT(saved_only, 30U) << "too few died between a save and what was to leave";
}

// All members go back to old copies at once, so that nobody can tell another: what they say then is what they said
// before, word for word (Members looks), and no second draw of the noise is to be had.
TEST(PrivateMembers, SetBackTogetherTheyRepeatTheirWords) {
  const Problem problem = private_problem(kSeed, "ring", kAgents, kRounds);
  Members members = members_of(problem);
  Stream pick(Seed::from_number(3), 'p');
  members.connect_all();
  // Nothing is on its way, so that no copy is ahead of another: agent 2 is dead, and the others wait for it.
  while (members.sites[0].participant->agent() == nullptr ||
         members.sites[0].participant->agent()->rounds_completed() < 3) {
    ASSERT_TRUE(members.deliver(pick));
  }
  members.kill(2);
  while (members.deliver(pick)) continue;
  std::vector<std::pair<std::uint64_t, Bytes>> copies;
  for (const auto& site : members.sites) copies.emplace_back(site.number, site.disk);
  members.make(2);
  members.connect_all();
  members.run(pick);
  ASSERT_TRUE(members.all_done());
  const Members::Partials said = members.partials();
  const Matrix X = members.sites[0].participant->agent()->X();
  for (std::uint32_t i = 0; i < kAgents; ++i) {
    members.kill(i);
    std::tie(members.sites[i].number, members.sites[i].disk) = copies[i];
    members.sites[i].kept = false;
  }
  for (std::uint32_t i = 0; i < kAgents; ++i) members.make(i);
  members.connect_all();
  members.run(pick);
  ASSERT_TRUE(members.all_done());
  EXPECT_EQ(members.partials(), said);
  EXPECT_EQ(members.sites[0].participant->agent()->X(), X);
}

// Of a total that lacks one part, masks are left: there is nothing to send on, and everybody waits. The run goes on
// when the member does.
TEST(PrivateMembers, NothingIsOpenedThatLacksAShare) {
  const Problem problem = private_problem(kSeed, "ring", kAgents, kRounds);
  Members members = members_of(problem);
  Stream pick(Seed::from_number(2), 'p');
  members.connect_all();
  const auto opened = [&] {
    std::set<std::uint64_t> numbers;
    for (const auto& site : members.sites) {
      if (site.participant && site.participant->agent()) numbers.insert(site.participant->agent()->rounds_completed());
    }
    return numbers;
  };
  while (opened() != std::set<std::uint64_t>{2}) ASSERT_TRUE(members.deliver(pick));
  members.kill(2);
  for (int n = 0; n < 100; ++n) {
    while (members.deliver(pick)) continue;
    members.tick();
  }
  const std::set<std::uint64_t> stuck = opened();
  EXPECT_LE(*stuck.rbegin(), 3U);  // what agent 2 had sent before it died
  for (int n = 0; n < 100; ++n) {
    while (members.deliver(pick)) continue;
    members.tick();
  }
  EXPECT_EQ(opened(), stuck);
  for (const std::uint32_t i : {0U, 1U, 3U}) EXPECT_FALSE(members.sites[i].failure);
  EXPECT_FALSE(members.sites[1].participant->waiting_for().empty());
  members.make(2);
  members.connect_all();
  members.run(pick);
  EXPECT_TRUE(members.all_done());
}

// Another run over the same data has other noise: its secrets are others.
TEST(PrivateMembers, AnotherRunDrawsOtherNoise) {
  const Problem problem = private_problem(kSeed, "ring", kAgents, kRounds);
  std::vector<Seed> secrets;
  for (const std::uint64_t process : {1U, 2U}) secrets.push_back(Seed::from_number(1000 + process));
  Digest run{1};
  const Seed first = protocol::bind_secret(secrets[0], run, AgentId{0});
  const Seed second = protocol::bind_secret(secrets[1], run, AgentId{0});
  run[0] = 2;
  const Seed other_run = protocol::bind_secret(secrets[0], run, AgentId{0});
  const privacy::NoisePlan& plan = problem.config.settings.privacy->noise;
  EXPECT_NE(protocol::noise_share(plan, first, run, 0), protocol::noise_share(plan, second, run, 0));
  EXPECT_NE(protocol::noise_share(plan, first, run, 0), protocol::noise_share(plan, other_run, run, 0));
}

}  // namespace
}  // namespace ppdnmf::scenario
