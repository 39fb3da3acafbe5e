#include <ppdnmf/net/internal/board.h>

#include <ppdnmf/net/test_transport.h>

namespace ppdnmf::net {
namespace {

using Sent = Transport::Sent;

// Two peers, with ids 10 and 11.
struct BoardTest : ::testing::Test {
  std::vector<identity::PrivateIdentity> identities = members(3);
  TransportConfig config = [this] {
    auto out = config_of(identities[0], {peer_of(10, identities[1]), peer_of(11, identities[2])});
    out.max_queued_messages = 2;
    out.max_queued_bytes = 100;
    out.times.between_complaints = 1h;
    return out;
  }();
  std::vector<std::size_t> stirred;
  Board board{config, [this](std::size_t peer) { stirred.push_back(peer); }};

  std::optional<NetEvent> next() { return board.next(std::chrono::steady_clock::now()); }
  template <typename Event>
  bool next_is(std::uint32_t peer) {
    const auto event = next();
    const auto* found = event ? std::get_if<Event>(&*event) : nullptr;
    return found != nullptr && found->peer == AgentId{peer};
  }
  Sent send(std::size_t peer, std::size_t size) { return board.send(peer, std::make_shared<const Bytes>(size)); }
  StreamNumber connect(std::size_t peer) {
    const StreamNumber stream = board.begin_stream(peer);
    EXPECT_TRUE(next_is<Connected>(static_cast<std::uint32_t>(10 + peer)));
    return stream;
  }
};

TEST_F(BoardTest, PeersTakeTurns) {
  const StreamNumber first = connect(0);
  const StreamNumber second = connect(1);
  for (int i = 0; i < 3; ++i) {
    if (board.may_read(0)) board.arrived(0, first, {1});
    if (board.may_read(1)) board.arrived(1, second, {2});
    EXPECT_TRUE(next_is<Arrived>(10));
    board.arrived(0, first, {1});  // is quick again
    EXPECT_TRUE(next_is<Arrived>(11));
  }
}

TEST_F(BoardTest, OneMessageWaitsAndTheNextMayBeReadWhenItWasTaken) {
  const StreamNumber stream = connect(0);
  EXPECT_TRUE(board.may_read(0));
  board.arrived(0, stream, {1});
  EXPECT_FALSE(board.may_read(0));
  EXPECT_TRUE(board.may_read(1));
  EXPECT_THAT(stirred, ::testing::IsEmpty());
  EXPECT_TRUE(next_is<Arrived>(10));
  EXPECT_TRUE(board.may_read(0));
  EXPECT_THAT(stirred, ::testing::ElementsAre(0));
  EXPECT_EQ(send(0, 1), Sent::kQueued);
  EXPECT_THAT(stirred, ::testing::ElementsAre(0, 0));
}

TEST_F(BoardTest, TheQueueIsBoundedInMessagesAndInBytes) {
  const StreamNumber stream = connect(0);
  EXPECT_EQ(send(0, 1000), Sent::kQueued);  // more than the bound, but alone
  EXPECT_EQ(send(0, 1), Sent::kFull);
  board.sent(0, stream);
  EXPECT_EQ(send(0, 60), Sent::kQueued);
  EXPECT_EQ(send(0, 41), Sent::kFull);
  EXPECT_EQ(send(0, 40), Sent::kQueued);
  EXPECT_EQ(send(0, 0), Sent::kFull);  // two are enough
  board.sent(0, stream);
  EXPECT_EQ(send(0, 60), Sent::kQueued);
}

// What is meant for a stream that is gone does not go to the next one.
TEST_F(BoardTest, NobodySpeaksToAStreamOfWhichHeHasNotHeard) {
  const StreamNumber old = connect(0);
  board.arrived(0, old, {1});
  const StreamNumber young = board.begin_stream(0);
  EXPECT_TRUE(next_is<Arrived>(10));
  EXPECT_EQ(send(0, 1), Sent::kNotConnected);
  EXPECT_EQ(board.speaks_to(0), 0U);
  EXPECT_TRUE(next_is<Connected>(10));
  EXPECT_EQ(board.speaks_to(0), young);
  EXPECT_EQ(send(0, 1), Sent::kQueued);
  EXPECT_TRUE(board.to_send(0, young));
  EXPECT_FALSE(board.to_send(0, old));
}

TEST_F(BoardTest, AConnectedOfAStreamThatIsGoneAgainOpensNothing) {
  const StreamNumber first = board.begin_stream(0);
  board.arrived(0, first, {1});
  board.end_stream(0, first, "gone");
  (void)board.begin_stream(0);
  EXPECT_TRUE(next_is<Connected>(10));  // the first one's
  EXPECT_EQ(send(0, 1), Sent::kNotConnected);
  EXPECT_TRUE(next_is<Arrived>(10));
  EXPECT_TRUE(next_is<Disconnected>(10));
  EXPECT_EQ(send(0, 1), Sent::kNotConnected);
  EXPECT_TRUE(next_is<Connected>(10));
  EXPECT_EQ(send(0, 1), Sent::kQueued);
}

TEST_F(BoardTest, WhatHappensWhileNobodyLooksDoesNotPileUp) {
  for (int i = 0; i < 1000; ++i) {
    board.unreachable(0, std::to_string(i));
    const StreamNumber stream = board.begin_stream(0);
    if (board.may_read(0)) board.arrived(0, stream, {1});
    (void)board.begin_stream(0);
    board.end_stream(0, board.begin_stream(0), "gone");
    board.refused(std::to_string(i), "mad");
  }
  int events = 0;
  std::optional<NetEvent> last;
  while (auto event = next()) {
    ++events;
    if (!std::holds_alternative<Refused>(*event)) last = std::move(event);
  }
  EXPECT_LE(events, 32 + 6);
  ASSERT_TRUE(last);
  EXPECT_TRUE(std::holds_alternative<Disconnected>(*last));
  EXPECT_EQ(board.traffic(0).connections, 3000U);
  EXPECT_EQ(board.traffic(0).outages, 3000U);
}

TEST_F(BoardTest, EventsOfAnOldStreamAreIgnored) {
  const StreamNumber old = connect(0);
  (void)connect(0);
  board.end_stream(0, old, "late");
  board.arrived(0, old, {1});
  EXPECT_FALSE(next());
  EXPECT_NE(board.speaks_to(0), 0U);
}

TEST_F(BoardTest, FlushWaitsForWhatIsQueuedOrForTheEndOfTheStream) {
  const StreamNumber stream = connect(0);
  EXPECT_EQ(send(0, 1), Sent::kQueued);
  EXPECT_FALSE(board.flush(std::chrono::steady_clock::now()));
  board.sent(0, stream);
  EXPECT_TRUE(board.flush(std::chrono::steady_clock::now()));
  EXPECT_EQ(send(0, 1), Sent::kQueued);
  board.end_stream(0, stream, "gone");
  EXPECT_TRUE(board.flush(std::chrono::steady_clock::now()));
}

TEST_F(BoardTest, ComplaintsAboutOneAreRareAndCounted) {
  for (int i = 0; i < 5; ++i) board.refused("c", "mad");
  board.refused("d", "mad");
  EXPECT_EQ(std::get<Refused>(*next()).who, "c");
  EXPECT_EQ(std::get<Refused>(*next()).who, "d");
  EXPECT_FALSE(next());
  board.unreachable(0, "x");
  EXPECT_TRUE(next_is<Unreachable>(10));
  board.unreachable(0, "x");
  EXPECT_FALSE(next());
  board.unreachable(0, "y");  // news
  EXPECT_TRUE(next_is<Unreachable>(10));
}

}  // namespace
}  // namespace ppdnmf::net
