// When to dial a peer again, and how.
#ifndef PPDNMF_NET_INTERNAL_DIALLER_H_
#define PPDNMF_NET_INTERNAL_DIALLER_H_

#include <grpcpp/grpcpp.h>

#include <memory>
#include <random>
#include <string>

#include <ppdnmf/net/internal/board.h>

namespace ppdnmf::net {

// "ipv4:127.0.0.1:7443", "ipv6:[::1]:7443" or "dns:///host.example:7443".
[[nodiscard]] std::string dial_target(const identity::Address& address);

class Dialler {
 public:
  Dialler(const identity::Address& address, std::shared_ptr<grpc::ChannelCredentials> credentials,
          const TransportTimes& times);

  // A channel of its own for every attempt: gRPC's pauses between attempts do not come on top of ours.
  [[nodiscard]] std::shared_ptr<grpc::Channel> channel() const;
  [[nodiscard]] Clock::time_point next_attempt() const { return next_; }
  // An attempt or a stream ended. After a good stream the pauses begin anew.
  void ended(bool was_good);

 private:
  std::string target_;
  std::shared_ptr<grpc::ChannelCredentials> credentials_;
  const TransportTimes& times_;
  std::chrono::milliseconds pause_;
  Clock::time_point next_ = Clock::now();
  std::minstd_rand random_{std::random_device{}()};  // so that neighbours do not dial in step; not a secret
};

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_INTERNAL_DIALLER_H_
