// Connections that gRPC cannot open by itself: through an HTTP proxy, through the relay, or both. gRPC's TLS with the
// neighbour goes on inside, from end to end; what stands here moves bytes.
//
// A neighbour that we dial: gRPC connects to a socket of this process, and what it sends there goes to the neighbour.
// A neighbour that dials us: one connection waits for it at the relay; when it has come, gRPC is handed a socket, and
// the next connection waits.
//
// Each connection has a thread: names are looked up and proxies asked one after the other, and a slow one holds up
// nobody else.
#ifndef PPDNMF_NET_INTERNAL_PASSAGES_H_
#define PPDNMF_NET_INTERNAL_PASSAGES_H_

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include <ppdnmf/net/relayed.h>
#include <ppdnmf/net/transport.h>

namespace ppdnmf::net {

// One attempt to reach a neighbour.
class Attempt {
 public:
  explicit Attempt(std::string target) : target_(std::move(target)) {}
  // What gRPC dials.
  [[nodiscard]] const std::string& target() const { return target_; }
  // Why it did not get through; empty: it did, or has not ended.
  [[nodiscard]] std::string why() const {
    const std::lock_guard lock(mutex_);
    return why_;
  }
  void set_why(std::string why) {
    const std::lock_guard lock(mutex_);
    why_ = std::move(why);
  }

 private:
  const std::string target_;
  mutable std::mutex mutex_;
  std::string why_;
};

class Passages {
 public:
  struct Hooks {
    std::function<void(int connection)> hand_on;                  // owns the descriptor from then on
    std::function<void(std::size_t peer, std::string why)> tell;  // it cannot be waited for at the relay now
  };
  // Threads of their own call the hooks, until stop().
  Passages(const TransportConfig& config, const identity::PrivateIdentity& self, Hooks hooks);
  // Nothing new begins; what is under way goes on until its sockets are closed, or the destructor has waited for long
  // enough.
  void stop();
  ~Passages();
  Passages(const Passages&) = delete;
  Passages& operator=(const Passages&) = delete;
  Passages(Passages&&) = delete;
  Passages& operator=(Passages&&) = delete;

  // Waits for this neighbour at the relay from now on.
  void expect(std::size_t peer, const identity::PublicIdentity& identity);
  // A way to a neighbour: to its address through the proxy, or to it at the relay. Never null.
  [[nodiscard]] std::shared_ptr<Attempt> to_address(const identity::Address& address);
  [[nodiscard]] std::shared_ptr<Attempt> to_relay(const identity::PublicIdentity& peer);

 private:
  class Shared;
  using Open = std::function<Result<OpenLink>(Shared&, Attempt&, Deadline)>;
  [[nodiscard]] std::shared_ptr<Attempt> begin(Open open);
  [[nodiscard]] static Result<OpenLink> await(Shared& shared, const Digest& other);
  static void take_in(Shared& shared, std::size_t peer, OpenLink far);
  std::shared_ptr<Shared> shared_;
};

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_INTERNAL_PASSAGES_H_
