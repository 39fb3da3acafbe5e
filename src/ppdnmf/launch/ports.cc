#include <ppdnmf/launch/ports.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>

#include <ppdnmf/io/descriptor.h>

namespace ppdnmf::launch {
namespace {

// The kernel gives connections and whoever binds port 0 numbers from 32768 on; between these nobody gets one unasked.
constexpr std::uint32_t kFirst = 10000;
constexpr std::uint32_t kPorts = 22000;
constexpr std::uint32_t kApart = 100;  // where processes that start one after the other begin to look

bool can_be_bound(const io::Descriptor& socket, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return socket.get() >= 0 && ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace

Result<std::vector<std::uint16_t>> free_ports(std::size_t count) {
  static std::atomic<std::uint32_t> next = static_cast<std::uint32_t>(::getpid()) * kApart;
  std::vector<std::uint16_t> ports;
  for (std::uint32_t tried = 0; ports.size() < count && tried < kPorts; ++tried) {
    const auto port = static_cast<std::uint16_t>(kFirst + next++ % kPorts);
    if (can_be_bound(io::Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), port)) ports.push_back(port);
  }
  if (ports.size() == count) return ports;
  return error(ErrorCode::kFile, "port {} of {} on 127.0.0.1 cannot be had: {}", ports.size() + 1, count,
               io::errno_text());
}

}  // namespace ppdnmf::launch
