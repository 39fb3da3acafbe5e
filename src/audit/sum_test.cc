// A4, A5, A12 and A13 on sums.
#include <gtest/gtest.h>

#include "audit/a4_told_twice.h"
#include "audit/trials.h"

namespace ppdnmf {
namespace {

const AuditSetup kRing{ExchangeKind::kSum, "ring", 4, 20, 20, 8, 3, false, false};

TEST(ToldTwice, TwoPartsUnderOneMaskOpenTheirDifference) { EXPECT_EQ(careless_part_trial(1).value().value, 1); }

TEST(ToldTwice, AnAgentContributesOnce) {
  for (const std::uint64_t seed : {1, 2, 3}) EXPECT_EQ(told_twice_trial(kRing, seed).value().value, 0);
}

TEST(ToldTwice, ASecondPartIsCounted) {
  AttackerView view{RunSettings{}, Graph::create(2, {{0, 1}}).value(), {}, 1, {}};
  MemberView& member = view.members[AgentId{0}];
  for (const Bytes& payload : {Bytes{1}, Bytes{1}, Bytes{2}})
    member.received.push_back({AgentId{1}, Message{{}, Partial{3, false, {}, payload}}});
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

TEST(PoisonedPart, OneLieDoesNotLast) {
  for (const std::uint64_t seed : {1, 2, 3}) EXPECT_LT(poisoned_part_trial(kRing, seed).value().value, kPoisoned);
}

}  // namespace
}  // namespace ppdnmf
