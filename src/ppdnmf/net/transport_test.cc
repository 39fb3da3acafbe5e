#include <ppdnmf/net/transport.h>

#include <netdb.h>

#include <cstdlib>
#include <thread>

#include <ppdnmf/net/test_forwarder.h>
#include <ppdnmf/net/test_transport.h>

namespace ppdnmf::net {
namespace {

using ::testing::HasSubstr;
using Sent = Transport::Sent;

TEST(Transport, TwoNeighboursExchangeMessagesBothWays) {
  Pair pair;
  pair.connect();
  EXPECT_EQ(pair.a->send(AgentId{1}, Bytes{1, 2, 3}), Sent::kQueued);
  EXPECT_EQ(pair.b->send(AgentId{0}, Bytes{4}), Sent::kQueued);
  const auto at_b = await<Arrived>(*pair.b);
  const auto at_a = await<Arrived>(*pair.a);
  ASSERT_TRUE(at_a && at_b);
  EXPECT_EQ(at_b->peer, AgentId{0});
  EXPECT_EQ(at_b->message, (Bytes{1, 2, 3}));
  EXPECT_EQ(at_a->message, (Bytes{4}));
}

// Sizes around the frames', in both directions at once.
TEST(Transport, MessagesOfEverySizeComeBackAsTheyWere) {
  Pair pair;
  pair.config_a.max_queued_messages = pair.config_b.max_queued_messages = 100;
  pair.connect();
  constexpr std::size_t kFrame = 1U << 20U;
  const std::vector<std::size_t> sizes = {
      1, 7, 8, 9, kFrame - 1, kFrame, kFrame + 1, 2 * kFrame, 3 * kFrame + 5, 20'000'000};
  for (const std::size_t size : sizes) {
    ASSERT_EQ(pair.a->send(AgentId{1}, numbered(size, 1)), Sent::kQueued);
    ASSERT_EQ(pair.b->send(AgentId{0}, numbered(size, 2)), Sent::kQueued);
  }
  for (const std::size_t size : sizes) {
    const auto at_b = await<Arrived>(*pair.b);
    ASSERT_TRUE(at_b);
    EXPECT_TRUE(at_b->message == numbered(size, 1)) << size;
    const auto at_a = await<Arrived>(*pair.a);
    ASSERT_TRUE(at_a);
    EXPECT_TRUE(at_a->message == numbered(size, 2)) << size;
  }
  const TrafficCounters traffic = pair.a->traffic(AgentId{1});
  EXPECT_EQ(traffic.messages_in, sizes.size());
  EXPECT_EQ(traffic.bytes_in, pair.b->traffic(AgentId{0}).bytes_out);
  EXPECT_EQ(traffic.connections, 1U);
}

TEST(Transport, FourNeighboursAllTalkToAll) {
  const auto identities = members(4);
  std::vector<std::unique_ptr<Transport>> all;
  std::vector<std::uint16_t> ports;
  for (std::uint32_t i = 0; i < 4; ++i) {
    // The later dials the earlier.
    std::vector<PeerConfig> peers;
    for (std::uint32_t j = 0; j < 4; ++j) {
      if (j == i) continue;
      peers.push_back(peer_of(j, identities[j], j < i ? std::optional(loopback(ports[j])) : std::nullopt));
    }
    all.push_back(open(config_of(identities[i], peers, loopback())));
    ports.push_back(all.back()->listening_port());
  }
  EXPECT_EQ(ports[3], 0);  // nobody dials the last, so it does not listen
  for (auto& transport : all) {
    for (int j = 0; j < 3; ++j) ASSERT_TRUE(await<Connected>(*transport));
  }
  // One buffer for all three neighbours.
  for (std::uint32_t i = 0; i < 4; ++i) {
    const auto message = std::make_shared<const Bytes>(3'000'000, static_cast<std::uint8_t>(i));
    for (std::uint32_t j = 0; j < 4; ++j) {
      if (j == i) continue;
      ASSERT_EQ(all[i]->send(AgentId{j}, message), Sent::kQueued);
    }
  }
  for (std::uint32_t i = 0; i < 4; ++i) {
    std::vector<std::uint32_t> heard;
    for (int j = 0; j < 3; ++j) {
      const auto arrived = await<Arrived>(*all[i]);
      ASSERT_TRUE(arrived);
      EXPECT_EQ(arrived->message, Bytes(3'000'000, static_cast<std::uint8_t>(arrived->peer.value)));
      heard.push_back(arrived->peer.value);
    }
    EXPECT_THAT(heard, ::testing::UnorderedElementsAre((i + 1) % 4, (i + 2) % 4, (i + 3) % 4));
  }
}

TEST(Transport, NothingIsSentBeforeConnectedWasTaken) {
  Pair pair;
  pair.a = open(pair.config_a);
  pair.config_b.peers[0].dial->port = pair.a->listening_port();
  pair.b = open(pair.config_b);
  EXPECT_EQ(pair.a->send(AgentId{1}, Bytes{1}), Sent::kNotConnected);
  ASSERT_TRUE(await<Connected>(*pair.b));
  EXPECT_EQ(pair.b->send(AgentId{0}, Bytes{1}), Sent::kQueued);
  EXPECT_EQ(pair.a->send(AgentId{1}, Bytes{1}), Sent::kNotConnected);  // it is there, and not known yet
  ASSERT_TRUE(await<Connected>(*pair.a));
  EXPECT_EQ(pair.a->send(AgentId{1}, Bytes{1}), Sent::kQueued);
}

TEST(Transport, TheDiallerComesBackWhenTheListenerIsThereAgain) {
  Pair pair;
  pair.connect();
  pair.a.reset();
  EXPECT_TRUE(await_sentence<Disconnected>(*pair.b, "this agent ends"));
  EXPECT_TRUE(await_sentence<Unreachable>(*pair.b, "nobody listens there"));
  pair.a = open(pair.config_a);  // at the same port
  ASSERT_TRUE(await<Connected>(*pair.b));
  ASSERT_TRUE(await<Connected>(*pair.a));
  ASSERT_EQ(pair.a->send(AgentId{1}, Bytes{9}), Sent::kQueued);
  EXPECT_TRUE(await<Arrived>(*pair.b));
  EXPECT_EQ(pair.b->traffic(AgentId{0}).connections, 2U);
  EXPECT_EQ(pair.b->traffic(AgentId{0}).outages, 1U);
}

TEST(Transport, TheListenerNoticesThatTheDiallerWentAndCame) {
  Pair pair;
  pair.connect();
  pair.b.reset();
  ASSERT_TRUE(await<Disconnected>(*pair.a));
  pair.b = open(pair.config_b);
  ASSERT_TRUE(await<Connected>(*pair.a));
}

TEST(Transport, ANewerStreamTakesThePlaceOfTheOlder) {
  Pair pair;
  pair.connect();
  // The same neighbour once more, as after a crash that the listener has not noticed.
  auto again = open(pair.config_b);
  ASSERT_TRUE(await<Connected>(*again));
  ASSERT_TRUE(await<Connected>(*pair.a));
  const auto gone = await<Disconnected>(*pair.b);
  ASSERT_TRUE(gone);
  EXPECT_THAT(gone->why, HasSubstr("newer stream"));
  pair.b.reset();
}

TEST(Transport, DisconnectEndsTheStreamTellsWhyAndItIsDialledAgain) {
  Pair pair;
  pair.connect();
  pair.a->disconnect(AgentId{1}, "another consortium");
  const auto at_a = await<Disconnected>(*pair.a);
  const auto at_b = await<Disconnected>(*pair.b);
  ASSERT_TRUE(at_a && at_b);
  EXPECT_EQ(at_a->why, "another consortium");
  EXPECT_THAT(at_b->why, HasSubstr("another consortium"));
  EXPECT_TRUE(await<Connected>(*pair.b));
  EXPECT_TRUE(await<Connected>(*pair.a));
  pair.b->disconnect(AgentId{0}, "just so");
  EXPECT_TRUE(await<Disconnected>(*pair.b));
  EXPECT_TRUE(await<Disconnected>(*pair.a));
  EXPECT_TRUE(await<Connected>(*pair.b));
}

// A last word is not lost when its sender ends right after it, on either side.
TEST(Transport, WhatWasFlushedArrivesAlthoughTheSenderEnds) {
  for (int i = 0; i < 10; ++i) {
    Pair pair;
    pair.connect();
    auto& sender = i % 2 == 0 ? pair.a : pair.b;
    auto& receiver = i % 2 == 0 ? *pair.b : *pair.a;
    const Bytes message = numbered(i < 4 ? 20 : 300'000, static_cast<std::uint32_t>(i));
    ASSERT_EQ(sender->send(AgentId{i % 2 == 0 ? 1U : 0U}, message), Sent::kQueued);
    ASSERT_TRUE(sender->flush(soon()));
    sender.reset();
    const auto arrived = await<Arrived>(receiver);
    ASSERT_TRUE(arrived) << i;
    EXPECT_EQ(arrived->message, message);
  }
}

TEST(Transport, FlushWithNothingQueuedIsDoneAtOnce) {
  Pair pair;
  pair.connect();
  EXPECT_TRUE(pair.a->flush(std::chrono::steady_clock::now()));
}

TEST(Transport, NextReturnsNothingAtTheDeadlineAndWhenInterrupted) {
  Pair pair;
  pair.connect();
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_FALSE(pair.a->next(soon(50ms)));
  EXPECT_GE(std::chrono::steady_clock::now() - begun, 50ms);
  pair.a->interrupt();
  EXPECT_FALSE(pair.a->next(soon()));
  std::thread other([&] { pair.a->interrupt(); });
  EXPECT_FALSE(pair.a->next(soon()));
  other.join();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 10s);
}

TEST(Transport, APortInUseIsASentence) {
  Pair pair;
  pair.a = open(pair.config_a);
  pair.config_a.listen->port = pair.a->listening_port();
  const auto second = Transport::open(pair.config_a);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kUsage);
  EXPECT_THAT(second.error().message, HasSubstr("another program has this port"));
}

TEST(Transport, AnAddressOfAnotherMachineIsASentence) {
  Pair pair;
  pair.config_a.listen = identity::Address{"192.0.2.1", 7443};
  const auto refused = Transport::open(pair.config_a);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("192.0.2.1:7443: this address is not one of this machine's"));
}

TEST(Transport, APeerThatDialsNeedsAnAddressToDial) {
  Pair pair;
  pair.config_a.listen.reset();
  const auto refused = Transport::open(pair.config_a);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("b dials this agent"));
}

TEST(Transport, TwoPeersWithOneCertificateAreRefused) {
  const auto identities = members(2);
  const auto refused =
      Transport::open(config_of(identities[0], {peer_of(1, identities[1]), peer_of(2, identities[1])}, loopback()));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("one certificate"));
}

TEST(Transport, ANameIsLookedUp) {
  addrinfo* known = nullptr;
  if (getaddrinfo("localhost", nullptr, nullptr, &known) != 0) {
    GTEST_SKIP() << "this machine does not know the name localhost";
  }
  freeaddrinfo(known);
  Pair pair;
  pair.a = open(pair.config_a);
  pair.config_b.peers[0].dial = identity::Address{"localhost", pair.a->listening_port()};
  pair.b = open(pair.config_b);
  EXPECT_TRUE(await<Connected>(*pair.b));
}

TEST(Transport, AProxyInTheEnvironmentIsNotUsed) {
  for (const char* name : {"https_proxy", "http_proxy", "grpc_proxy"}) setenv(name, "http://127.0.0.1:1", 1);
  unsetenv("no_proxy");
  Pair pair;
  pair.connect();
  for (const char* name : {"https_proxy", "http_proxy", "grpc_proxy"}) unsetenv(name);
  ASSERT_EQ(pair.b->send(AgentId{0}, Bytes{1}), Sent::kQueued);
  EXPECT_TRUE(await<Arrived>(*pair.a));
}

TEST(Transport, GrpcsVariablesAreGone) {
  prepare_process_for_transport();
  std::vector<std::string> left;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (text.starts_with("GRPC_")) left.push_back(text.substr(0, text.find('=')));
  }
  EXPECT_THAT(left, ::testing::UnorderedElementsAre("GRPC_DNS_RESOLVER", "GRPC_SSL_CIPHER_SUITES"));  // ours
}

TEST(Transport, ASilentLineIsKeptAndADeadOneNoticedOnBothSides) {
  Pair pair;
  pair.config_a.times.keepalive = pair.config_b.times.keepalive = 1s;
  pair.config_a.times.keepalive_timeout = pair.config_b.times.keepalive_timeout = 1s;
  pair.config_b.times.connecting = 1s;
  pair.a = open(pair.config_a);
  Forwarder line(pair.a->listening_port());
  pair.config_b.peers[0].dial->port = line.port();
  pair.b = open(pair.config_b);
  ASSERT_TRUE(await<Connected>(*pair.a));
  ASSERT_TRUE(await<Connected>(*pair.b));
  EXPECT_TRUE(stays_away<Disconnected>(*pair.a, 3500ms));  // three signs of life later
  EXPECT_TRUE(stays_away<Disconnected>(*pair.b, 0ms));
  line.freeze();
  EXPECT_TRUE(await<Disconnected>(*pair.a));
  EXPECT_TRUE(await<Disconnected>(*pair.b));
  line.freeze(false);
  EXPECT_TRUE(await<Connected>(*pair.b));
  EXPECT_TRUE(await<Connected>(*pair.a));
}

// Whatever it is doing.
TEST(Transport, DestructionIsPrompt) {
  const auto identities = members(3);
  const auto timed = [](std::unique_ptr<Transport> transport) {
    const auto begun = std::chrono::steady_clock::now();
    transport.reset();
    return std::chrono::steady_clock::now() - begun;
  };
  // Dialling somebody who is not there, and somebody who does not answer.
  EXPECT_LT(timed(open(config_of(identities[0], {peer_of(1, identities[1], loopback(1))}))), 2s);
  EXPECT_LT(timed(open(config_of(identities[0], {peer_of(1, identities[1], identity::Address{"192.0.2.1", 7443})}))),
            2s);
  // Listening.
  EXPECT_LT(timed(open(config_of(identities[0], {peer_of(1, identities[1])}, loopback()))), 2s);
  // Connected, with messages on their way that nobody takes.
  for (const bool listener : {true, false}) {
    Pair pair;
    pair.connect();
    while (pair.a->send(AgentId{1}, Bytes(5'000'000)) == Sent::kQueued) {
    }
    while (pair.b->send(AgentId{0}, Bytes(5'000'000)) == Sent::kQueued) {
    }
    EXPECT_LT(timed(std::move(listener ? pair.a : pair.b)), 2s);
    EXPECT_LT(timed(std::move(listener ? pair.b : pair.a)), 2s);
  }
}

}  // namespace
}  // namespace ppdnmf::net
