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

Dialler::Dialler(const identity::Address& address, std::shared_ptr<grpc::ChannelCredentials> credentials,
                 const TransportTimes& times)
    : target_(dial_target(address)), credentials_(std::move(credentials)), times_(times), pause_(times.first_pause) {}

std::shared_ptr<grpc::Channel> Dialler::channel() const {
  return grpc::CreateCustomChannel(target_, credentials_, dial_arguments(times_));
}

void Dialler::ended(bool was_good) {
  if (was_good) pause_ = times_.first_pause;
  std::uniform_real_distribution<double> part(0.5, 1.0);
  const std::chrono::duration<double, std::milli> pause(static_cast<double>(pause_.count()) * part(random_));
  next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(pause);
  pause_ = std::min(2 * pause_, times_.longest_pause);
}

}  // namespace ppdnmf::net
