#include <ppdnmf/net/internal/passages.h>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <csignal>
#include <map>
#include <random>
#include <system_error>
#include <thread>
#include <utility>

#include <ppdnmf/net/internal/board.h>

namespace ppdnmf::net {
namespace {

constexpr std::size_t kMaxRelayed = 4;                  // connections of one neighbour that came through the relay
constexpr std::chrono::milliseconds kLastBytes{500};    // what is under way at the end may take so long
constexpr std::chrono::milliseconds kLastThreads{500};  // and whoever looks up a name is not waited for longer

constexpr const char* kNoThread = "this process can start no more threads";

// The name that the system gave the socket, without the zero in front; sockets without one make gRPC stumble.
std::string name_of_socket(int socket) {
  sockaddr_un name{};
  socklen_t size = sizeof name;
  PPDNMF_CHECK(getsockname(socket, reinterpret_cast<sockaddr*>(&name), &size) == 0);
  const std::size_t letters = size - offsetof(sockaddr_un, sun_path);
  return letters < 2 ? "" : std::string(&name.sun_path[1], letters - 1);
}

bool take_any_name(int socket) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  return bind(socket, reinterpret_cast<const sockaddr*>(&name), sizeof name.sun_family) == 0;
}

// Listens for this process alone.
io::Descriptor listen_inside() {
  io::Descriptor out(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (out.get() >= 0 && (!take_any_name(out.get()) || listen(out.get(), 1) != 0)) (void)out.close();
  return out;
}

bool is_ours(int connection) {
  ucred other{};
  socklen_t size = sizeof other;
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &other, &size) == 0 && other.pid == getpid();
}

// gRPC's connection; others that find the name are sent away.
io::Descriptor accept_own(const io::Descriptor& listener, Deadline deadline, int stop) {
  while (wait_for(listener.get(), POLLIN, deadline, stop) == Waited::kReady) {
    io::Descriptor connection(accept4(listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (connection.get() >= 0 && is_ours(connection.get())) return connection;
  }
  return io::Descriptor(-1);
}

// A socket for gRPC and one for us, joined. The first has a name on its other side, which gRPC needs.
std::pair<io::Descriptor, io::Descriptor> joined_sockets() {
  std::array<int, 2> ends = {-1, -1};
  (void)socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data());
  std::pair<io::Descriptor, io::Descriptor> out{io::Descriptor(ends[0]), io::Descriptor(ends[1])};
  if (ends[1] >= 0 && !take_any_name(ends[1])) (void)out.first.close();
  return out;
}

class Pauses {
 public:
  explicit Pauses(const TransportTimes& times) : times_(times), pause_(times.first_pause) {}
  void begin_anew() { pause_ = times_.first_pause; }
  // False: the end.
  bool sleep(int stop) {
    std::uniform_real_distribution<double> part(0.5, 1.0);
    const std::chrono::duration<double, std::milli> pause(static_cast<double>(pause_.count()) * part(random_));
    pause_ = std::min(2 * pause_, times_.longest_pause);
    const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(pause);
    return wait_for(stop, POLLIN, until) == Waited::kTooLate;
  }

 private:
  const TransportTimes& times_;
  std::chrono::milliseconds pause_;
  std::minstd_rand random_{std::random_device{}()};  // so that members do not come in step; not a secret
};

// What poll() is to look for; a socket without anything is not looked at, or one that has ended would wake us for ever.
pollfd watch(const Link& link, const Flow& from, const Flow& to) {
  const auto events =
      static_cast<short>((from.has_room() ? link.waits_to_read() : 0) | (to.has_bytes() ? link.waits_to_write() : 0));
  return {events == 0 ? -1 : link.socket(), events, 0};
}

// Both ways until one side ends.
void carry(Link& near, OpenLink& far, int halt) {
  Flow out, in(std::move(far.first));
  do {
    const bool more = (near.holds_bytes() && out.has_room()) || (far.link.holds_bytes() && in.has_room());
    std::array<pollfd, 3> watched = {watch(near, out, in), watch(far.link, in, out), pollfd{halt, POLLIN, 0}};
    (void)poll(watched.data(), watched.size(), more ? 0 : -1);
    if (watched[2].revents != 0) return;
  } while (move_both(out, in, near, far.link));
  far.link.finish();
}

}  // namespace

// What the threads hold, some of them for longer than Passages: nobody can interrupt the look-up of a name.
class Passages::Shared : public std::enable_shared_from_this<Shared> {
 public:
  Shared(const TransportConfig& config, const identity::PrivateIdentity& self, Hooks hooks)
      : relay(config.relay), proxy(config.proxy), times(config.times), hooks_(std::move(hooks)) {
    if (relay) side = TlsSide::client(&self, kRelayProtocol);
  }

  const std::optional<RelayPlace> relay;
  const std::optional<Proxy> proxy;
  const TransportTimes times;
  std::shared_ptr<const TlsSide> side;
  const io::Descriptor stop{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};  // nothing new begins
  const io::Descriptor halt{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};  // nothing goes on

  void hand_on(int connection) {
    const std::lock_guard lock(mutex_);
    if (!hooks_) return (void)io::Descriptor(connection).close();
    hooks_->hand_on(connection);
  }
  void tell(std::size_t peer, std::string why) {
    const std::lock_guard lock(mutex_);
    if (hooks_) hooks_->tell(peer, std::move(why));
  }
  // Counts a connection of this peer; waits while there are too many. False: the end.
  bool enter(std::size_t peer) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !hooks_ || carried_[peer] < kMaxRelayed; });
    if (hooks_) ++carried_[peer];
    return hooks_.has_value();
  }
  void leave(std::size_t peer) {
    const std::lock_guard lock(mutex_);
    --carried_[peer];
    changed_.notify_all();
  }

  // False: there can be no more threads.
  bool start(std::function<void(Shared&)> act) {
    {
      const std::lock_guard lock(mutex_);
      ++threads_;
    }
    try {
      std::thread([shared = shared_from_this(), act = std::move(act)] {
        sigset_t pipe;
        sigemptyset(&pipe);
        sigaddset(&pipe, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
        act(*shared);
        shared->ended();
      }).detach();
      return true;
    } catch (const std::system_error&) {
      ended();
      return false;
    }
  }
  void stop_all() {
    const std::lock_guard lock(mutex_);
    hooks_.reset();
    changed_.notify_all();
    eventfd_write(stop.get(), 1);
  }
  void wait_for_all() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kLastBytes, [this] { return threads_ == 0; });
    eventfd_write(halt.get(), 1);
    changed_.wait_for(lock, kLastThreads, [this] { return threads_ == 0; });
  }

 private:
  void ended() {
    const std::lock_guard lock(mutex_);
    --threads_;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Hooks> hooks_;
  std::map<std::size_t, std::size_t> carried_;  // by peer
  std::size_t threads_ = 0;
};

Passages::Passages(const TransportConfig& config, const identity::PrivateIdentity& self, Hooks hooks)
    : shared_(std::make_shared<Shared>(config, self, std::move(hooks))) {}

void Passages::stop() { shared_->stop_all(); }

Passages::~Passages() {
  stop();
  shared_->wait_for_all();
}

std::shared_ptr<Attempt> Passages::begin(Open open) {
  auto listener = std::make_shared<io::Descriptor>(listen_inside());
  if (listener->get() < 0) {
    auto failed = std::make_shared<Attempt>("unix-abstract:nowhere");
    failed->set_why(fmt::format("this process can open no more connections ({})", io::errno_text()));
    return failed;
  }
  auto attempt = std::make_shared<Attempt>("unix-abstract:" + name_of_socket(listener->get()));
  const Deadline deadline = Clock::now() + shared_->times.connecting;
  const bool started = shared_->start([attempt, listener, deadline, open = std::move(open)](Shared& shared) {
    auto far = open(shared, *attempt, deadline);
    if (!far) {
      attempt->set_why(far.error().message);
      return (void)listener->close();
    }
    attempt->set_why("");
    const io::Descriptor near = accept_own(*listener, deadline, shared.stop.get());
    (void)listener->close();
    if (near.get() < 0) return;
    Link link(near.get(), nullptr);
    carry(link, *far, shared.halt.get());
  });
  if (!started) attempt->set_why(kNoThread);
  return attempt;
}

std::shared_ptr<Attempt> Passages::to_address(const identity::Address& address) {
  return begin([address](Shared& shared, Attempt&, Deadline deadline) -> Result<OpenLink> {
    PPDNMF_TRY(io::Descriptor socket, connect_by(address, shared.proxy, deadline, shared.stop.get()));
    Link link(socket.get(), nullptr);
    return OpenLink{std::move(socket), std::move(link), {}};
  });
}

std::shared_ptr<Attempt> Passages::to_relay(const identity::PublicIdentity& peer) {
  return begin([other = key_of(peer)](Shared& shared, Attempt& attempt, Deadline deadline) -> Result<OpenLink> {
    ReachedRelay reached = reach_relay(*shared.relay, shared.proxy, shared.side, deadline, shared.stop.get());
    if (!reached.outcome) return tl::unexpected(std::move(reached.outcome).error());
    const MeetingTimes times{deadline, shared.times.keepalive, shared.times.keepalive_timeout};
    PPDNMF_TRY_STATUS(meet(*reached.link, *shared.relay, Role::kDials, other, times, shared.stop.get(), [&] {
      attempt.set_why(fmt::format("{} {}", name_of(*shared.relay), words_of(Refusal::kNobody)));
    }));
    return *std::move(reached.link);
  });
}

// Waits until this neighbour has come to the relay.
Result<OpenLink> Passages::await(Shared& shared, const Digest& other) {
  ReachedRelay reached =
      reach_relay(*shared.relay, shared.proxy, shared.side, Clock::now() + shared.times.connecting, shared.stop.get());
  if (!reached.outcome) return tl::unexpected(std::move(reached.outcome).error());
  const MeetingTimes times{Deadline::max(), shared.times.keepalive, shared.times.keepalive_timeout};
  PPDNMF_TRY_STATUS(meet(*reached.link, *shared.relay, Role::kWaits, other, times, shared.stop.get(), nullptr));
  return *std::move(reached.link);
}

// Gives gRPC the one end of two joined sockets; the other is the neighbour's.
void Passages::take_in(Shared& shared, std::size_t peer, OpenLink far) {
  auto [theirs, ours] = joined_sockets();
  if (theirs.get() < 0 || !shared.enter(peer)) return;
  auto carried = std::make_shared<std::pair<io::Descriptor, OpenLink>>(std::move(ours), std::move(far));
  const bool started = shared.start([carried, peer](Shared& own) {
    Link link(carried->first.get(), nullptr);
    carry(link, carried->second, own.halt.get());
    own.leave(peer);
  });
  if (!started) return shared.leave(peer);
  shared.hand_on(theirs.release());
}

void Passages::expect(std::size_t peer, const identity::PublicIdentity& identity) {
  const bool started = shared_->start([peer, other = key_of(identity)](Shared& shared) {
    Pauses pauses(shared.times);
    for (;;) {
      auto far = await(shared, other);
      if (far) {
        pauses.begin_anew();
        take_in(shared, peer, *std::move(far));
        continue;
      }
      shared.tell(peer, far.error().message);
      if (!pauses.sleep(shared.stop.get())) return;
    }
  });
  if (!started) shared_->tell(peer, kNoThread);
}

}  // namespace ppdnmf::net
