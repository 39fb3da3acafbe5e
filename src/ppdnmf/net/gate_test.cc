// Floods of strangers, and a process without descriptors.
#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <future>
#include <thread>

#include <ppdnmf/io/descriptor.h>
#include <ppdnmf/net/gate.h>
#include <ppdnmf/net/listening.h>
#include <ppdnmf/net/test_transport.h>

namespace ppdnmf::net {
namespace {

io::Descriptor connected_to(std::uint16_t port) {
  io::Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  return socket;
}

// Whether the other side has ended this connection.
bool is_ended(const io::Descriptor& socket, std::chrono::milliseconds within) {
  const timeval wait{within.count() / 1000, static_cast<suseconds_t>(within.count() % 1000 * 1000)};
  setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
  char byte = 0;
  const ssize_t got = recv(socket.get(), &byte, 1, 0);
  return got == 0 || (got < 0 && errno == ECONNRESET);
}

bool is_troubled(Transport& transport, const std::string& words) {
  const auto deadline = soon();
  while (const auto event = transport.next(deadline)) {
    const auto* found = std::get_if<Troubled>(&*event);
    if (found != nullptr && found->what.find(words) != std::string::npos) return true;
  }
  return false;
}

// a (0) listens for b (1).
struct GateOf : ::testing::Test {
  std::vector<identity::PrivateIdentity> identities = members(2);
  TransportConfig config = config_of(identities[0], {peer_of(1, identities[1])}, loopback());
  std::unique_ptr<Transport> a;

  std::unique_ptr<Transport> dial() {
    return open(config_of(identities[1], {peer_of(0, identities[0], loopback(a->listening_port()))}));
  }
  void expect_in_touch(Transport& b) {
    ASSERT_EQ(b.send(AgentId{0}, Bytes{42}), Transport::Sent::kQueued);
    ASSERT_TRUE(await<Arrived>(*a));
  }
};

TEST_F(GateOf, SilentConnectionsAreClosedInTime) {
  config.times.silent = 100ms;
  a = open(config);
  const io::Descriptor stranger = connected_to(a->listening_port());
  EXPECT_TRUE(is_ended(stranger, 5s));
  EXPECT_TRUE(is_troubled(*a, "closed 1 connection from 127.0.0.1"));
}

TEST_F(GateOf, ANeighbourComesInThroughAFlood) {
  config.times.silent = 500ms;
  a = open(config);
  std::vector<io::Descriptor> strangers;
  strangers.reserve(400);
  for (int n = 0; n < 400; ++n) strangers.push_back(connected_to(a->listening_port()));
  const auto b = dial();
  ASSERT_TRUE(await<Connected>(*b));
  expect_in_touch(*b);
  EXPECT_TRUE(is_ended(strangers.front(), 5s));
  for (int n = 0; n < 400; ++n) strangers.push_back(connected_to(a->listening_port()));
  expect_in_touch(*b);  // and is not pushed out
  EXPECT_TRUE(is_troubled(*a, "from 127.0.0.1: they did not show that they are a neighbour's"));
}

TEST_F(GateOf, WhoSaysTheFirstWordOfTlsAndNoMoreIsKeptToFew) {
  a = open(config);
  const std::size_t before = descriptors_left();
  std::vector<io::Descriptor> strangers;
  for (int n = 0; n < 300; ++n) {
    strangers.push_back(connected_to(a->listening_port()));
    ASSERT_EQ(write(strangers.back().get(), "\x16\x03\x01", 3), 3);
  }
  const auto b = dial();
  ASSERT_TRUE(await<Connected>(*b));
  expect_in_touch(*b);
  EXPECT_LT(before - descriptors_left(), 300U + 150U);  // the test's own ends, and a few
}

// Restores the limit whatever happens.
struct FewDescriptors {
  rlimit before{};
  FewDescriptors() {
    getrlimit(RLIMIT_NOFILE, &before);
    const io::Descriptor next(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    rlimit few = before;
    few.rlim_cur = static_cast<rlim_t>(next.get());
    setrlimit(RLIMIT_NOFILE, &few);
  }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;
  FewDescriptors(FewDescriptors&&) = delete;
  FewDescriptors& operator=(FewDescriptors&&) = delete;
  ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before); }
};

TEST_F(GateOf, WithoutDescriptorsItSaysSoAndGoesOnWhenThereAreSome) {
  a = open(config);
  {
    io::Descriptor stranger(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const FewDescriptors few;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(a->listening_port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ASSERT_EQ(::connect(stranger.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_TRUE(is_troubled(*a, "ulimit -n"));
    EXPECT_TRUE(is_ended(stranger, 5s));
  }
  const auto b = dial();
  ASSERT_TRUE(await<Connected>(*b));
  EXPECT_TRUE(is_troubled(*a, "are taken again"));
  expect_in_touch(*b);
}

TEST(GateAlone, IsKnownToBeDeadWhenItsLoopIsStuck) {
  auto gate = Gate::open(loopback());
  ASSERT_TRUE(gate);
  std::promise<void> release;
  Gate::Hooks hooks;
  hooks.hand_on = [stuck = release.get_future().share()](int connection) {
    const io::Descriptor taken(connection);
    stuck.wait();
  };
  hooks.tell = [](const std::string&) {};
  (*gate)->start(GuestLimits{}, 1s, std::move(hooks));
  const io::Descriptor guest = connected_to((*gate)->port());
  const auto comes_to_be = [&](bool alive) {
    const auto deadline = soon();
    while ((*gate)->alive(1s) != alive && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(10ms);
    return (*gate)->alive(1s) == alive;
  };
  EXPECT_TRUE(comes_to_be(true));  // nobody speaks, and it looks all the same
  ASSERT_EQ(write(guest.get(), "x", 1), 1);
  EXPECT_TRUE(comes_to_be(false));
  release.set_value();
  EXPECT_TRUE(comes_to_be(true));
}

TEST(Listening, EveryAddressOfTheMachineIsOfBothKinds) {
  const auto all = listen_at({"0.0.0.0", 0});
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_NE(all->port, 0);
  const io::Descriptor one = connected_to(all->port);
  const auto taken = listen_at({"127.0.0.1", all->port});
  ASSERT_FALSE(taken);
  EXPECT_NE(taken.error().message.find("another program has this port"), std::string::npos) << taken.error().message;
}

}  // namespace
}  // namespace ppdnmf::net
