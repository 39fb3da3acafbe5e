#include <ppdnmf/net/link.h>

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>

#include <ppdnmf/io/descriptor.h>
#include <ppdnmf/net/test_transport.h>

namespace ppdnmf::net {
namespace {

struct Joined {
  std::array<int, 2> ends = [] {
    std::array<int, 2> out{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, out.data()), 0);
    return out;
  }();
  io::Descriptor outside{ends[0]}, inside{ends[1]};
};

// What can be read from the socket without waiting.
Bytes drained(int socket) {
  Bytes out, some(1U << 16U);
  for (ssize_t got = 0; (got = recv(socket, some.data(), some.size(), 0)) > 0;)
    out.insert(out.end(), some.begin(), some.begin() + got);
  return out;
}

// near --(near's inside)[flows](far's inside)-- far
struct Flows : testing::Test {
  Joined near, far;
  Link here{near.inside.get(), nullptr}, there{far.inside.get(), nullptr};
  Flow out, back;
};

TEST_F(Flows, MoveBytesBothWays) {
  const Bytes one = numbered(1000, 1), two = numbered(2000, 2);
  ASSERT_EQ(write(near.outside.get(), one.data(), one.size()), 1000);
  ASSERT_EQ(write(far.outside.get(), two.data(), two.size()), 2000);
  EXPECT_TRUE(move_both(out, back, here, there));
  EXPECT_EQ(drained(far.outside.get()), one);
  EXPECT_EQ(drained(near.outside.get()), two);
  EXPECT_EQ(out.moved(), 1000U);
}

TEST_F(Flows, WhoeverReadsSlowlyHoldsUpTheOtherAndNobodysMemory) {
  const Bytes all = numbered(std::size_t{4} << 20U, 3);
  std::size_t sent = 0;
  Bytes came;
  for (int turn = 0; came.size() < all.size(); ++turn) {
    ASSERT_LT(turn, 100'000);
    const ssize_t taken = send(near.outside.get(), all.data() + sent, all.size() - sent, MSG_NOSIGNAL);
    if (taken > 0) sent += static_cast<std::size_t>(taken);
    ASSERT_TRUE(move_both(out, back, here, there));
    ASSERT_LE(out.moved() - came.size(), std::size_t{1} << 20U) << "the sockets' buffers and one Flow";
    if (turn % 5 != 0) continue;
    const Bytes more = drained(far.outside.get());
    came.insert(came.end(), more.begin(), more.end());
  }
  EXPECT_TRUE(came == all);
}

TEST_F(Flows, LastWordsArriveAlthoughTheirSenderIsGone) {
  const Bytes words = numbered(40'000, 4);
  ASSERT_EQ(write(near.outside.get(), words.data(), words.size()), 40'000);
  (void)near.outside.close();
  Bytes came;
  for (int turn = 0; turn < 100; ++turn) {
    const bool goes_on = move_both(out, back, here, there);
    const Bytes more = drained(far.outside.get());
    came.insert(came.end(), more.begin(), more.end());
    if (!goes_on) break;
    ASSERT_LT(turn, 99);
  }
  EXPECT_TRUE(came == words);
}

// The one that ended first cannot be written to; what it said before still goes to the other.
TEST_F(Flows, LastWordsArriveAlthoughTheirSenderCannotBeAnswered) {
  const Bytes answer = numbered(1000, 5);
  Bytes filling(1U << 16U, 1);
  std::size_t stuffed = 0;
  for (ssize_t put = 0; (put = send(far.inside.get(), filling.data(), filling.size(), MSG_NOSIGNAL)) > 0;)
    stuffed += static_cast<std::size_t>(put);
  const Bytes words = numbered(20'000, 6);
  ASSERT_EQ(write(near.outside.get(), words.data(), words.size()), 20'000);
  EXPECT_TRUE(move_both(out, back, here, there)) << "far takes nothing yet";
  (void)near.outside.close();
  ASSERT_EQ(write(far.outside.get(), answer.data(), answer.size()), 1000);
  for (int turn = 0; turn < 5; ++turn) EXPECT_TRUE(move_both(out, back, here, there));
  Bytes came;
  for (int turn = 0; turn < 100; ++turn) {
    const Bytes more = drained(far.outside.get());
    came.insert(came.end(), more.begin(), more.end());
    if (!move_both(out, back, here, there)) break;
  }
  const Bytes more = drained(far.outside.get());
  came.insert(came.end(), more.begin(), more.end());
  ASSERT_EQ(came.size(), stuffed + words.size());
  EXPECT_TRUE(std::equal(words.begin(), words.end(), came.end() - 20'000));
}

// --- with TLS -------------------------------------------------------------------------------------------------------

TEST(Link, BothSidesSeeTheOthersCertificateAndOnlyOneProtocolIsSpoken) {
  const auto identities = members(2);
  for (const bool same : {true, false}) {
    const Joined sockets;
    Link client(sockets.outside.get(), TlsSide::client(&identities[0], same ? "one/1" : "two/1"));
    Link server(sockets.inside.get(), TlsSide::server(identities[1], "one/1"));
    auto a = Link::Progress::kWait, b = Link::Progress::kWait;
    for (int turn = 0; turn < 20; ++turn) {
      if (a == Link::Progress::kWait) a = client.shake();
      if (b == Link::Progress::kWait) b = server.shake();
    }
    EXPECT_EQ(a, same ? Link::Progress::kDone : Link::Progress::kRefused);
    EXPECT_EQ(b, same ? Link::Progress::kDone : Link::Progress::kRefused);
    if (!same) continue;
    EXPECT_EQ(client.certificate(), identities[1].public_identity().certificate());
    EXPECT_EQ(server.certificate(), identities[0].public_identity().certificate());
  }
}

TEST(Link, WhoeverShowsNoCertificateIsRefused) {
  const auto identities = members(1);
  const Joined sockets;
  Link client(sockets.outside.get(), TlsSide::client(nullptr, "one/1"));
  Link server(sockets.inside.get(), TlsSide::server(identities[0], "one/1"));
  auto b = Link::Progress::kWait;
  for (int turn = 0; turn < 20 && b == Link::Progress::kWait; ++turn) {
    (void)client.shake();
    b = server.shake();
  }
  EXPECT_EQ(b, Link::Progress::kRefused);
}

// A record of which only the beginning came is nothing to be read: whoever takes it for that asks again and again until
// the rest is there, which a slow line delays and a hostile peer never sends.
TEST(Link, HalfARecordIsNotHeldForReading) {
  const auto identities = members(2);
  const Joined near, far;  // client -- near ... far -- server
  Link client(near.inside.get(), TlsSide::client(&identities[0], "one/1"));
  Link server(far.inside.get(), TlsSide::server(identities[1], "one/1"));
  const auto pass_on = [](const Joined& from, const Joined& to) {
    const Bytes all = drained(from.outside.get());
    ASSERT_EQ(write(to.outside.get(), all.data(), all.size()), static_cast<ssize_t>(all.size()));
  };
  for (int turn = 0; turn < 10; ++turn) {
    (void)client.shake();
    pass_on(near, far);
    (void)server.shake();
    pass_on(far, near);
  }
  const Bytes words = numbered(1000, 7);
  std::size_t count = 0;
  ASSERT_EQ(client.write(words, count), Link::Progress::kDone);
  const Bytes record = drained(near.outside.get());
  Bytes came(10);
  std::size_t put = 0;
  for (const std::size_t until : {std::size_t{3}, std::size_t{5}, std::size_t{500}, record.size() - 1}) {
    put += static_cast<std::size_t>(write(far.outside.get(), record.data() + put, until - put));
    ASSERT_EQ(server.read(came, count), Link::Progress::kWait);
    EXPECT_FALSE(server.holds_bytes()) << until << " bytes of the record came";
  }
  ASSERT_EQ(write(far.outside.get(), record.data() + put, 1), 1);
  ASSERT_EQ(server.read(came, count), Link::Progress::kDone);
  EXPECT_TRUE(server.holds_bytes());
}

}  // namespace
}  // namespace ppdnmf::net
