// The bound in transport.h, measured: hostile neighbours in another process send as much as they are let and read
// nothing, while the agent queues as much for them as it is let and takes nothing.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include <ppdnmf/net/test_hostile_peer.h>
#include <ppdnmf/net/test_transport.h>

namespace ppdnmf::net {
namespace {

constexpr std::size_t kMaxMessage = 6 * kFrame, kQueue = 4 * kFrame, kPeers = 4;

// Fills every bound there is at the port that comes through the pipe, says so, and waits to be killed.
[[noreturn]] void be_hostile(const std::vector<identity::PrivateIdentity>& identities, int from_agent, int to_agent) {
  std::uint16_t port = 0;
  if (read(from_agent, &port, sizeof port) != sizeof port) _exit(1);
  std::vector<std::unique_ptr<HostilePeer>> all;
  for (std::size_t i = 1; i <= kPeers; ++i) {
    all.push_back(std::make_unique<HostilePeer>(&identities[i], identities[0].public_identity(), port));
    if (!all.back()->open()) _exit(1);
  }
  const Bytes full(kFrame, 7);
  for (auto& peer : all) {
    // One whole message, and a second one as far as it is taken.
    for (int message = 0; message < 2; ++message) {
      bool taken = peer->write(HostilePeer::first_frame(kMaxMessage, kFrame), 500ms);
      for (std::size_t done = kFrame; taken && done < kMaxMessage; done += kFrame) taken = peer->write(full, 500ms);
      if (!taken) break;
    }
  }
  if (write(to_agent, "x", 1) != 1) _exit(1);
  for (;;) pause();
}

TEST(Memory, StaysWithinTheBoundWhateverTheNeighboursDo) {
  const auto identities = members(kPeers + 1);
  int to_child[2], from_child[2];
  ASSERT_EQ(pipe(to_child) + pipe(from_child), 0);
  const pid_t child = fork();  // before gRPC has been started: it does not survive a fork
  if (child == 0) {
    close(to_child[1]);  // so that read() ends if the test does
    be_hostile(identities, to_child[0], from_child[1]);
  }
  close(from_child[1]);
  std::vector<PeerConfig> peers;
  for (std::uint32_t i = 1; i <= kPeers; ++i) peers.push_back(peer_of(i, identities[i]));
  auto config = config_of(identities[0], peers, loopback());
  config.max_message_bytes = kMaxMessage;
  config.max_queued_bytes = kQueue;
  const std::size_t before = resident();
  auto agent = open(config);
  const std::uint16_t port = agent->listening_port();
  ASSERT_EQ(write(to_child[1], &port, sizeof port), static_cast<ssize_t>(sizeof port));
  for (std::size_t i = 0; i < kPeers; ++i) ASSERT_TRUE(await<Connected>(*agent));
  const auto fill = [&] {
    for (std::uint32_t i = 1; i <= kPeers; ++i)
      while (agent->send(AgentId{i}, Bytes(kFrame, 1)) == Transport::Sent::kQueued) {
      }
  };
  fill();
  char said = 0;
  ASSERT_EQ(read(from_child[0], &said, 1), 1);
  fill();
  const std::size_t taken = resident() - before;
  const std::size_t bound = kPeers * (kMaxMessage + kQueue + 6 * kFrame) + (std::size_t{16} << 20U);
  RecordProperty("mebibytes_taken", static_cast<int>(taken >> 20U));
  EXPECT_GT(taken, kPeers * (kMaxMessage + kQueue) / 2);  // the attack did reach its aim
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LT(taken, bound);
#else
  (void)bound;  // shadow memory would be measured
#endif
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  for (const int end : {to_child[0], to_child[1], from_child[0]}) close(end);
}

}  // namespace
}  // namespace ppdnmf::net
