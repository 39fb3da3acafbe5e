#include <ppdnmf/net/probe.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace ppdnmf::net {
namespace {

// 0, or the reason why nothing can be bound to this address.
int try_to_bind(const addrinfo& info) {
  const io::Descriptor socket(::socket(info.ai_family, info.ai_socktype | SOCK_CLOEXEC, 0));
  if (socket.get() < 0) return errno;
  const int yes = 1;
  setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const bool bound = bind(socket.get(), info.ai_addr, info.ai_addrlen) == 0 && listen(socket.get(), 1) == 0;
  return bound ? 0 : errno;
}

// 0 if connected, else errno's reason; ETIMEDOUT at the deadline.
int try_to_connect(const addrinfo& info, const io::Descriptor& socket, Deadline deadline) {
  if (socket.get() < 0) return errno;
  if (connect(socket.get(), info.ai_addr, info.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
  pollfd waiting{socket.get(), POLLOUT, 0};
  if (poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(left, 0))) <= 0) return ETIMEDOUT;
  int reason = 0;
  socklen_t size = sizeof reason;
  getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &reason, &size);
  return reason;
}

}  // namespace

Result<AddressList> look_up(const identity::Address& address, bool to_listen) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | (to_listen ? AI_PASSIVE : 0);
  addrinfo* list = nullptr;
  const int failure = getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &list);
  if (failure != 0) return error(ErrorCode::kPeer, "the name cannot be found ({})", gai_strerror(failure));
  return AddressList(list, freeaddrinfo);
}

Result<int> try_to_listen(const identity::Address& address) {
  PPDNMF_TRY(const AddressList list, look_up(address, true));
  int reason = 0;
  for (const addrinfo* info = list.get(); info != nullptr && reason == 0; info = info->ai_next)
    reason = try_to_bind(*info);
  return reason;
}

std::string words_for_connecting(int reason) {
  switch (reason) {
    case ECONNREFUSED:
      return "nobody listens there (connection refused): either the program does not run, or the port is another one";
    case ETIMEDOUT:
      return "no answer: the machine is off, or a firewall on the way drops what is sent there";
    case ENETUNREACH:
      return fmt::format("there is no way there from this machine ({})", io::errno_text(reason));
    case EHOSTUNREACH:
      return fmt::format(
          "there is no way there from this machine ({}): the other machine is off, or a firewall on the way turns "
          "connections away",
          io::errno_text(reason));
    case EACCES:
    case EPERM:
      return fmt::format("cannot be connected to ({}): routes or a firewall of this machine forbid it",
                         io::errno_text(reason));
    default:
      return fmt::format("cannot be connected to ({})", io::errno_text(reason));
  }
}

Result<io::Descriptor> connect_to(const addrinfo* list, Deadline deadline) {
  int reason = EHOSTUNREACH;
  for (const addrinfo* info = list; info != nullptr; info = info->ai_next) {
    io::Descriptor socket(::socket(info->ai_family, info->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    reason = try_to_connect(*info, socket, deadline);
    if (reason == 0) return socket;
  }
  return error(ErrorCode::kPeer, "{}", words_for_connecting(reason));
}

}  // namespace ppdnmf::net
