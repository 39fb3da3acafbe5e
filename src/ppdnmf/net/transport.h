// Messages between an agent and its neighbours: gRPC over mutual TLS, one stream per neighbour. What a message says is
// nobody's business here; it is bytes. There is no insecure mode.
//
// A neighbour is who its certificate is: the dialler trusts that one certificate, the listener those of the neighbours
// that dial it, both compare it byte for byte, and both speak TLS 1.3 only. Connections come and go; a lost one is
// dialled again, after pauses that grow to a limit and have a random part, for ever.
//
// Where a neighbour cannot be connected to directly, a relay (net/relayed.h) or an HTTP proxy passes the bytes on; TLS
// goes from one neighbour to the other all the same. A direct connection is tried first.
//
// Strangers. At most a few dozen connections wait to show whose they are, and fewer of one address; whoever is silent
// or there are too many of goes, the oldest first, so that a neighbour always finds the door open (guests.h).
//
// Memory. With M = max_message_bytes, Q = max_queued_bytes and F = 1 MiB (a frame), a Transport with n peers takes at
// most about
//     n * (M + Q + 6 F) + 16 MiB,
// whatever the peers do: per peer one message that is coming in or waits to be taken (the next is read only when it has
// been taken), the outgoing queue (a buffer that is queued for several peers counts for each and is there once), what
// gRPC reads ahead and has not sent yet, and a fixed part for gRPC itself.
#ifndef PPDNMF_NET_TRANSPORT_H_
#define PPDNMF_NET_TRANSPORT_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/ids.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/identity/address.h>
#include <ppdnmf/identity/private_identity.h>
#include <ppdnmf/identity/public_identity.h>
#include <ppdnmf/net/relayed.h>

namespace ppdnmf::net {

struct PeerConfig {
  AgentId id;
  identity::PublicIdentity identity;        // its name is what sentences call it
  std::optional<identity::Address> dial{};  // set: we dial it
  bool dial_at_relay = false;               // we dial it at the relay, too, if it does not answer at `dial`
  // Else it dials us.
  [[nodiscard]] bool dialled() const { return dial || dial_at_relay; }
};

// Times that tests shorten.
struct TransportTimes {
  std::chrono::milliseconds first_pause{200};           // between a failed attempt and the next; doubled each time
  std::chrono::milliseconds longest_pause{15'000};      // up to here; the true pause is 50 to 100 % of it, at random
  std::chrono::milliseconds connecting{10'000};         // an attempt takes no longer, from the name to the first answer
  std::chrono::milliseconds silent{5'000};              // who connects and sends nothing for so long is sent away
  std::chrono::milliseconds first_message{30'000};      // a stream that brings no message after this time is ended
  std::chrono::milliseconds stalled{60'000};            // so is one whose message began and got no further
  std::chrono::milliseconds ending{500};                // what is under way in a stream that is ended may take so long
  std::chrono::milliseconds keepalive{20'000};          // a silent connection is asked for a sign of life (>= 1 s),
  std::chrono::milliseconds keepalive_timeout{10'000};  // which must come within this
  // Refused and Unreachable about one peer come no more often, nor Troubled about one thing.
  std::chrono::milliseconds between_complaints{10'000};
};

struct TransportConfig {
  const identity::PrivateIdentity* self = nullptr;  // used by open() only
  // Where to listen; needed if a peer dials us and there is no relay, and nothing is bound if none does. Port 0: the
  // system chooses. "0.0.0.0" and "::" are every address of the machine.
  std::optional<identity::Address> listen;
  std::vector<PeerConfig> peers;
  // Where peers that dial us are waited for as well. Needed for dial_at_relay.
  std::optional<RelayPlace> relay;
  // What we dial, we dial through it, but for its exceptions.
  std::optional<Proxy> proxy;
  // What neighbours that dial us are told if they ask without opening a stream (doctor/doctor.h). Printable, short.
  std::string about;
  std::size_t max_message_bytes = std::size_t{64} << 20U;
  // The outgoing queue of each peer. A message goes in if both bounds hold afterwards, or if the queue is empty.
  std::size_t max_queued_messages = 8;
  std::size_t max_queued_bytes = std::size_t{128} << 20U;
  TransportTimes times;
};

// A new stream; whatever there was before is gone, with everything queued on it. send() reaches the new stream from the
// moment this has been taken, so that nothing meant for the old one is first on the new one.
struct Connected {
  AgentId peer;
};
// The stream ended. May come without a Connected before it, if a stream came and went before anybody looked.
struct Disconnected {
  AgentId peer;
  std::string why;
};
struct Arrived {
  AgentId peer;
  Bytes message;  // 1 byte to max_message_bytes
};
// Dialling failed; it goes on.
struct Unreachable {
  AgentId peer;
  std::string why;
};
// A stranger, or a neighbour that did what it must not. In the second case Disconnected comes, too.
struct Refused {
  std::string who;  // the peer's name, or an address
  std::string why;
};
// Something about listening that an operator should know: a flood of strangers, or that nobody can connect.
struct Troubled {
  std::string what;
};
using NetEvent = std::variant<Connected, Disconnected, Arrived, Unreachable, Refused, Troubled>;

struct TrafficCounters {
  std::uint64_t bytes_in = 0, bytes_out = 0;  // of messages and frame headers, without TLS and HTTP/2
  std::uint64_t messages_in = 0, messages_out = 0;
  std::uint64_t connections = 0;  // streams that were there
  std::uint64_t outages = 0;      // and ended
};

// Unsets every GRPC_* variable (some print plaintext), sets two (TLS 1.2 is ruled out, names are looked up by the
// system), and makes gRPC silent. For the beginning of main(), before there are other threads: it changes the
// environment. Transport::open calls it, too.
void prepare_process_for_transport();

// Calls are safe from any thread; next() is for one thread at a time.
class Transport {
 public:
  // Binds and begins to dial. Fails with kUsage: an address that is not this machine's, a port in use, two peers with
  // one id or certificate, no `listen` although a peer dials us.
  [[nodiscard]] static Result<std::unique_ptr<Transport>> open(const TransportConfig& config);

  // The next event, or nothing at `deadline`. Peers take turns; the events of one peer come in their order.
  [[nodiscard]] std::optional<NetEvent> next(std::chrono::steady_clock::time_point deadline);
  // Makes a next() that waits (or the one after) return nothing at once. For other threads that have news.
  void interrupt();

  enum class Sent : std::uint8_t {
    kQueued,        // it will be written, unless the stream ends before
    kNotConnected,  // no stream, or its Connected has not been taken yet
    kFull,          // the queue's bounds; the peer reads slowly. Nothing was queued
  };
  // 1 byte to max_message_bytes (checked). A message for several peers can be one buffer.
  [[nodiscard]] Sent send(AgentId to, std::shared_ptr<const Bytes> message);
  [[nodiscard]] Sent send(AgentId to, Bytes message);

  // Ends the current stream, if any; Disconnected follows. The peer is told `why` if the listening side says it. The
  // dialler dials again after a pause.
  void disconnect(AgentId peer, const std::string& why);

  // Waits until everything queued so far has been handed to the operating system or its stream has ended. False if
  // `deadline` came first. For a last Goodbye or Abort.
  [[nodiscard]] bool flush(std::chrono::steady_clock::time_point deadline);

  [[nodiscard]] bool connected(AgentId peer) const;
  // Whether something that was sent to it has not left yet.
  [[nodiscard]] bool busy(AgentId peer) const;
  [[nodiscard]] std::uint16_t listening_port() const;  // 0: does not listen
  [[nodiscard]] TrafficCounters traffic(AgentId peer) const;

  // Ends all streams, in order where the peers answer, and returns within a second or two.
  ~Transport();
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  Transport(Transport&&) = delete;
  Transport& operator=(Transport&&) = delete;

 private:
  class Core;
  explicit Transport(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_TRANSPORT_H_
