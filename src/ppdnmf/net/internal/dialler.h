// When to dial a peer again, and by which way.
#ifndef PPDNMF_NET_INTERNAL_DIALLER_H_
#define PPDNMF_NET_INTERNAL_DIALLER_H_

#include <grpcpp/grpcpp.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include <ppdnmf/net/internal/board.h>
#include <ppdnmf/net/internal/passages.h>

namespace ppdnmf::net {

// "ipv4:127.0.0.1:7443", "ipv6:[::1]:7443" or "dns:///host.example:7443".
[[nodiscard]] std::string dial_target(const identity::Address& address);

class Dialler {
 public:
  // `passages` is needed for a proxy or a relay.
  Dialler(const PeerConfig& peer, std::shared_ptr<grpc::ChannelCredentials> credentials, const TransportConfig& config,
          Passages* passages);

  // A channel of its own for every attempt: gRPC's pauses between attempts do not come on top of ours.
  [[nodiscard]] std::shared_ptr<grpc::Channel> channel();
  [[nodiscard]] Clock::time_point next_attempt() const { return next_; }
  // Why the last attempt failed, if this side knows more than gRPC.
  [[nodiscard]] std::string why() const { return attempt_ ? attempt_->why() : ""; }
  // An attempt or a stream ended. After a good stream the pauses begin anew, with the first of the ways.
  void ended(bool was_good);

 private:
  enum class Way : std::uint8_t { kAddress, kProxy, kRelay };
  const PeerConfig& peer_;
  std::shared_ptr<grpc::ChannelCredentials> credentials_;
  const TransportTimes& times_;
  Passages* passages_;
  std::vector<Way> ways_;  // in the order in which they are tried
  std::size_t way_ = 0;
  std::shared_ptr<Attempt> attempt_;  // the last one that was not to an address
  std::chrono::milliseconds pause_;
  Clock::time_point next_ = Clock::now();
  std::minstd_rand random_{std::random_device{}()};  // so that neighbours do not dial in step; not a secret
};

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_INTERNAL_DIALLER_H_
