#include <ppdnmf/net/internal/engine.h>

#include <algorithm>
#include <utility>

#include <ppdnmf/net/internal/client_stream.h>
#include <ppdnmf/net/internal/credentials.h>
#include <ppdnmf/net/listening.h>
#include <ppdnmf/net/words.h>

namespace ppdnmf::net {
namespace {

// A consumer's thread may bring a deadline nearer while the engine's sleeps; it notices so much later.
constexpr std::chrono::milliseconds kLongestSleep{100};
constexpr std::chrono::milliseconds kClosingSleep{10};
constexpr std::chrono::milliseconds kLongestClosing{1000};

gpr_timespec timespec_at(Clock::time_point when) {
  const auto wait = std::clamp<Clock::duration>(when - Clock::now(), Clock::duration::zero(), kLongestSleep);
  const auto micros = std::chrono::ceil<std::chrono::microseconds>(wait).count();
  return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_micros(micros, GPR_TIMESPAN));
}

}  // namespace

Engine::Engine(const TransportConfig& config, Board& board)
    : config_(config),
      board_(board),
      current_(config.peers.size(), nullptr),
      diallers_(config.peers.size()),
      wake_([](bool) {}) {}

Status Engine::start(const identity::PrivateIdentity& self) {
  PPDNMF_TRY_STATUS(listen(self));
  if (config_.relay || config_.proxy) {
    Passages::Hooks hooks;
    hooks.hand_on = [this](int connection) { take_connection(connection); };
    // Whoever is connected by another way is not missed at the relay.
    hooks.tell = [this](std::size_t peer, std::string why) {
      if (board_.speaks_to(peer) == 0) board_.unreachable(peer, std::move(why));
    };
    passages_ = std::make_unique<Passages>(config_, self, std::move(hooks));
  }
  if (!queue_) queue_ = std::make_unique<grpc::CompletionQueue>();
  for (std::size_t i = 0; i < config_.peers.size(); ++i) {
    const PeerConfig& peer = config_.peers[i];
    if (peer.dialled()) diallers_[i].emplace(peer, dial_credentials(self, peer.identity), config_, passages_.get());
  }
  if (server_) wait_for_call();
  thread_ = std::thread([this] { run(); });
  if (gate_) open_gate();
  for (std::size_t i = 0; config_.relay && i < config_.peers.size(); ++i)
    if (!config_.peers[i].dialled()) passages_->expect(i, config_.peers[i].identity);
  return {};
}

void Engine::take_connection(int connection) {
  grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters parameters;
  parameters.fd = connection;
  acceptor_->HandleNewConnection(&parameters);
}

void Engine::open_gate() {
  Gate::Hooks hooks;
  hooks.hand_on = [this](int connection) { take_connection(connection); };
  hooks.tell = [this](std::string what) { board_.troubled(std::move(what)); };
  gate_->start(guest_limits(descriptors_left(), config_.peers.size(), config_.times.silent),
               config_.times.between_complaints, std::move(hooks));
}

// Whoever is asleep or stuck cannot say so itself.
void Engine::watch_gate(Clock::time_point now) {
  if (!gate_ || phase_ != Phase::kRunning || gate_->alive()) return told_of_gate_.reset();
  if (told_of_gate_ && now < *told_of_gate_ + config_.times.between_complaints) return;
  told_of_gate_ = now;
  board_.troubled(
      fmt::format("nobody can connect to this agent at {}: what listens there does not answer any more; end "
                  "this process and start it again",
                  identity::text_of(*config_.listen)));
}

Status Engine::listen(const identity::PrivateIdentity& self) {
  std::vector<const identity::PublicIdentity*> trusted;
  for (const PeerConfig& peer : config_.peers)
    if (!peer.dialled()) trusted.push_back(&peer.identity);
  if (trusted.empty()) return {};
  if (config_.listen) {
    PPDNMF_TRY(gate_, Gate::open(*config_.listen));
  }
  grpc::ServerBuilder builder;
  set_listen_arguments(builder, config_.times, config_.peers.size());
  acceptor_ = builder.experimental().AddExternalConnectionAcceptor(
      grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, listen_credentials(self, trusted));
  builder.RegisterAsyncGenericService(&service_);
  auto queue = builder.AddCompletionQueue();
  watch_.emplace([this](const std::string& why) { board_.refused("a stranger", why); });
  server_ = builder.BuildAndStart();
  if (!server_) {
    queue->Shutdown();
    return error(ErrorCode::kUsage, "cannot listen at {}: gRPC does not say why",
                 config_.listen ? identity::text_of(*config_.listen) : "the relay");
  }
  server_queue_ = queue.get();
  queue_ = std::move(queue);
  return {};
}

void Engine::stir(std::size_t peer) {
  const std::lock_guard lock(mutex_);
  if (current_[peer] != nullptr) current_[peer]->pump();
}

void Engine::end(std::size_t peer, StreamNumber stream, const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (current_[peer] != nullptr && current_[peer]->number() == stream) current_[peer]->end(why);
}

void Engine::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto deadline = work();
    void* tag = nullptr;
    bool ok = false;
    lock.unlock();
    const auto got = queue_->AsyncNext(&tag, &ok, timespec_at(deadline));
    lock.lock();
    if (got == grpc::CompletionQueue::SHUTDOWN) return;
    if (got == grpc::CompletionQueue::GOT_EVENT) Operation::complete(tag, ok);
  }
}

// Does what there is to do; gives when to look again at the latest.
Clock::time_point Engine::work() {
  Clock::time_point next = Clock::time_point::max();
  const auto now = Clock::now();
  for (const auto& stream : streams_) next = std::min(next, stream->tick(now));
  reap();
  watch_gate(now);
  if (phase_ != Phase::kRunning) {
    go_on_closing();
    next = std::min(next, now + kClosingSleep);
  }
  for (std::size_t i = 0; i < diallers_.size() && phase_ == Phase::kRunning; ++i) {
    if (!diallers_[i] || current_[i] != nullptr) continue;
    if (now < diallers_[i]->next_attempt()) {
      next = std::min(next, diallers_[i]->next_attempt());
      continue;
    }
    streams_.push_back(std::make_unique<ClientStream>(board_, config_, i, diallers_[i]->channel(), *queue_));
    current_[i] = streams_.back().get();
    next = now;  // its own deadline has not been asked for yet
  }
  return next;
}

// Streams whose operations have all come back.
void Engine::reap() {
  for (auto at = streams_.begin(); at != streams_.end();) {
    Stream& stream = **at;
    if (!stream.over()) {
      ++at;
      continue;
    }
    const std::size_t peer = stream.peer();
    if (current_[peer] == &stream) {
      current_[peer] = nullptr;
      if (diallers_[peer]) {
        const std::string why = diallers_[peer]->why();
        diallers_[peer]->ended(stream.opened() && stream.was_good());
        if (!stream.opened() && phase_ == Phase::kRunning) board_.unreachable(peer, why.empty() ? stream.why() : why);
      }
    }
    at = streams_.erase(at);
  }
}

void Engine::wait_for_call() {
  ServerStream::Hooks hooks{[this](ServerStream& stream) { called(stream); },
                            [this](ServerStream& stream) { answered(stream); }};
  streams_.push_back(std::make_unique<ServerStream>(board_, config_, service_, *server_queue_, std::move(hooks)));
}

void Engine::called(ServerStream& stream) {
  if (phase_ == Phase::kRunning) wait_for_call();
  const auto context = stream.context().auth_context();
  const auto certificate = context ? peer_certificate(*context) : std::nullopt;
  const auto found = std::ranges::find_if(config_.peers, [&](const PeerConfig& peer) {
    return !peer.dialled() && certificate == peer.identity.certificate();
  });
  if (found == config_.peers.end()) {
    board_.refused(printable(stream.context().peer()), "its certificate is not one of our neighbours'");
    return stream.refuse(grpc::StatusCode::UNAUTHENTICATED, "not a neighbour");
  }
  if (gate_) gate_->recognise(stream.context().peer(), static_cast<std::size_t>(found - config_.peers.begin()));
  if (stream.context().method() == kInquiry) return stream.refuse(kAbout, config_.about);
  if (stream.context().method() != kMethod) {
    board_.refused(found->identity.name(), "it asks for something that no agent offers");
    return stream.refuse(grpc::StatusCode::UNIMPLEMENTED, "there is no such method");
  }
  if (phase_ != Phase::kRunning) return stream.refuse(grpc::StatusCode::UNAVAILABLE, "this agent ends");
  stream.accept(static_cast<std::size_t>(found - config_.peers.begin()));
}

void Engine::answered(ServerStream& stream) {
  if (phase_ != Phase::kRunning) return stream.close();
  Stream* const older = std::exchange(current_[stream.peer()], &stream);
  stream.begin();
  if (older != nullptr) older->end("a newer stream took its place");
}

// The end of it all: streams are closed in order, then (by the destructor's thread) the server, then the queue.
void Engine::go_on_closing() {
  const bool all_ended = std::ranges::all_of(current_, [](const Stream* stream) { return stream == nullptr; });
  if (phase_ == Phase::kClosing && all_ended) {
    phase_ = Phase::kStreamsClosed;
    phase_changed_.notify_all();
  }
  if (phase_ == Phase::kDraining && streams_.empty() && !wake_.pending()) {
    phase_ = Phase::kQueueShut;
    queue_->Shutdown();
  }
}

Engine::~Engine() {
  if (!thread_.joinable()) return;
  {
    std::unique_lock lock(mutex_);
    phase_ = Phase::kClosing;
    for (Stream* const stream : current_)
      if (stream != nullptr) stream->close();
    alarm_.Set(queue_.get(), gpr_now(GPR_CLOCK_MONOTONIC), wake_.begin());
    phase_changed_.wait_for(lock, kLongestClosing, [this] { return phase_ == Phase::kStreamsClosed; });
  }
  if (passages_) passages_->stop();
  if (gate_) gate_->stop();  // both before the server, which would forget what is handed to it
  if (server_) server_->Shutdown(gpr_now(GPR_CLOCK_MONOTONIC));
  {
    const std::lock_guard lock(mutex_);
    phase_ = Phase::kDraining;
  }
  thread_.join();
}

}  // namespace ppdnmf::net
