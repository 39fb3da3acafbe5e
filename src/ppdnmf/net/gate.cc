#include <ppdnmf/net/gate.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include <ppdnmf/net/listening.h>

namespace ppdnmf::net {
namespace {

constexpr std::chrono::milliseconds kRound{200};  // its loop goes round so often at least
constexpr std::chrono::milliseconds kRest{50};    // after a connection could not be accepted
constexpr int kAtATime = 64;                      // connections, before anything else is looked at
constexpr std::size_t kMaxAddresses = 64;         // that are counted by themselves
constexpr std::uint64_t kMany = 1000;             // connections that are told of early

std::int64_t milliseconds_of(std::chrono::steady_clock::time_point when) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(when.time_since_epoch()).count();
}

std::pair<std::string, std::uint16_t> endpoint_of(const sockaddr_storage& from) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (from.ss_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &from, sizeof v4);
    inet_ntop(AF_INET, &v4.sin_addr, text.data(), text.size());
    return {text.data(), ntohs(v4.sin_port)};
  }
  sockaddr_in6 v6{};
  std::memcpy(&v6, &from, sizeof v6);
  if (IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr)) {
    inet_ntop(AF_INET, &v6.sin6_addr.s6_addr[12], text.data(), text.size());
  } else {
    inet_ntop(AF_INET6, &v6.sin6_addr, text.data(), text.size());
  }
  return {text.data(), ntohs(v6.sin6_port)};
}

bool is_out_of_descriptors(int reason) {
  return reason == EMFILE || reason == ENFILE || reason == ENOBUFS || reason == ENOMEM;
}

// So that nothing of it is left behind here.
void reset(const io::Descriptor& connection) {
  const linger at_once{1, 0};
  setsockopt(connection.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

io::Descriptor spare() { return io::Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

}  // namespace

std::optional<std::pair<std::string, std::uint16_t>> endpoint_of(const std::string& name) {
  const std::size_t kind = name.find(':'), last = name.rfind(':');
  if (kind == std::string::npos || kind == last) return std::nullopt;
  std::uint16_t port = 0;
  const auto parsed = std::from_chars(name.data() + last + 1, name.data() + name.size(), port);
  if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size()) return std::nullopt;
  std::string host = name.substr(kind + 1, last - kind - 1);
  for (const std::string_view bracket : {"%5B", "%5D", "[", "]"}) {
    if (const std::size_t found = host.find(bracket); found != std::string::npos) host.erase(found, bracket.size());
  }
  host.resize(std::min(host.find('%'), host.size()));  // of a link's address, which link
  return std::pair(std::move(host), port);
}

std::string name_of_peer(int socket) {
  sockaddr_storage from{};
  socklen_t size = sizeof from;
  if (getpeername(socket, reinterpret_cast<sockaddr*>(&from), &size) != 0) return {};
  const auto [address, port] = endpoint_of(from);
  return address.find(':') == std::string::npos ? fmt::format("ipv4:{}:{}", address, port)
                                                : fmt::format("ipv6:[{}]:{}", address, port);
}

Gate::Gate(std::vector<io::Descriptor> listeners, std::string place, std::uint16_t port)
    : listeners_(std::move(listeners)),
      place_(std::move(place)),
      port_(port),
      seen_alive_(milliseconds_of(Clock::now())) {}

Result<std::unique_ptr<Gate>> Gate::open(const identity::Address& address) {
  PPDNMF_TRY(Listening bound, listen_at(address));
  return std::unique_ptr<Gate>(new Gate(std::move(bound.sockets), identity::text_of(address), bound.port));
}

void Gate::start(const GuestLimits& limits, std::chrono::milliseconds between, Hooks hooks) {
  guests_.emplace(limits);
  between_ = between;
  hooks_ = std::move(hooks);
  wake_ = std::make_unique<io::Descriptor>(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  reserve_ = std::make_unique<io::Descriptor>(spare());
  thread_ = std::thread([this] { run(); });
}

void Gate::stop() {
  if (!thread_.joinable()) return;
  stopping_ = true;
  eventfd_write(wake_->get(), 1);
  thread_.join();
  listeners_.clear();
  connections_.clear();
}

bool Gate::alive(std::chrono::milliseconds lately) const {
  return milliseconds_of(Clock::now()) - seen_alive_ < lately.count();
}

void Gate::run() {
  std::vector<pollfd> watched;
  std::vector<Guests::Number> who, readable, gone;
  while (!stopping_) {
    watched.assign(1, {wake_->get(), POLLIN, 0});
    const bool open = Clock::now() >= not_before_;
    for (const io::Descriptor& listener : listeners_) {
      watched.push_back({listener.get(), static_cast<short>(open ? POLLIN : 0), 0});
    }
    const std::size_t before = watched.size();
    who.clear();
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [number, connection] : connections_) {
        who.push_back(number);
        const short silent = guests_->speaks(number) ? 0 : POLLIN;
        watched.push_back({connection.get(), static_cast<short>(POLLRDHUP | silent), 0});
      }
    }
    (void)poll(watched.data(), watched.size(), static_cast<int>((open ? kRound : kRest).count()));
    seen_alive_ = milliseconds_of(Clock::now());
    readable.clear();
    gone.clear();
    for (std::size_t i = 0; i < who.size(); ++i) {
      const short events = watched[before + i].revents;
      if ((events & (POLLHUP | POLLRDHUP | POLLERR | POLLNVAL)) != 0) {
        gone.push_back(who[i]);
      } else if ((events & POLLIN) != 0) {
        readable.push_back(who[i]);
      }
    }
    look(readable, gone);
    for (std::size_t i = 0; open && i < listeners_.size(); ++i) {
      if (watched[1 + i].revents != 0) accept_from(listeners_[i]);
    }
    report(Clock::now());
  }
}

// Guests that began to speak, and those that left; then those who have been silent for too long.
void Gate::look(const std::vector<Guests::Number>& readable, const std::vector<Guests::Number>& gone) {
  std::vector<io::Descriptor> speaking;
  {
    const std::lock_guard lock(mutex_);
    for (const Guests::Number number : gone) {
      guests_->left(number);
      connections_.erase(number);
    }
    for (const Guests::Number number : readable) {
      const auto found = connections_.find(number);
      if (found == connections_.end()) continue;  // it was sent away meanwhile
      // A second name of the same connection: gRPC closes its own, and this one tells when the connection has ended.
      io::Descriptor second(fcntl(found->second.get(), F_DUPFD_CLOEXEC, 0));
      if (second.get() < 0) {
        guests_->left(number);
        connections_.erase(found);
        continue;
      }
      guests_->spoke(number);
      speaking.push_back(std::move(second));
    }
    for (const Guests::Leaver& leaver : guests_->overdue(Clock::now())) send_away(leaver);
  }
  for (io::Descriptor& connection : speaking) hooks_.hand_on(connection.release());
}

void Gate::accept_from(const io::Descriptor& listener) {
  for (int n = 0; n < kAtATime; ++n) {
    sockaddr_storage from{};
    socklen_t size = sizeof from;
    io::Descriptor connection(
        accept4(listener.get(), reinterpret_cast<sockaddr*>(&from), &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    const int reason = errno;
    if (connection.get() >= 0) {
      const auto [address, port] = endpoint_of(from);
      take(std::move(connection), address, port);
      continue;
    }
    if (reason == EAGAIN || reason == EWOULDBLOCK) return;
    if (reason == EINTR || reason == ECONNABORTED) continue;
    not_before_ = Clock::now() + kRest;
    if (is_out_of_descriptors(reason)) return out_of_descriptors(listener);
    if (Clock::now() < told_of_trouble_ + between_) return;
    told_of_trouble_ = Clock::now();
    troubled_ = true;
    return hooks_.tell(fmt::format("nobody can connect to {} at {} ({}); it keeps trying", hooks_.here, place_,
                                   io::errno_text(reason)));
  }
}

void Gate::take(io::Descriptor connection, const std::string& address, std::uint16_t port) {
  if (std::exchange(troubled_, false)) hooks_.tell(fmt::format("connections to {} are taken again", place_));
  const int yes = 1;
  setsockopt(connection.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  const std::lock_guard lock(mutex_);
  const Guests::Admission admission = guests_->admit(address, port, Clock::now());
  if (admission.leaver) send_away(*admission.leaver);
  connections_.emplace(admission.number, std::move(connection));
}

// The process may open nothing more. The descriptor in reserve serves to take the connection and close it, or it would
// stay where it is and wake this thread for ever; and the oldest stranger makes room for whoever comes next.
void Gate::out_of_descriptors(const io::Descriptor& listener) {
  (void)reserve_->close();
  (void)io::Descriptor(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC)).close();
  {
    const std::lock_guard lock(mutex_);
    if (const auto oldest = guests_->oldest_stranger()) send_away(*oldest);
  }
  reserve_ = std::make_unique<io::Descriptor>(spare());
  const auto now = Clock::now();
  if (now < told_of_trouble_ + between_) return;
  told_of_trouble_ = now;
  troubled_ = true;
  hooks_.tell(
      fmt::format("nobody can connect to {} at {}: the process has all the files open that it may "
                  "(ulimit -n); it keeps trying",
                  hooks_.here, place_));
}

// The lock is held.
void Gate::send_away(const Guests::Leaver& leaver) {
  const auto found = connections_.find(leaver.number);
  if (found == connections_.end()) return;
  reset(found->second);
  (void)shutdown(found->second.get(), SHUT_RDWR);  // gRPC may hold it, too
  connections_.erase(found);
  const bool counted = sent_away_.contains(leaver.address) || sent_away_.size() < kMaxAddresses;
  ++sent_away_[counted ? leaver.address : "other addresses"];
}

void Gate::report(Clock::time_point now) {
  if (sent_away_.empty()) return;
  std::uint64_t count = 0;
  for (const auto& [address, times] : sent_away_) count += times;
  const auto since = now - told_of_strangers_;
  if (since < between_ && !(count >= kMany && since >= std::chrono::seconds(1))) return;
  const auto most = std::max_element(sent_away_.begin(), sent_away_.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  const std::string from = sent_away_.size() == 1 ? most->first
                                                  : fmt::format("{} addresses, {} of them from {}", sent_away_.size(),
                                                                most->second, most->first);
  hooks_.tell(
      fmt::format("closed {0} connection{1} from {2}: they did not show that they are a {3}'s; {3}s are still let in",
                  count, count == 1 ? "" : "s", from, hooks_.guest));
  sent_away_.clear();
  told_of_strangers_ = now;
}

void Gate::recognise(const std::string& name, std::size_t peer) {
  const auto endpoint = net::endpoint_of(name);
  if (!endpoint) return;
  const std::lock_guard lock(mutex_);
  if (!guests_) return;
  if (const auto leaver = guests_->recognise(endpoint->first, endpoint->second, peer)) {
    const auto found = connections_.find(leaver->number);
    if (found == connections_.end()) return;
    (void)shutdown(found->second.get(), SHUT_RDWR);
    connections_.erase(found);
  }
}

}  // namespace ppdnmf::net
