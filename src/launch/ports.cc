#include "launch/ports.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "io/descriptor.h"

namespace ppdnmf {

Result<std::vector<std::uint16_t>> free_ports(std::size_t count) {
  std::vector<Descriptor> held;  // until all are drawn, so that none comes twice
  std::vector<std::uint16_t> ports;
  for (std::size_t i = 0; i < count; ++i) {
    const Descriptor& one = held.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* place = reinterpret_cast<sockaddr*>(&address);
    if (one.get() < 0 || ::bind(one.get(), place, size) != 0 || ::getsockname(one.get(), place, &size) != 0) {
      return error(ErrorCode::kFile, "port {} of {} on 127.0.0.1 cannot be had: {}", i + 1, count, errno_text());
    }
    ports.push_back(ntohs(address.sin_port));
  }
  return ports;
}

}  // namespace ppdnmf
