// Helpers for this folder's tests.
#ifndef PPDNMF_NET_TEST_TRANSPORT_H_
#define PPDNMF_NET_TEST_TRANSPORT_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/identity/test_identity.h>
#include <ppdnmf/net/transport.h>

namespace ppdnmf::net {

using namespace std::chrono_literals;

// Long enough that only a hang reaches it.
inline std::chrono::steady_clock::time_point soon(std::chrono::milliseconds wait = 20s) {
  return std::chrono::steady_clock::now() + wait;
}

inline identity::Address loopback(std::uint16_t port = 0) { return {"127.0.0.1", port}; }

inline TransportTimes short_times() {
  TransportTimes times;
  times.first_pause = 20ms;
  times.longest_pause = 200ms;
  times.between_complaints = 0ms;
  return times;
}

// Members with names a, b, c, ...
inline std::vector<identity::PrivateIdentity> members(std::size_t count) {
  std::vector<identity::PrivateIdentity> out;
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back(identity::test_identity(std::string(1, static_cast<char>('a' + i)), identity::test_now()));
  }
  return out;
}

inline PeerConfig peer_of(std::uint32_t id, const identity::PrivateIdentity& identity,
                          std::optional<identity::Address> dial = {}) {
  return {AgentId{id}, identity.public_identity(), std::move(dial)};
}

inline TransportConfig config_of(const identity::PrivateIdentity& self, std::vector<PeerConfig> peers,
                                 std::optional<identity::Address> listen = {}) {
  TransportConfig config;
  config.self = &self;
  config.listen = std::move(listen);
  config.peers = std::move(peers);
  config.times = short_times();
  return config;
}

inline std::unique_ptr<Transport> open(const TransportConfig& config) {
  auto transport = Transport::open(config);
  EXPECT_TRUE(transport) << transport.error().message;
  return transport ? *std::move(transport) : nullptr;
}

// The next event of this kind; others before it are dropped.
template <typename Event>
std::optional<Event> await(Transport& transport, std::chrono::milliseconds wait = 20s) {
  const auto deadline = soon(wait);
  while (auto event = transport.next(deadline)) {
    if (auto* found = std::get_if<Event>(&*event)) return std::move(*found);
  }
  return std::nullopt;
}

// Whether an event of this kind comes with these words in its reason.
template <typename Event>
bool await_sentence(Transport& transport, const std::string& words, std::chrono::milliseconds wait = 20s) {
  const auto deadline = soon(wait);
  while (const auto event = transport.next(deadline)) {
    const auto* found = std::get_if<Event>(&*event);
    if (found != nullptr && found->why.find(words) != std::string::npos) return true;
  }
  return false;
}

// Whether nothing but events of other kinds comes for a while.
template <typename Event>
bool stays_away(Transport& transport, std::chrono::milliseconds wait = 200ms) {
  return !await<Event>(transport, wait);
}

inline Bytes numbered(std::size_t size, std::uint32_t seed) {
  Bytes out(size);
  for (auto& byte : out) {
    seed = seed * 1664525U + 1013904223U;
    byte = static_cast<std::uint8_t>(seed >> 24U);
  }
  return out;
}

// Two neighbours, a (0) listening and b (1) dialling, connected.
struct Pair {
  std::vector<identity::PrivateIdentity> identities = members(2);
  TransportConfig config_a = config_of(identities[0], {peer_of(1, identities[1])}, loopback());
  TransportConfig config_b = config_of(identities[1], {peer_of(0, identities[0], loopback())});
  std::unique_ptr<Transport> a, b;

  void connect() {
    a = open(config_a);
    config_a.listen->port = a->listening_port();
    config_b.peers[0].dial->port = a->listening_port();
    b = open(config_b);
    EXPECT_TRUE(await<Connected>(*a));
    EXPECT_TRUE(await<Connected>(*b));
  }
};

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_TEST_TRANSPORT_H_
