// A connection that does not block, with TLS 1.3 by hand or without: what the probe, a member on its way to a relay and
// the relay itself share. One thread at a time.
#ifndef PPDNMF_NET_LINK_H_
#define PPDNMF_NET_LINK_H_

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/identity/private_identity.h>

struct ssl_ctx_st;
struct ssl_st;

namespace ppdnmf::net {

// Who we are in TLS connections of one kind. Immutable; may be shared by links of several threads.
class TlsSide {
 public:
  // Shows the certificate of `self`, or none. `protocol` is what is spoken inside (ALPN). Neither side judges the
  // other's certificate: Link::certificate() is to be compared, byte for byte.
  [[nodiscard]] static std::shared_ptr<const TlsSide> client(const identity::PrivateIdentity* self,
                                                             std::string_view protocol);
  // Demands a certificate, and a client that speaks `protocol`.
  [[nodiscard]] static std::shared_ptr<const TlsSide> server(const identity::PrivateIdentity& self,
                                                             std::string_view protocol);
  ~TlsSide();
  TlsSide(const TlsSide&) = delete;
  TlsSide& operator=(const TlsSide&) = delete;
  TlsSide(TlsSide&&) = delete;
  TlsSide& operator=(TlsSide&&) = delete;
  [[nodiscard]] ssl_ctx_st* context() const { return context_; }
  [[nodiscard]] bool is_server() const { return server_; }
  [[nodiscard]] const std::string& protocol() const { return protocol_; }

 private:
  TlsSide(ssl_ctx_st* context, bool server, std::string_view protocol);
  ssl_ctx_st* context_;
  bool server_;
  std::string protocol_;  // as ALPN writes it
};

class Link {
 public:
  enum class Progress : std::uint8_t {
    kDone,
    kWait,     // poll the socket for waits_to_read() or waits_to_write()
    kClosed,   // the other side or the network ended it
    kRefused,  // what came is not TLS as it must be; why() says more
  };
  // The socket is not blocking, and its owner keeps it open for longer than this. Null: no TLS. Whoever uses links has
  // SIGPIPE ignored or blocked.
  Link(int socket, std::shared_ptr<const TlsSide> side);
  Link(Link&&) noexcept;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  Link& operator=(Link&&) = delete;
  ~Link();

  // TLS's beginning. Done at once without TLS.
  [[nodiscard]] Progress shake();
  // kDone: at least one byte.
  [[nodiscard]] Progress read(std::span<std::uint8_t> into, std::size_t& got);
  [[nodiscard]] Progress write(ByteSpan bytes, std::size_t& written);
  // Says to the other side that nothing follows, if it can be said at once.
  void finish();

  [[nodiscard]] short waits_to_read() const { return to_read_; }
  [[nodiscard]] short waits_to_write() const { return to_write_; }
  // Bytes are here that read() gives at once, and that poll() does not know of.
  [[nodiscard]] bool holds_bytes() const;
  // Of the other side, as DER; empty if it showed none.
  [[nodiscard]] Bytes certificate() const;
  [[nodiscard]] std::string why() const { return why_; }
  [[nodiscard]] int socket() const { return socket_; }

 private:
  [[nodiscard]] Progress judge(int result, short& waits);

  int socket_;
  std::shared_ptr<const TlsSide> side_;
  ssl_st* session_ = nullptr;
  short to_read_ = POLLIN, to_write_ = POLLOUT;
  std::string why_;
};

// One direction between two links. At most kRoom bytes are under way: no more is read before they are written, so that
// whoever is slow holds up its partner and nobody's memory.
class Flow {
 public:
  static constexpr std::size_t kRoom = std::size_t{64} << 10U;
  enum class State : std::uint8_t {
    kGoesOn,
    kOver
  };  // over: the source has ended and all is written, or nothing can be

  Flow() = default;
  explicit Flow(Bytes first) : bytes_(std::move(first)) {}
  // Reads and writes what can be without waiting, once each.
  [[nodiscard]] State move(Link& from, Link& to);
  [[nodiscard]] bool has_room() const { return !ended_ && bytes_.size() - written_ < kRoom; }
  [[nodiscard]] bool has_bytes() const { return written_ < bytes_.size(); }
  [[nodiscard]] std::uint64_t moved() const { return moved_; }

 private:
  Bytes bytes_;
  std::size_t written_ = 0;
  std::uint64_t moved_ = 0;
  bool ended_ = false;
};

// Both directions between two links. False: one side has ended, and what came from it is written as far as can be.
[[nodiscard]] bool move_both(Flow& there, Flow& back, Link& here, Link& far);

using Deadline = std::chrono::steady_clock::time_point;
enum class Waited : std::uint8_t { kReady, kTooLate, kStopped };
// Until the socket has one of `events`, or `stop` (a descriptor that becomes readable; negative: none).
[[nodiscard]] Waited wait_for(int socket, short events, Deadline deadline, int stop = -1);

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_LINK_H_
