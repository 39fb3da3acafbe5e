#include <ppdnmf/net/internal/dialler.h>

#include <arpa/inet.h>

#include <algorithm>
#include <utility>

#include <ppdnmf/net/internal/credentials.h>

namespace ppdnmf::net {

std::string dial_target(const identity::Address& address) {
  in6_addr bytes{};
  if (inet_pton(AF_INET, address.host.c_str(), &bytes) == 1) return "ipv4:" + identity::text_of(address);
  if (inet_pton(AF_INET6, address.host.c_str(), &bytes) == 1) return "ipv6:" + identity::text_of(address);
  return "dns:///" + identity::text_of(address);
}

Dialler::Dialler(const PeerConfig& peer, std::shared_ptr<grpc::ChannelCredentials> credentials,
                 const TransportConfig& config, Passages* passages)
    : peer_(peer),
      credentials_(std::move(credentials)),
      times_(config.times),
      passages_(passages),
      pause_(times_.first_pause) {
  if (peer.dial) ways_.push_back(proxy_for(*peer.dial, config.proxy) ? Way::kProxy : Way::kAddress);
  if (peer.dial_at_relay) ways_.push_back(Way::kRelay);
}

std::shared_ptr<grpc::Channel> Dialler::channel() {
  attempt_.reset();
  if (ways_[way_] == Way::kProxy) attempt_ = passages_->to_address(*peer_.dial);
  if (ways_[way_] == Way::kRelay) attempt_ = passages_->to_relay(peer_.identity);
  const std::string target = attempt_ ? attempt_->target() : dial_target(*peer_.dial);
  return grpc::CreateCustomChannel(target, credentials_, dial_arguments(times_));
}

void Dialler::ended(bool was_good) {
  if (was_good) pause_ = times_.first_pause;
  way_ = was_good ? 0 : (way_ + 1) % ways_.size();
  if (way_ != 0) {  // another way is left to try
    next_ = Clock::now();
    return;
  }
  std::uniform_real_distribution<double> part(0.5, 1.0);
  const std::chrono::duration<double, std::milli> pause(static_cast<double>(pause_.count()) * part(random_));
  next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(pause);
  pause_ = std::min(2 * pause_, times_.longest_pause);
}

}  // namespace ppdnmf::net
