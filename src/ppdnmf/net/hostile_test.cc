// A neighbour with a valid certificate that does what it must not: it is named, its stream ends, the memory stays
// within the bound of transport.h, and the other neighbours do not notice.
#include <array>
#include <thread>

#include <ppdnmf/net/test_hostile_peer.h>
#include <ppdnmf/net/test_transport.h>

namespace ppdnmf::net {
namespace {

using Sent = Transport::Sent;
constexpr std::size_t kMax = 8 * kFrame;

// a (0) listens for b (1), which is honest, and c (2), which is not.
struct Hostile : ::testing::Test {
  std::vector<identity::PrivateIdentity> identities = members(3);
  TransportConfig config_a = [this] {
    auto config = config_of(identities[0], {peer_of(1, identities[1]), peer_of(2, identities[2])}, loopback());
    config.max_message_bytes = kMax;
    config.max_queued_bytes = 2 * kMax;
    config.times.first_message = 300ms;
    config.times.stalled = 300ms;
    config.times.ending = 2s;  // a slow machine must not cut short who reads
    return config;
  }();
  std::unique_ptr<Transport> a, b;
  std::unique_ptr<HostilePeer> c;

  void SetUp() override {
    a = open(config_a);
    b = open(config_of(identities[1], {peer_of(0, identities[0], loopback(a->listening_port()))}));
    ASSERT_TRUE(await<Connected>(*a));
    ASSERT_TRUE(await<Connected>(*b));
    ASSERT_EQ(b->send(AgentId{0}, Bytes{1}), Sent::kQueued);
    ASSERT_TRUE(await<Arrived>(*a));
    c = make_c();
    ASSERT_TRUE(c->open());
    const auto connected = await<Connected>(*a);
    ASSERT_TRUE(connected);
    ASSERT_EQ(connected->peer, AgentId{2});
  }
  void TearDown() override {
    ASSERT_EQ(b->send(AgentId{0}, Bytes{42}), Sent::kQueued);
    const auto deadline = soon();
    while (const auto event = a->next(deadline)) {
      const auto* arrived = std::get_if<Arrived>(&*event);
      if (arrived != nullptr && arrived->peer == AgentId{1}) return;
    }
    FAIL() << "the honest neighbour is not heard any more";
  }
  [[nodiscard]] std::unique_ptr<HostilePeer> make_c() const {
    return std::make_unique<HostilePeer>(&identities[2], identities[0].public_identity(), a->listening_port());
  }
  // c's stream ends with these words, and c is named.
  void expect_refused(const std::string& words) const {
    bool refused = false, disconnected = false;
    const auto deadline = soon();
    while (!refused || !disconnected) {
      const auto event = a->next(deadline);
      ASSERT_TRUE(event) << "refused: " << refused << ", disconnected: " << disconnected;
      if (const auto* found = std::get_if<Refused>(&*event)) {
        EXPECT_EQ(found->who, "c");
        EXPECT_THAT(found->why, ::testing::HasSubstr(words));
        refused = true;
      } else if (const auto* ended = std::get_if<Disconnected>(&*event)) {
        EXPECT_EQ(ended->peer, AgentId{2});
        disconnected = true;
      }
    }
  }
};

bool sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;  // their shadow memory would be measured
#else
  return false;
#endif
}

TEST_F(Hostile, TheLongestMessageIsTaken) {
  ASSERT_TRUE(c->write(HostilePeer::first_frame(kMax, kFrame)));
  for (std::size_t i = 1; i < kMax / kFrame; ++i) ASSERT_TRUE(c->write(Bytes(kFrame, 7)));
  const auto arrived = await<Arrived>(*a);
  ASSERT_TRUE(arrived);
  EXPECT_EQ(arrived->message, Bytes(kMax, 7));
}

TEST_F(Hostile, OneByteMoreIsRefusedAtItsHead) {
  c->write(HostilePeer::first_frame(kMax + 1, kFrame));
  expect_refused("it wants to send a message of 8388609 bytes, and none has more than 8388608");
}

TEST_F(Hostile, AnEnormousMessageTakesNoMemory) {
  const std::size_t before = resident();
  c->write(HostilePeer::first_frame(~std::uint64_t{0}, 1000));
  expect_refused("18446744073709551615 bytes");
  if (!sanitized()) {
    EXPECT_LT(resident(), before + 4 * kFrame);
  }
}

TEST_F(Hostile, AnEmptyMessageIsRefused) {
  c->write(HostilePeer::first_frame(0, 0));
  expect_refused("empty message");
}

TEST_F(Hostile, AFrameWithoutAHeadIsRefused) {
  c->write(Bytes(5, 1));
  expect_refused("too short for its head");
}

TEST_F(Hostile, AFrameThatIsLongerThanItsMessageIsRefused) {
  c->write(HostilePeer::first_frame(10, 11));
  expect_refused("a frame of 19 bytes instead of 18");
}

TEST_F(Hostile, ManySmallFramesInsteadOfAFullOneAreRefused) {
  c->write(HostilePeer::first_frame(2 * kFrame, 100));
  expect_refused("a frame of 108 bytes instead of 1048584");
}

TEST_F(Hostile, AFrameAboveAMebibyteEndsTheStream) {
  c->write(HostilePeer::first_frame(kMax, kMax));
  EXPECT_TRUE(await<Disconnected>(*a));
}

TEST_F(Hostile, CompressedFramesAreNotUnpacked) {
  c = make_c();
  const bool opened = c->open("/ppdnmf.Agent/Exchange", true);
  if (opened) c->write(HostilePeer::first_frame(kFrame, kFrame));
  const auto deadline = soon(500ms);
  while (const auto event = a->next(deadline)) EXPECT_FALSE(std::holds_alternative<Arrived>(*event));
}

TEST_F(Hostile, AStreamThatBringsNothingIsEnded) {
  EXPECT_TRUE(await_sentence<Disconnected>(*a, "opened a stream and said nothing"));
  EXPECT_EQ(c->finish().error_message(), "it opened a stream and said nothing");
}

TEST_F(Hostile, AMessageThatDoesNotGoOnIsEnded) {
  ASSERT_TRUE(c->write(HostilePeer::first_frame(2 * kFrame, kFrame)));
  EXPECT_TRUE(await_sentence<Disconnected>(*a, "began and did not go on"));
}

TEST_F(Hostile, AStreamThatHasBroughtAMessageMayBeSilent) {
  ASSERT_TRUE(c->write(HostilePeer::first_frame(1, 1)));
  ASSERT_TRUE(await<Arrived>(*a));
  EXPECT_TRUE(stays_away<Disconnected>(*a, 800ms));
}

// The consumer takes nothing while c writes as fast as it can.
TEST_F(Hostile, AFloodWaitsOutside) {
  const std::size_t before = resident();
  Bytes message = HostilePeer::first_frame(kFrame, kFrame);
  std::size_t taken = 0;
  while (c->write(message, 300ms) && taken < 1000) ++taken;
  EXPECT_LT(taken, 10U);  // one message waits, the next is not read; the rest is what gRPC reads ahead
  if (!sanitized()) {
    EXPECT_LT(resident(), before + 2 * kMax);
  }
  // One after the other when they are taken.
  for (std::size_t i = 0; i < taken; ++i) ASSERT_TRUE(await<Arrived>(*a));
}

TEST_F(Hostile, WhoDoesNotReadFillsItsOwnQueueAndNoMore) {
  ASSERT_TRUE(c->write(HostilePeer::first_frame(1, 1)));
  ASSERT_TRUE(await<Arrived>(*a));
  const std::size_t before = resident();
  std::size_t queued = 0;
  bool served = false, full = false;
  const auto enough = soon(500ms), end = soon(30s);  // on a busy machine half a second may not fill it
  const auto goes_on = [&] {
    const auto now = std::chrono::steady_clock::now();
    return now < enough || (!full && now < end);
  };
  while (goes_on()) {
    const Sent sent = a->send(AgentId{2}, Bytes(kFrame, 1));
    ASSERT_NE(sent, Sent::kNotConnected);
    if (sent == Sent::kQueued) ++queued;
    full = full || sent == Sent::kFull;
    // b, meanwhile, is served.
    ASSERT_NE(a->send(AgentId{1}, Bytes(1000, 2)), Sent::kNotConnected);
    const auto event = b->next(soon(1ms));
    served = served || (event && std::holds_alternative<Arrived>(*event));
  }
  EXPECT_GE(queued, config_a.max_queued_messages);
  EXPECT_LT(queued, config_a.max_queued_messages + 8);  // and what gRPC has taken over
  if (!sanitized()) {
    EXPECT_LT(resident(), before + (config_a.max_queued_messages + 12) * kFrame);
  }
  EXPECT_FALSE(a->flush(soon(50ms)));
  EXPECT_TRUE(served || await<Arrived>(*b));
}

TEST_F(Hostile, TheQueueHasABoundInBytes) {
  ASSERT_TRUE(c->write(HostilePeer::first_frame(1, 1)));
  ASSERT_TRUE(await<Arrived>(*a));
  ASSERT_EQ(a->send(AgentId{2}, Bytes(kMax)), Sent::kQueued);
  ASSERT_EQ(a->send(AgentId{2}, Bytes(kMax)), Sent::kQueued);
  EXPECT_EQ(a->send(AgentId{2}, Bytes(1)), Sent::kFull);
  EXPECT_EQ(a->send(AgentId{1}, Bytes(1)), Sent::kQueued);
}

TEST_F(Hostile, WhoReadsSlowlyIsToldWhyTheStreamEnds) {
  ASSERT_TRUE(c->write(HostilePeer::first_frame(1, 1)));
  ASSERT_TRUE(await<Arrived>(*a));
  ASSERT_EQ(a->send(AgentId{2}, Bytes(kMax)), Sent::kQueued);
  ASSERT_FALSE(a->flush(soon(50ms)));
  a->disconnect(AgentId{2}, "it is too slow");
  ASSERT_TRUE(await<Disconnected>(*a));
  while (c->read()) continue;
  EXPECT_THAT(c->finish().error_message(), ::testing::HasSubstr("it is too slow"));
}

TEST_F(Hostile, WhoDoesNotReadAtAllIsNotWaitedFor) {
  ASSERT_TRUE(c->write(HostilePeer::first_frame(1, 1)));
  ASSERT_TRUE(await<Arrived>(*a));
  ASSERT_EQ(a->send(AgentId{2}, Bytes(kMax)), Sent::kQueued);
  ASSERT_FALSE(a->flush(soon(50ms)));
  a->disconnect(AgentId{2}, "it is too slow");
  std::this_thread::sleep_for(config_a.times.ending + 1s);
  while (c->read()) continue;
  // What it reads now is what had arrived: the frame under way was given up, and the words about the end with it.
  EXPECT_EQ(c->finish().error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(Hostile, AFloodOfStreamsLeavesOne) {
  const std::size_t before = resident();
  std::vector<std::unique_ptr<HostilePeer>> all;
  for (int i = 0; i < 50; ++i) {
    all.push_back(make_c());
    ASSERT_TRUE(all.back()->open());
    all.back()->write(HostilePeer::first_frame(kMax, kFrame));
  }
  // The last one is the stream.
  for (std::size_t i = 1; i < kMax / kFrame; ++i) ASSERT_TRUE(all.back()->write(Bytes(kFrame, 9)));
  ASSERT_TRUE(await<Arrived>(*a));
  EXPECT_FALSE(all[48]->write(Bytes(kFrame, 9), 1000ms));
  if (!sanitized()) {
    EXPECT_LT(resident(), before + 100 * kFrame);  // fifty clients are in this process, too
  }
}

}  // namespace
}  // namespace ppdnmf::net
