// A place in the middle of connections, which can stop passing bytes on without closing anything: a dead line. For
// tests.
#ifndef PPDNMF_NET_TEST_FORWARDER_H_
#define PPDNMF_NET_TEST_FORWARDER_H_

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

namespace ppdnmf::net {

class Forwarder {
 public:
  explicit Forwarder(std::uint16_t to) : to_(to), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = loopback_at(0);
    socklen_t size = sizeof address;
    if (bind(listener_, reinterpret_cast<const sockaddr*>(&address), size) == 0 && listen(listener_, 16) == 0)
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { run(); });
  }
  ~Forwarder() {
    ending_ = true;
    thread_.join();
    for (const auto& [a, b] : pairs_) {
      close(a);
      close(b);
    }
    close(listener_);
  }
  Forwarder(const Forwarder&) = delete;
  Forwarder& operator=(const Forwarder&) = delete;
  Forwarder(Forwarder&&) = delete;
  Forwarder& operator=(Forwarder&&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  // Bytes stay where they are; nobody hears of it. New connections are not accepted either.
  void freeze(bool on = true) { frozen_ = on; }

 private:
  static sockaddr_in loopback_at(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }
  void run() {
    while (!ending_) {
      std::vector<pollfd> ready = {{listener_, POLLIN, 0}};
      for (const auto& [a, b] : pairs_) {
        ready.push_back({a, POLLIN, 0});
        ready.push_back({b, POLLIN, 0});
      }
      if (frozen_) ready.clear();
      poll(ready.data(), ready.size(), 20);
      if (frozen_ || ending_ || ready.empty()) continue;
      for (std::size_t i = pairs_.size(); i-- > 0;) {
        if ((ready[1 + 2 * i].revents != 0 && !pass(pairs_[i].first, pairs_[i].second)) ||
            (ready[2 + 2 * i].revents != 0 && !pass(pairs_[i].second, pairs_[i].first))) {
          close(pairs_[i].first);
          close(pairs_[i].second);
          pairs_.erase(pairs_.begin() + static_cast<std::ptrdiff_t>(i));
        }
      }
      if (ready[0].revents != 0) accept_one();
    }
  }
  void accept_one() {
    const int from = accept(listener_, nullptr, nullptr);
    const int onwards = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback_at(to_);
    if (connect(onwards, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
      pairs_.emplace_back(from, onwards);
    } else {
      close(from);
      close(onwards);
    }
  }
  static bool pass(int from, int to) {
    std::array<char, 65536> bytes{};
    const ssize_t count = read(from, bytes.data(), bytes.size());
    for (ssize_t done = 0; done < count;) {
      const ssize_t step = send(to, bytes.data() + done, static_cast<std::size_t>(count - done), MSG_NOSIGNAL);
      if (step <= 0) return false;
      done += step;
    }
    return count > 0;
  }

  const std::uint16_t to_;
  const int listener_;
  std::uint16_t port_ = 0;
  std::vector<std::pair<int, int>> pairs_;
  std::atomic<bool> frozen_{false}, ending_{false};
  std::thread thread_;
};

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_TEST_FORWARDER_H_
