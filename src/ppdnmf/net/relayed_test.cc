// The member's side of a relay, against one that says what it likes.
#include <ppdnmf/net/relayed.h>

#include <gmock/gmock.h>
#include <sys/socket.h>

#include <array>
#include <thread>

#include <ppdnmf/net/test_transport.h>

namespace ppdnmf::net {
namespace {

using testing::HasSubstr;

Bytes letters(std::initializer_list<LetterKind> kinds) {
  Bytes out;
  for (const LetterKind kind : kinds) out.push_back(static_cast<std::uint8_t>(kind));
  return out;
}

// What a member that waits says about a relay that says `said`, without TLS, which is not what this is about.
struct Relayed : testing::Test {
  RelayPlace place{loopback(7), members(1).front().public_identity(), {}};
  std::array<int, 2> ends = [] {
    std::array<int, 2> out{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, out.data()), 0);
    return out;
  }();
  io::Descriptor relay{ends[0]};
  OpenLink link{io::Descriptor(ends[1]), Link(ends[1], nullptr), {}};
  MeetingTimes times{soon(2s)};

  void say(const Bytes& bytes) const {
    ASSERT_EQ(send(relay.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }
  [[nodiscard]] Status meets(Role role = Role::kDials) {
    return meet(link, place, role, Digest{}, times, -1, [] {});
  }
  [[nodiscard]] std::string why(const Bytes& said) {
    say(said);
    const Status met = meets();
    return met ? "met" : met.error().message;
  }
};

constexpr const char* kOutOfPlace = "says what a relay does not say now";

// Else it could keep a thread of the member busy for ever, and one more with every attempt.
TEST_F(Relayed, SignsOfLifeThatNobodyAskedForAreNotListenedTo) {
  Bytes endless = letters({LetterKind::kWaits});
  endless.resize(10'000, static_cast<std::uint8_t>(LetterKind::kPong));
  EXPECT_THAT(why(endless), HasSubstr(kOutOfPlace));
}

TEST_F(Relayed, OnesThatItSaysTwiceAreNotListenedTo) {
  EXPECT_THAT(why(letters({LetterKind::kWaits, LetterKind::kWaits, LetterKind::kMet})), HasSubstr(kOutOfPlace));
}

TEST_F(Relayed, WhatOnlyMembersSayIsNotListenedTo) {
  for (const LetterKind kind : {LetterKind::kPing, LetterKind::kGo, LetterKind::kThere}) {
    EXPECT_THAT(why(letters({kind})), HasSubstr(kOutOfPlace));
    link.first.clear();
  }
}

TEST_F(Relayed, ARelayThatSaysNothingIsLeft) {
  times.deadline = soon(200ms);
  EXPECT_THAT(why({}), HasSubstr("says nothing"));
  times.deadline = soon(200ms);
  EXPECT_THAT(why(letters({LetterKind::kWaits})), HasSubstr("the other member does not wait there"));
}

TEST_F(Relayed, OneThatDoesNotAnswerAnyMoreIsLeft) {
  times = {Deadline::max(), 10ms, 100ms};
  EXPECT_THAT(why(letters({LetterKind::kWaits})), HasSubstr("does not answer any more"));
}

TEST_F(Relayed, OneThatAnswersIsWaitedFor) {
  times = {soon(20s), 10ms, 10s};
  std::thread answers([this] {
    say(letters({LetterKind::kWaits}));
    std::size_t asked = 0;
    Bytes came(100);
    while (asked < 5 && wait_for(relay.get(), POLLIN, soon(10s)) == Waited::kReady) {
      const ssize_t got = recv(relay.get(), came.data(), came.size(), 0);
      for (ssize_t i = 0; i < got; ++i) {
        if (came[static_cast<std::size_t>(i)] != static_cast<std::uint8_t>(LetterKind::kPing)) continue;
        ++asked;
        say(letters({LetterKind::kPong}));
      }
    }
    say(letters({LetterKind::kMet}));
  });
  const Status met = meets(Role::kWaits);
  answers.join();
  EXPECT_TRUE(met) << met.error().message;
}

}  // namespace
}  // namespace ppdnmf::net
