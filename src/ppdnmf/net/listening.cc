#include <ppdnmf/net/listening.h>

#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <ppdnmf/net/probe.h>
#include <ppdnmf/net/words.h>

namespace ppdnmf::net {
namespace {

constexpr int kBacklog = 1024;  // as far as the system allows

void set_port(sockaddr_storage& at, std::uint16_t port) {
  if (at.ss_family == AF_INET6) {
    reinterpret_cast<sockaddr_in6&>(at).sin6_port = htons(port);
  } else {
    reinterpret_cast<sockaddr_in&>(at).sin_port = htons(port);
  }
}

std::uint16_t port_of(const sockaddr_storage& at) {
  return ntohs(at.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(at).sin6_port
                                        : reinterpret_cast<const sockaddr_in&>(at).sin_port);
}

// Negative, with errno, if it cannot be.
io::Descriptor listen_on(sockaddr_storage at, socklen_t size, std::uint16_t& port) {
  io::Descriptor out(::socket(at.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (out.get() < 0) return out;
  const int yes = 1, no = 0;
  setsockopt(out.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (at.ss_family == AF_INET6) setsockopt(out.get(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
  set_port(at, port);
  if (::bind(out.get(), reinterpret_cast<const sockaddr*>(&at), size) != 0 || ::listen(out.get(), kBacklog) != 0 ||
      ::getsockname(out.get(), reinterpret_cast<sockaddr*>(&at), &size) != 0) {
    const int reason = errno;
    (void)out.close();
    errno = reason;
    return out;
  }
  port = port_of(at);
  return out;
}

// Every address of the machine, of both kinds, with one socket; nothing without IPv6.
io::Descriptor listen_everywhere(std::uint16_t& port) {
  sockaddr_storage any{};
  any.ss_family = AF_INET6;  // the rest are zeros: "::"
  return listen_on(any, sizeof(sockaddr_in6), port);
}

}  // namespace

Result<Listening> listen_at(const identity::Address& address) {
  Listening out;
  out.port = address.port;
  if (address.host == "0.0.0.0" || address.host == "::") {
    io::Descriptor both = listen_everywhere(out.port);
    if (both.get() < 0 && errno == EADDRINUSE) return tl::unexpected(words_for_listening(address));
    if (both.get() >= 0) out.sockets.push_back(std::move(both));
  }
  if (out.sockets.empty()) {
    const auto list = look_up(address, true);
    if (!list) return tl::unexpected(words_for_listening(address));
    for (const addrinfo* info = list->get(); info != nullptr; info = info->ai_next) {
      sockaddr_storage at{};
      std::memcpy(&at, info->ai_addr, std::min<std::size_t>(info->ai_addrlen, sizeof at));
      io::Descriptor one = listen_on(at, info->ai_addrlen, out.port);
      if (one.get() < 0 && errno == EADDRINUSE) return tl::unexpected(words_for_listening(address));
      if (one.get() >= 0) out.sockets.push_back(std::move(one));
    }
  }
  if (out.sockets.empty()) return tl::unexpected(words_for_listening(address));
  return out;
}

std::size_t descriptors_left() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  std::error_code failure;
  std::size_t open = 0;
  for (auto at = std::filesystem::directory_iterator("/proc/self/fd", failure);
       !failure && at != std::filesystem::directory_iterator(); at.increment(failure)) {
    ++open;
  }
  const auto most = static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, std::size_t{1} << 20U));
  return most > open ? most - open : 0;
}

}  // namespace ppdnmf::net
