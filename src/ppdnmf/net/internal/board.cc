#include <ppdnmf/net/internal/board.h>

#include <algorithm>
#include <utility>

namespace ppdnmf::net {
namespace {

constexpr std::size_t kMaxNotices = 32;     // that wait to be taken
constexpr std::size_t kMaxComplaints = 64;  // whose time is remembered

bool is_state(const NetEvent& event) {
  return std::holds_alternative<Connected>(event) || std::holds_alternative<Disconnected>(event);
}

}  // namespace

Board::Board(const TransportConfig& config, std::function<void(std::size_t)> stir)
    : max_queued_messages_(config.max_queued_messages),
      max_queued_bytes_(config.max_queued_bytes),
      between_complaints_(config.times.between_complaints),
      stir_(std::move(stir)),
      peers_(config.peers.size()) {
  for (std::size_t i = 0; i < peers_.size(); ++i) peers_[i].id = config.peers[i].id;
}

std::optional<NetEvent> Board::next(Clock::time_point deadline) {
  std::optional<NetEvent> event;
  std::size_t peer = 0;
  {
    std::unique_lock lock(mutex_);
    news_.wait_until(lock, deadline, [&] {
      event = take_event(peer);
      return event || interrupted_;
    });
    if (!event) interrupted_ = false;
  }
  if (event && std::holds_alternative<Arrived>(*event)) stir_(peer);
  return event;
}

void Board::interrupt() {
  const std::lock_guard lock(mutex_);
  interrupted_ = true;
  news_.notify_all();
}

std::optional<NetEvent> Board::take_event(std::size_t& index) {
  if (!notices_.empty()) {
    NetEvent event = std::move(notices_.front());
    notices_.pop_front();
    return event;
  }
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    index = (turn_ + i) % peers_.size();
    Peer& peer = peers_[index];
    if (peer.events.empty()) continue;
    turn_ = (index + 1) % peers_.size();
    Waiting waiting = std::move(peer.events.front());
    peer.events.pop_front();
    if (std::holds_alternative<Connected>(waiting.event)) {
      peer.announced = waiting.stream;
    } else if (std::holds_alternative<Arrived>(waiting.event)) {
      peer.message_waits = false;
    }
    return std::move(waiting.event);
  }
  return std::nullopt;
}

Transport::Sent Board::send(std::size_t index, std::shared_ptr<const Bytes> message) {
  {
    const std::lock_guard lock(mutex_);
    Peer& peer = peers_[index];
    if (!speaks(peer)) return Transport::Sent::kNotConnected;
    const bool fits = peer.queue.size() < max_queued_messages_ && message->size() <= max_queued_bytes_ &&
                      peer.queued_bytes <= max_queued_bytes_ - message->size();
    if (!fits && !peer.queue.empty()) return Transport::Sent::kFull;
    peer.queued_bytes += message->size();
    peer.queue.push_back(std::move(message));
  }
  stir_(index);
  return Transport::Sent::kQueued;
}

bool Board::flush(Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return drained_.wait_until(
      lock, deadline, [&] { return std::ranges::all_of(peers_, [](const Peer& p) { return p.queue.empty(); }); });
}

StreamNumber Board::speaks_to(std::size_t index) const {
  const std::lock_guard lock(mutex_);
  return speaks(peers_[index]) ? peers_[index].stream : 0;
}

bool Board::busy(std::size_t index) const {
  const std::lock_guard lock(mutex_);
  return !peers_[index].queue.empty();
}

TrafficCounters Board::traffic(std::size_t index) const {
  const std::lock_guard lock(mutex_);
  return peers_[index].traffic;
}

// Streams that nobody has seen come need not be seen to go: a row of Connected and Disconnected is shortened to what is
// true in the end, so that it cannot grow while nobody looks.
void Board::add_state(Peer& peer, Waiting waiting) {
  const bool going = std::holds_alternative<Disconnected>(waiting.event);
  while (!peer.events.empty()) {
    const NetEvent& last = peer.events.back().event;
    const bool obsolete = std::holds_alternative<Unreachable>(last) || std::holds_alternative<Connected>(last) ||
                          (going && is_state(last));
    if (!obsolete) break;
    peer.events.pop_back();
  }
  peer.events.push_back(std::move(waiting));
}

void Board::clear_queue(Peer& peer) {
  peer.queue.clear();
  peer.queued_bytes = 0;
  drained_.notify_all();
}

StreamNumber Board::begin_stream(std::size_t index) {
  const std::lock_guard lock(mutex_);
  Peer& peer = peers_[index];
  if (peer.stream != 0) ++peer.traffic.outages;
  ++peer.traffic.connections;
  clear_queue(peer);
  peer.last_unreachable.clear();
  peer.stream = peer.traffic.connections;
  add_state(peer, {Connected{peer.id}, peer.stream});
  news_.notify_all();
  return peer.stream;
}

void Board::end_stream(std::size_t index, StreamNumber stream, std::string why) {
  const std::lock_guard lock(mutex_);
  Peer& peer = peers_[index];
  if (peer.stream != stream || stream == 0) return;
  peer.stream = 0;
  ++peer.traffic.outages;
  clear_queue(peer);
  add_state(peer, {Disconnected{peer.id, std::move(why)}, stream});
  news_.notify_all();
}

bool Board::may_read(std::size_t index) const {
  const std::lock_guard lock(mutex_);
  return !peers_[index].message_waits;
}

void Board::arrived(std::size_t index, StreamNumber stream, Bytes message) {
  const std::lock_guard lock(mutex_);
  Peer& peer = peers_[index];
  if (peer.stream != stream) return;
  PPDNMF_CHECK(!peer.message_waits);
  peer.message_waits = true;
  ++peer.traffic.messages_in;
  peer.events.push_back({Arrived{peer.id, std::move(message)}, stream});
  news_.notify_all();
}

std::shared_ptr<const Bytes> Board::to_send(std::size_t index, StreamNumber stream) const {
  const std::lock_guard lock(mutex_);
  const Peer& peer = peers_[index];
  return peer.stream == stream && !peer.queue.empty() ? peer.queue.front() : nullptr;
}

void Board::sent(std::size_t index, StreamNumber stream) {
  const std::lock_guard lock(mutex_);
  Peer& peer = peers_[index];
  if (peer.stream != stream || peer.queue.empty()) return;
  peer.queued_bytes -= peer.queue.front()->size();
  peer.queue.pop_front();
  ++peer.traffic.messages_out;
  if (peer.queue.empty()) drained_.notify_all();
}

void Board::count_bytes(std::size_t index, std::uint64_t in, std::uint64_t out) {
  const std::lock_guard lock(mutex_);
  peers_[index].traffic.bytes_in += in;
  peers_[index].traffic.bytes_out += out;
}

void Board::unreachable(std::size_t index, std::string why) {
  const std::lock_guard lock(mutex_);
  Peer& peer = peers_[index];
  const auto now = Clock::now();
  if (why == peer.last_unreachable && now < peer.last_unreachable_at + between_complaints_) return;
  peer.last_unreachable = why;
  peer.last_unreachable_at = now;
  if (!peer.events.empty() && std::holds_alternative<Unreachable>(peer.events.back().event)) peer.events.pop_back();
  peer.events.push_back({Unreachable{peer.id, std::move(why)}, 0});
  news_.notify_all();
}

void Board::refused(const std::string& who, const std::string& why) {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (complaints_.size() >= kMaxComplaints) complaints_.clear();
  const auto [found, fresh] = complaints_.try_emplace(who, Complaint{now, 0});
  if (!fresh && now < found->second.at + between_complaints_) {
    ++found->second.unsaid;
    return;
  }
  const std::uint64_t unsaid = std::exchange(found->second.unsaid, 0);
  found->second.at = now;
  if (notices_.size() >= kMaxNotices) return;
  notices_.emplace_back(Refused{who, unsaid == 0 ? why : fmt::format("{} (and {} times before)", why, unsaid)});
  news_.notify_all();
}

void Board::troubled(std::string what) {
  const std::lock_guard lock(mutex_);
  if (notices_.size() >= kMaxNotices) return;
  notices_.emplace_back(Troubled{std::move(what)});
  news_.notify_all();
}

}  // namespace ppdnmf::net
