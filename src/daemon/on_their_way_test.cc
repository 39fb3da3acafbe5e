#include "daemon/on_their_way.h"

#include <gtest/gtest.h>

namespace ppdnmf {
namespace {

const AgentId kPeer{1};

Message of(Body body, std::uint8_t run = 1) { return {RunId{run}, std::move(body)}; }

TEST(OnTheirWay, TheSameMessageIsFoundUntilTheQueueIsEmpty) {
  OnTheirWay way;
  const Message query = of(Query{{1, 2}, kNever, {7}});
  EXPECT_FALSE(way.contains(kPeer, query));
  way.add(kPeer, query);
  EXPECT_TRUE(way.contains(kPeer, query));
  EXPECT_FALSE(way.contains(AgentId{2}, query));
  way.clear(AgentId{2});
  EXPECT_TRUE(way.contains(kPeer, query));
  way.clear(kPeer);
  EXPECT_FALSE(way.contains(kPeer, query));
}

// Whatever is taken for another message is lost.
TEST(OnTheirWay, NoOtherMessageIsTakenForIt) {
  const Message all[] = {of(Hello{0, false, {}, 0, {}}), of(Hello{0, true, {}, 0, {}}), of(Hello{1, false, {}, 0, {}}),
                         of(Query{{1, 1}, kNever, {}}),  of(Query{{1, 2}, kNever, {}}), of(Query{{2, 1}, kNever, {}}),
                         of(Reply{{1, 1}, 0, {}}),       of(Reply{{1, 2}, 0, {}}),      of(Partial{1, false, {}, {}}),
                         of(Partial{2, false, {}, {}}),  of(Total{1, false, {}}),       of(Total{2, false, {}}),
                         of(Total{2, false, {}}, 2)};
  for (const Message& first : all) {
    OnTheirWay way;
    way.add(kPeer, first);
    for (const Message& second : all) EXPECT_EQ(way.contains(kPeer, second), first == second);
  }
}

}  // namespace
}  // namespace ppdnmf
