// What waits between the consumer and the engine: events that are to be taken, messages that are to be sent. Has a lock
// of its own, under which nothing else is called. Knows nothing of gRPC. Peers are numbered by their place in the
// configuration; a stream is numbered by the board.
//
// Everything here is bounded: per peer one message in, the outgoing queue's bounds, a few events.
#ifndef PPDNMF_NET_INTERNAL_BOARD_H_
#define PPDNMF_NET_INTERNAL_BOARD_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>

#include <ppdnmf/net/transport.h>

namespace ppdnmf::net {

using Clock = std::chrono::steady_clock;
using StreamNumber = std::uint64_t;  // 0: none

class Board {
 public:
  // `stir` tells the engine that a peer's message was taken or that one was queued for it; it is called without the
  // lock.
  Board(const TransportConfig& config, std::function<void(std::size_t)> stir);

  // The consumer's side; see Transport.
  [[nodiscard]] std::optional<NetEvent> next(Clock::time_point deadline);
  void interrupt();
  [[nodiscard]] Transport::Sent send(std::size_t peer, std::shared_ptr<const Bytes> message);
  [[nodiscard]] bool flush(Clock::time_point deadline);
  // The stream that send() speaks to. 0: none.
  [[nodiscard]] StreamNumber speaks_to(std::size_t peer) const;
  [[nodiscard]] bool busy(std::size_t peer) const;
  [[nodiscard]] TrafficCounters traffic(std::size_t peer) const;

  // The engine's side. Calls with the number of a stream that is not its peer's current one do nothing.
  // A new stream, instead of whatever there was.
  [[nodiscard]] StreamNumber begin_stream(std::size_t peer);
  void end_stream(std::size_t peer, StreamNumber stream, std::string why);
  // Whether the last message has been taken, so that the next may be read.
  [[nodiscard]] bool may_read(std::size_t peer) const;
  void arrived(std::size_t peer, StreamNumber stream, Bytes message);
  // The first message to be sent, which stays in the queue until sent() says that it has been.
  [[nodiscard]] std::shared_ptr<const Bytes> to_send(std::size_t peer, StreamNumber stream) const;
  void sent(std::size_t peer, StreamNumber stream);
  void count_bytes(std::size_t peer, std::uint64_t in, std::uint64_t out);
  // Both are limited in their rate; Unreachable comes at once if the reason is another than before.
  void unreachable(std::size_t peer, std::string why);
  void refused(const std::string& who, const std::string& why);
  void troubled(std::string what);

 private:
  struct Waiting {
    NetEvent event;
    StreamNumber stream = 0;  // the one that it is about
  };
  struct Peer {
    AgentId id;
    std::deque<Waiting> events;
    bool message_waits = false;  // one of the events is an Arrived
    StreamNumber stream = 0;     // the current one
    StreamNumber announced = 0;  // the one whose Connected has been taken; the consumer speaks to no other
    std::deque<std::shared_ptr<const Bytes>> queue;
    std::size_t queued_bytes = 0;
    std::string last_unreachable;
    Clock::time_point last_unreachable_at{};
    TrafficCounters traffic;
  };
  struct Complaint {
    Clock::time_point at;
    std::uint64_t unsaid = 0;
  };

  [[nodiscard]] std::optional<NetEvent> take_event(std::size_t& peer);
  [[nodiscard]] static bool speaks(const Peer& peer) { return peer.stream != 0 && peer.announced == peer.stream; }
  static void add_state(Peer& peer, Waiting waiting);
  void clear_queue(Peer& peer);

  const std::size_t max_queued_messages_, max_queued_bytes_;
  const std::chrono::milliseconds between_complaints_;
  const std::function<void(std::size_t)> stir_;

  mutable std::mutex mutex_;
  std::condition_variable news_, drained_;
  std::vector<Peer> peers_;
  std::size_t turn_ = 0;          // whose events are looked at first
  std::deque<NetEvent> notices_;  // Refused and Troubled
  std::map<std::string, Complaint> complaints_;
  bool interrupted_ = false;
};

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_INTERNAL_BOARD_H_
