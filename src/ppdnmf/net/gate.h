// The listening side's own door in front of gRPC: binds, accepts, and hands a connection on when its other side has
// begun to speak. gRPC's own listener never accepts again once the process has run out of descriptors, and says so to
// nobody; this one keeps strangers to few (guests.h), has a descriptor in reserve, goes on when it can, and tells what
// happened.
#ifndef PPDNMF_NET_GATE_H_
#define PPDNMF_NET_GATE_H_

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/identity/address.h>
#include <ppdnmf/io/descriptor.h>
#include <ppdnmf/net/guests.h>

namespace ppdnmf::net {

class Gate {
 public:
  struct Hooks {
    std::function<void(int connection)> hand_on;  // owns the descriptor from then on
    std::function<void(std::string what)> tell;   // a sentence for the log; on the gate's thread
    std::string here = "this agent";              // what sentences call this side,
    std::string guest = "neighbour";              // and those who are let in
  };

  // Binds every address that the name means; port 0: the system chooses one. Fails with kUsage and the reason.
  [[nodiscard]] static Result<std::unique_ptr<Gate>> open(const identity::Address& address);
  [[nodiscard]] std::uint16_t port() const { return port_; }

  // Begins to accept. Once. `between`: at least this time from one sentence about the same thing to the next.
  void start(const GuestLimits& limits, std::chrono::milliseconds between, Hooks hooks);
  static constexpr std::chrono::milliseconds kDead{10'000};
  // From any thread: the connection that gRPC calls by this name ("ipv4:10.0.0.1:4711") has shown that it is this
  // neighbour's.
  void recognise(const std::string& name, std::size_t peer);
  // Whether its loop, which goes round several times a second, has done so lately. From any thread.
  [[nodiscard]] bool alive(std::chrono::milliseconds lately = kDead) const;

  // Ends the thread; what was handed on stays open, the rest is closed.
  void stop();
  ~Gate() { stop(); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  Gate(Gate&&) = delete;
  Gate& operator=(Gate&&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  Gate(std::vector<io::Descriptor> listeners, std::string place, std::uint16_t port);

  void run();
  void look(const std::vector<Guests::Number>& readable, const std::vector<Guests::Number>& gone);
  void accept_from(const io::Descriptor& listener);
  void take(io::Descriptor connection, const std::string& address, std::uint16_t port);
  void out_of_descriptors(const io::Descriptor& listener);
  void send_away(const Guests::Leaver& leaver);
  void report(Clock::time_point now);

  std::vector<io::Descriptor> listeners_;
  std::string place_;  // for sentences
  std::uint16_t port_;
  std::unique_ptr<io::Descriptor> wake_, reserve_;
  std::chrono::milliseconds between_{0};
  Hooks hooks_;
  std::thread thread_;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::int64_t> seen_alive_;  // milliseconds of the clock

  std::mutex mutex_;  // for the guests and their connections
  std::optional<Guests> guests_;
  std::map<Guests::Number, io::Descriptor> connections_;

  // What is to be told; the thread's own.
  std::map<std::string, std::uint64_t> sent_away_;  // connections by address
  Clock::time_point told_of_strangers_{}, told_of_trouble_{};
  bool troubled_ = false;
  Clock::time_point not_before_{};  // it accepts again
};

// The other side of a connection as gRPC names it; empty if it has none.
[[nodiscard]] std::string name_of_peer(int socket);
// A peer as gRPC names it, as address and port; nothing if it has none.
[[nodiscard]] std::optional<std::pair<std::string, std::uint16_t>> endpoint_of(const std::string& name);

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_GATE_H_
