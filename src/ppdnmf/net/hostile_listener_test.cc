// A neighbour that is dialled, has a valid certificate and does what it must not.
#include <ppdnmf/net/test_hostile_listener.h>
#include <ppdnmf/net/test_hostile_peer.h>
#include <ppdnmf/net/test_transport.h>

namespace ppdnmf::net {
namespace {

// a (0) dials b (1), which is hostile.
struct HostileListening : ::testing::Test {
  std::vector<identity::PrivateIdentity> identities = members(2);
  std::unique_ptr<HostileListener> b =
      std::make_unique<HostileListener>(identities[1], identities[0].public_identity());
  std::unique_ptr<Transport> a = [this] {
    auto config = config_of(identities[0], {peer_of(1, identities[1], loopback(b->port()))});
    config.max_message_bytes = 4 * kFrame;
    config.times.connecting = 1s;
    config.times.first_message = 300ms;
    config.times.longest_pause = config.times.first_pause = 5s;  // one stream is enough
    return open(config);
  }();
};

TEST_F(HostileListening, TooLongAMessageIsRefusedAndTheListenerNamed) {
  ASSERT_TRUE(b->accept());
  ASSERT_TRUE(await<Connected>(*a));
  b->write(HostilePeer::first_frame(4 * kFrame + 1, 100));
  const auto refused = await<Refused>(*a);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->who, "b");
  EXPECT_THAT(refused->why, ::testing::HasSubstr("none has more than 4194304"));
  EXPECT_TRUE(await<Disconnected>(*a));
}

TEST_F(HostileListening, AFrameAboveAMebibyteEndsTheStream) {
  ASSERT_TRUE(b->accept());
  ASSERT_TRUE(await<Connected>(*a));
  b->write(HostilePeer::first_frame(4 * kFrame, 4 * kFrame));
  EXPECT_TRUE(await_sentence<Disconnected>(*a, "larger than max"));
}

TEST_F(HostileListening, WhoNeverAcceptsIsGivenUp) {
  ASSERT_TRUE(b->accept(false));
  EXPECT_TRUE(await_sentence<Unreachable>(*a, "did not answer in time", 5s));
}

TEST_F(HostileListening, WhoAcceptsAndSaysNothingIsGivenUp) {
  ASSERT_TRUE(b->accept());
  EXPECT_TRUE(await_sentence<Disconnected>(*a, "said nothing", 5s));
}

TEST_F(HostileListening, AnUnprintableReasonIsMadePrintable) {
  ASSERT_TRUE(b->accept());
  ASSERT_TRUE(await<Connected>(*a));
  EXPECT_TRUE(b->finish(grpc::Status(grpc::StatusCode::ABORTED, "red\x1b[31m" + std::string(5000, 'x'))));
  const auto gone = await<Disconnected>(*a);
  ASSERT_TRUE(gone);
  EXPECT_THAT(gone->why, ::testing::HasSubstr("it ended the stream: red?[31mxxx"));
  EXPECT_LT(gone->why.size(), 400U);
}

TEST_F(HostileListening, ARefusalBeforeTheAnswerIsNotAStream) {
  ASSERT_TRUE(b->accept(false));
  EXPECT_TRUE(b->finish(grpc::Status(grpc::StatusCode::ABORTED, "no")));
  EXPECT_TRUE(await_sentence<Unreachable>(*a, "no", 5s));
  EXPECT_EQ(a->traffic(AgentId{1}).connections, 0U);
}

}  // namespace
}  // namespace ppdnmf::net
