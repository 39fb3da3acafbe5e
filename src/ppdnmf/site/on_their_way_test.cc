#include <ppdnmf/site/on_their_way.h>

#include <gtest/gtest.h>

namespace ppdnmf::site {
namespace {

const AgentId kPeer{1};

protocol::Message of(protocol::Body body, std::uint8_t run = 1) { return {RunId{run}, std::move(body)}; }

TEST(OnTheirWay, TheSameMessageIsFoundUntilTheQueueIsEmpty) {
  OnTheirWay way;
  const protocol::Message query = of(protocol::Query{{1, 2}, protocol::kNever, {7}});
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
  const protocol::Message all[] = {of(protocol::Hello{false, {}, 0, {}}),
                                   of(protocol::Hello{true, {}, 0, {}}),
                                   of(protocol::Query{{1, 1}, protocol::kNever, {}}),
                                   of(protocol::Query{{1, 2}, protocol::kNever, {}}),
                                   of(protocol::Query{{2, 1}, protocol::kNever, {}}),
                                   of(protocol::Reply{{1, 1}, 0, {}}),
                                   of(protocol::Reply{{1, 2}, 0, {}}),
                                   of(protocol::Partial{1, false, {}, {}}),
                                   of(protocol::Partial{2, false, {}, {}}),
                                   of(protocol::Total{1, false, {}}),
                                   of(protocol::Total{2, false, {}}),
                                   of(protocol::Total{2, false, {}}, 2)};
  for (const protocol::Message& first : all) {
    OnTheirWay way;
    way.add(kPeer, first);
    for (const protocol::Message& second : all) EXPECT_EQ(way.contains(kPeer, second), first == second);
  }
}

}  // namespace
}  // namespace ppdnmf::site
