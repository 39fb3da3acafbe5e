// A4, A5, A12 and A13 on sums.
#include <gtest/gtest.h>

#include <ppdnmf/audit/attacks/a12_told_apart.h>
#include <ppdnmf/audit/attacks/a13_poisoned_part.h>
#include <ppdnmf/audit/attacks/a4_told_twice.h>
#include <ppdnmf/audit/attacks/a5_part_direction.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/totals.h>

namespace ppdnmf::audit {
namespace {

const AuditSetup kRing{protocol::SchemeKind::kSum, "ring", 4, 20, 20, 8, 3, false, false};

TEST(ToldTwice, TwoPartsUnderOneMaskOpenTheirDifference) { EXPECT_EQ(careless_part_trial(1).value().value, 1); }

TEST(ToldTwice, AnAgentContributesOnce) {
  for (const std::uint64_t seed : {1, 2, 3}) EXPECT_EQ(told_twice_trial(kRing, seed).value().value, 0);
}

TEST(ToldTwice, ASecondPartIsCounted) {
  AttackerView view{protocol::RunSettings{}, protocol::Graph::create(2, {{0, 1}}).value(), {}, 1, {}};
  MemberView& member = view.members[AgentId{0}];
  for (const Bytes& payload : {Bytes{1}, Bytes{1}, Bytes{2}})
    member.received.push_back({AgentId{1}, protocol::Message{{}, protocol::Partial{3, false, {}, payload}}});
  const PartCount count = count_parts(view);
  EXPECT_EQ(count.all, 1U);
  EXPECT_EQ(count.second, 1U);
}

TEST(PartDirection, IsReadWithoutMasksAndNotWithThem) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    EXPECT_LT(part_direction_trial(kRing, false, seed).value().value, 1e-6);
    const Trial masked = part_direction_trial(kRing, true, seed).value();
    EXPECT_GT(masked.value, masked.baseline);
  }
}

TEST(ToldApart, OpensWithoutMasksAndNotWithThem) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    EXPECT_EQ(told_apart_trial(kRing, false, seed).value().value, 1);
    EXPECT_EQ(told_apart_trial(kRing, true, seed).value().value, 0);
  }
}

// With eight rows and rank two a sum of the opening is as long as one of a round.
TEST(OthersTotals, AreWhatTheOthersColumnsGive) {
  for (const auto& [rows, rank] : {std::pair<Index, Index>{8, 2}, {10, 3}}) {
    const AuditSetup setup{protocol::SchemeKind::kSum, "ring", 3, 20, 20, rows, rank, false, false};
    const auto run = record(problem_of(setup, 1, 6));
    ASSERT_TRUE(run);
    const OthersTotals totals = others_totals(run->view(kAttacker), 6);
    ASSERT_EQ(totals.requests.size(), 6U);
    const Vector truth = moments_of(totals.requests, run->others(kAttacker) / run->scale(), rank);
    EXPECT_LT((moments_of(totals) - truth).norm(), 1e-9 * truth.norm());
  }
}

TEST(PoisonedPart, OneLieDoesNotLast) {
  for (const std::uint64_t seed : {1, 2, 3}) EXPECT_LT(poisoned_part_trial(kRing, seed).value().value, kPoisoned);
}

}  // namespace
}  // namespace ppdnmf::audit
