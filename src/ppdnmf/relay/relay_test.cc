#include <ppdnmf/relay/relay.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <thread>

#include <ppdnmf/consortium/test_consortium.h>
#include <ppdnmf/net/probe.h>
#include <ppdnmf/net/test_transport.h>

namespace ppdnmf::relay {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// A relay in a thread of its own.
class Running {
 public:
  Running(const consortium::CheckedConsortium& consortium, const identity::PrivateIdentity& identity,
          std::uint16_t port = 0, std::uint64_t rate = 0) {
    RelayConfig config{&consortium, &identity, net::loopback(port), rate, {}};
    config.times.between_complaints = 0ms;
    auto opened = Relay::open(config, [](const std::string&) {});
    EXPECT_TRUE(opened) << opened.error().message;
    relay_ = *std::move(opened);
    thread_ = std::thread([this] { relay_->run([this] { return ended_.load(); }); });
  }
  ~Running() {
    ended_ = true;
    thread_.join();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  Running(Running&&) = delete;
  Running& operator=(Running&&) = delete;
  [[nodiscard]] std::uint16_t port() const { return relay_->port(); }

 private:
  std::unique_ptr<Relay> relay_;
  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

struct Relayed : testing::Test {
  std::vector<identity::PrivateIdentity> identities = [] {
    std::vector<identity::PrivateIdentity> out;
    for (const char* name : {"a", "b", "c", "relay", "stranger"})
      out.push_back(identity::test_identity(name, identity::test_now()));
    return out;
  }();
  consortium::Consortium content = [this] {
    consortium::Consortium out;
    for (std::size_t i = 0; i < 3; ++i) out.members.push_back({identities[i].public_identity(), std::nullopt});
    out.edges = {{"a", "b"}, {"b", "c"}};
    out.rows = 9;
    out.settings.rank = 2;
    out.settings.trust_members = true;
    out.relay = consortium::RelayEntry{identities[3].public_identity(), net::loopback(1)};
    return out;
  }();
  consortium::CheckedConsortium checked = check();

  consortium::CheckedConsortium check() const {
    auto out = consortium::CheckedConsortium::create(content, identity::test_now());
    EXPECT_TRUE(out) << out.error().message;
    return *std::move(out);
  }
  [[nodiscard]] net::RelayPlace place(std::uint16_t port) const {
    return {net::loopback(port), identities[3].public_identity(), checked.digest()};
  }
  // a waits for b, which dials it; neither listens.
  net::TransportConfig waiting(std::uint16_t port) {
    auto config = net::config_of(identities[0], {net::peer_of(1, identities[1])});
    config.relay = place(port);
    return config;
  }
  net::TransportConfig dialling(std::uint16_t port) {
    auto config = net::config_of(identities[1], {net::peer_of(0, identities[0])});
    config.peers[0].dial_at_relay = true;
    config.relay = place(port);
    return config;
  }
  static void expect_passage(net::Transport& from, net::Transport& to, AgentId peer, std::size_t size) {
    const Bytes message = net::numbered(size, 7);
    ASSERT_EQ(from.send(peer, message), net::Transport::Sent::kQueued);
    const auto arrived = net::await<net::Arrived>(to);
    ASSERT_TRUE(arrived);
    EXPECT_TRUE(arrived->message == message);
  }
};

TEST_F(Relayed, TwoThatCannotConnectToEachOtherExchangeMessages) {
  const Running relay(checked, identities[3]);
  const auto a = net::open(waiting(relay.port()));
  const auto b = net::open(dialling(relay.port()));
  ASSERT_TRUE(net::await<net::Connected>(*a));
  ASSERT_TRUE(net::await<net::Connected>(*b));
  expect_passage(*a, *b, AgentId{1}, 100);
  expect_passage(*b, *a, AgentId{0}, 100);
  expect_passage(*a, *b, AgentId{1}, std::size_t{5} << 20U);
  expect_passage(*b, *a, AgentId{0}, std::size_t{5} << 20U);
}

TEST_F(Relayed, ARelayThatComesBackIsUsedAgain) {
  auto relay = std::make_unique<Running>(checked, identities[3]);
  const std::uint16_t port = relay->port();
  const auto a = net::open(waiting(port));
  const auto b = net::open(dialling(port));
  ASSERT_TRUE(net::await<net::Connected>(*b));
  ASSERT_TRUE(net::await<net::Connected>(*a));
  relay.reset();
  ASSERT_TRUE(net::await<net::Disconnected>(*b));
  EXPECT_TRUE(net::await_sentence<net::Unreachable>(*b, "the relay at 127.0.0.1"));
  relay = std::make_unique<Running>(checked, identities[3], port);
  ASSERT_TRUE(net::await<net::Connected>(*b));
  ASSERT_TRUE(net::await<net::Connected>(*a));
  expect_passage(*b, *a, AgentId{0}, 1000);
}

TEST_F(Relayed, AMemberThatIsStartedAgainIsMetAgain) {
  const Running relay(checked, identities[3]);
  const auto a = net::open(waiting(relay.port()));
  for (int n = 0; n < 3; ++n) {
    const auto b = net::open(dialling(relay.port()));
    ASSERT_TRUE(net::await<net::Connected>(*b));
    ASSERT_TRUE(net::await<net::Connected>(*a));
    expect_passage(*b, *a, AgentId{0}, 1000);
  }
}

TEST_F(Relayed, ADirectConnectionIsPreferred) {
  const Running relay(checked, identities[3]);
  auto config_a = waiting(relay.port());
  config_a.listen = net::loopback();
  const auto a = net::open(config_a);
  auto config_b = dialling(1);  // there is no relay here
  config_b.peers[0].dial = net::loopback(a->listening_port());
  const auto b = net::open(config_b);
  ASSERT_TRUE(net::await<net::Connected>(*b));
}

TEST_F(Relayed, WhereADirectConnectionFailsTheRelayIsUsed) {
  const Running relay(checked, identities[3]);
  const auto a = net::open(waiting(relay.port()));
  auto config_b = dialling(relay.port());
  config_b.peers[0].dial = net::loopback(1);  // nobody listens there
  const auto b = net::open(config_b);
  ASSERT_TRUE(net::await<net::Connected>(*b));
  ASSERT_TRUE(net::await<net::Connected>(*a));
}

TEST_F(Relayed, NobodyWaits) {
  const Running relay(checked, identities[3]);
  auto config = dialling(relay.port());
  config.times.connecting = 300ms;
  const auto b = net::open(config);
  EXPECT_TRUE(net::await_sentence<net::Unreachable>(*b, "the other member does not wait there"));
}

TEST_F(Relayed, AnotherConsortiumFileIsASentenceOnBothSides) {
  const Running relay(checked, identities[3]);
  auto config = dialling(relay.port());
  config.relay->file = Digest{1};
  const auto b = net::open(config);
  EXPECT_TRUE(net::await_sentence<net::Unreachable>(*b, "has another consortium file"));
  auto other = waiting(relay.port());
  other.relay->file = Digest{1};
  const auto a = net::open(other);
  EXPECT_TRUE(net::await_sentence<net::Unreachable>(*a, "has another consortium file"));
}

TEST_F(Relayed, WhoeverAnswersInTheRelaysPlaceIsNotAskedForAnything) {
  const Running impostor(checked, identities[3]);
  auto config = dialling(impostor.port());
  config.relay->identity = identities[4].public_identity();
  const auto b = net::open(config);
  EXPECT_TRUE(net::await_sentence<net::Unreachable>(*b, "has another certificate than the consortium file says"));
}

TEST_F(Relayed, StrangersAndSilentOnesDoNotKeepMembersOut) {
  const Running relay(checked, identities[3]);
  const auto list = net::look_up(net::loopback(relay.port()), false);
  ASSERT_TRUE(list);
  std::vector<io::Descriptor> crowd;
  for (int n = 0; n < 300; ++n) {
    auto one = net::connect_to(list->get(), net::soon());
    ASSERT_TRUE(one);
    const Bytes noise = net::numbered(100, static_cast<std::uint32_t>(n));
    if (n % 2 == 0) (void)!write(one->get(), noise.data(), noise.size());
    crowd.push_back(*std::move(one));
  }
  const auto stranger = net::TlsSide::client(&identities[4], net::kRelayProtocol);
  auto reached = net::reach_relay(place(relay.port()), std::nullopt, stranger, net::soon(), -1);
  if (reached.outcome) {  // in TLS 1.3 it hears of it when it asks
    EXPECT_FALSE(net::waits_there(*reached.link, place(relay.port()), Digest{}, net::soon()));
  }
  const auto a = net::open(waiting(relay.port()));
  const auto b = net::open(dialling(relay.port()));
  EXPECT_TRUE(net::await<net::Connected>(*a));
  EXPECT_TRUE(net::await<net::Connected>(*b));
}

TEST_F(Relayed, AMemberThatAsksForSignsOfLifeAndReadsNoneIsSentAway) {
  const Running relay(checked, identities[3]);
  auto reached = net::reach_relay(place(relay.port()), std::nullopt,
                                  net::TlsSide::client(&identities[0], net::kRelayProtocol), net::soon(), -1);
  ASSERT_TRUE(reached.outcome);
  net::Letter meet;
  meet.kind = net::LetterKind::kMeet;
  meet.file = checked.digest();
  meet.other = net::key_of(identities[1].public_identity());
  Bytes letters = net::encode(meet);
  letters.resize(letters.size() + 3000, static_cast<std::uint8_t>(net::LetterKind::kPing));
  net::Link& link = reached.link->link;
  const auto end = net::soon();
  for (auto progress = net::Link::Progress::kWait;
       progress == net::Link::Progress::kWait || progress == net::Link::Progress::kDone;) {
    ASSERT_LT(std::chrono::steady_clock::now(), end);
    std::size_t written = 0;
    if (!letters.empty()) {
      (void)link.write(letters, written);
      letters.erase(letters.begin(), letters.begin() + static_cast<std::ptrdiff_t>(written));
      continue;
    }
    Bytes ignored(1000);
    progress = link.read(ignored, written);
    if (progress == net::Link::Progress::kWait) (void)net::wait_for(link.socket(), POLLIN, end);
  }
}

// It is no stranger, and has no place among those who wait: what it may have is counted by itself.
TEST_F(Relayed, AMemberThatConnectsAndAsksForNothingHasFewConnections) {
  const Running relay(checked, identities[3]);
  const auto side = net::TlsSide::client(&identities[0], net::kRelayProtocol);
  std::vector<net::OpenLink> silent;
  for (int n = 0; n < 40; ++n) {
    auto reached = net::reach_relay(place(relay.port()), std::nullopt, side, net::soon(), -1);
    ASSERT_TRUE(reached.outcome) << reached.outcome.error().message;
    silent.push_back(*std::move(reached.link));
  }
  const auto open = [&] {
    return std::count_if(silent.begin(), silent.end(), [](net::OpenLink& one) {
      Bytes ignored(10);
      std::size_t got = 0;
      return one.link.read(ignored, got) == net::Link::Progress::kWait;
    });
  };
  const auto end = net::soon(5s);  // in half the time in which they would go by themselves
  while (open() > 10 && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(open(), 10) << "twice its neighbours, and eight";
  EXPECT_TRUE(
      net::waits_there(silent.back(), place(relay.port()), net::key_of(identities[1].public_identity()), net::soon()))
      << "the newest are served";
}

TEST_F(Relayed, ABoundOnBytesSlowsAndLosesNothing) {
  const Running relay(checked, identities[3], 0, 2'000'000);
  const auto a = net::open(waiting(relay.port()));
  const auto b = net::open(dialling(relay.port()));
  ASSERT_TRUE(net::await<net::Connected>(*a));
  ASSERT_TRUE(net::await<net::Connected>(*b));
  const auto begun = std::chrono::steady_clock::now();
  expect_passage(*a, *b, AgentId{1}, 4'000'000);
  EXPECT_GE(std::chrono::steady_clock::now() - begun, 800ms);
}

// A write to a member that has just gone; the signal is held back while the relay runs.
TEST_F(Relayed, ABrokenPipeDoesNotEndTheProcessWhenTheRelayEnds) {
  auto relay = Relay::open({&checked, &identities[3], net::loopback(), 0, {}}, [](const std::string&) {});
  ASSERT_TRUE(relay) << relay.error().message;
  const auto before = std::signal(SIGPIPE, SIG_DFL);
  (*relay)->run([] { return raise(SIGPIPE) == 0; });
  (void)std::signal(SIGPIPE, before);
}

TEST_F(Relayed, OnlyTheRelayOfTheFileIsOne) {
  const auto wrong = Relay::open({&checked, &identities[4], net::loopback(), 0, {}}, [](const std::string&) {});
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("names relay as its relay"));
  content.relay.reset();
  content.members[1].address = net::loopback(2);
  const auto none = check();
  const auto nameless = Relay::open({&none, &identities[3], net::loopback(), 0, {}}, [](const std::string&) {});
  ASSERT_FALSE(nameless);
  EXPECT_THAT(nameless.error().message, HasSubstr("names no relay"));
}

}  // namespace
}  // namespace ppdnmf::relay
