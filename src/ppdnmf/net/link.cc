#include <ppdnmf/net/link.h>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <ppdnmf/net/words.h>

namespace ppdnmf::net {
namespace {

template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Text = std::unique_ptr<BIO, Freed<BIO_free>>;

void show_certificate(SSL_CTX* context, const identity::PrivateIdentity& self) {
  const std::string pem = self.public_identity().certificate_pem();
  const Text text(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  const Certificate certificate(PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr));
  const crypto::SecretBytes secret = self.reveal_tls_key_pem();
  const Text key_text(BIO_new_mem_buf(secret.data(), static_cast<int>(secret.size())));
  const Key key(PEM_read_bio_PrivateKey(key_text.get(), nullptr, nullptr, nullptr));
  PPDNMF_CHECK(certificate && key && SSL_CTX_use_certificate(context, certificate.get()) == 1 &&
               SSL_CTX_use_PrivateKey(context, key.get()) == 1);
}

// The only protocol that is spoken here, or the handshake fails.
int choose_protocol(SSL* /*session*/, const unsigned char** out, unsigned char* size, const unsigned char* offered,
                    unsigned offered_size, void* own) {
  const auto& protocol = *static_cast<const std::string*>(own);
  unsigned char* chosen = nullptr;
  const int found = SSL_select_next_proto(&chosen, size, reinterpret_cast<const unsigned char*>(protocol.data()),
                                          static_cast<unsigned>(protocol.size()), offered, offered_size);
  *out = chosen;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

SSL_CTX* make_context(const SSL_METHOD* method) {
  SSL_CTX* const context = SSL_CTX_new(method);
  PPDNMF_CHECK(context != nullptr && SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1);
  SSL_CTX_set_mode(context,
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  return context;
}

std::string last_reason() {
  const unsigned long code = ERR_peek_last_error();
  const char* const reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  return reason == nullptr ? "no reason is given" : printable(reason);
}

}  // namespace

TlsSide::TlsSide(ssl_ctx_st* context, bool server, std::string_view protocol)
    : context_(context), server_(server), protocol_(1, static_cast<char>(protocol.size())) {
  protocol_ += protocol;
}

TlsSide::~TlsSide() { SSL_CTX_free(context_); }

std::shared_ptr<const TlsSide> TlsSide::client(const identity::PrivateIdentity* self, std::string_view protocol) {
  SSL_CTX* const context = make_context(TLS_client_method());
  std::shared_ptr<const TlsSide> side(new TlsSide(context, false, protocol));
  SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nullptr);
  PPDNMF_CHECK(SSL_CTX_set_alpn_protos(context, reinterpret_cast<const unsigned char*>(side->protocol_.data()),
                                       static_cast<unsigned>(side->protocol_.size())) == 0);
  if (self != nullptr) show_certificate(context, *self);
  return side;
}

std::shared_ptr<const TlsSide> TlsSide::server(const identity::PrivateIdentity& self, std::string_view protocol) {
  SSL_CTX* const context = make_context(TLS_server_method());
  std::shared_ptr<TlsSide> side(new TlsSide(context, true, protocol));
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  SSL_CTX_set_cert_verify_callback(
      context, [](X509_STORE_CTX*, void*) { return 1; }, nullptr);
  SSL_CTX_set_num_tickets(context, 0);  // every connection begins anew
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_alpn_select_cb(context, choose_protocol, &side->protocol_);
  show_certificate(context, self);
  return side;
}

Link::Link(int socket, std::shared_ptr<const TlsSide> side) : socket_(socket), side_(std::move(side)) {
  if (!side_) return;
  session_ = SSL_new(side_->context());
  PPDNMF_CHECK(session_ != nullptr && SSL_set_fd(session_, socket) == 1);
  if (side_->is_server()) {
    SSL_set_accept_state(session_);
  } else {
    SSL_set_connect_state(session_);
  }
}

Link::Link(Link&& other) noexcept
    : socket_(other.socket_),
      side_(std::move(other.side_)),
      session_(std::exchange(other.session_, nullptr)),
      to_read_(other.to_read_),
      to_write_(other.to_write_),
      why_(std::move(other.why_)) {}

Link::~Link() { SSL_free(session_); }

// What OpenSSL said, and what the next attempt waits for.
Link::Progress Link::judge(int result, short& waits) {
  switch (SSL_get_error(session_, result)) {
    case SSL_ERROR_WANT_READ:
      waits = POLLIN;
      return Progress::kWait;
    case SSL_ERROR_WANT_WRITE:
      waits = POLLOUT;
      return Progress::kWait;
    case SSL_ERROR_SSL:
      // Who hangs up without a word is told of like this, too.
      if (ERR_GET_REASON(ERR_peek_last_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING) return Progress::kClosed;
      why_ = last_reason();
      return Progress::kRefused;
    default:
      return Progress::kClosed;
  }
}

Link::Progress Link::shake() {
  if (session_ == nullptr) return Progress::kDone;
  ERR_clear_error();
  const int result = SSL_do_handshake(session_);
  return result == 1 ? Progress::kDone : judge(result, to_read_);
}

Link::Progress Link::read(std::span<std::uint8_t> into, std::size_t& got) {
  got = 0;
  if (session_ != nullptr) {
    ERR_clear_error();
    to_read_ = POLLIN;
    const int result = SSL_read_ex(session_, into.data(), into.size(), &got);
    return result == 1 ? Progress::kDone : judge(result, to_read_);
  }
  const ssize_t came = ::recv(socket_, into.data(), into.size(), 0);
  if (came > 0) {
    got = static_cast<std::size_t>(came);
    return Progress::kDone;
  }
  return came < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? Progress::kWait : Progress::kClosed;
}

Link::Progress Link::write(ByteSpan bytes, std::size_t& written) {
  written = 0;
  if (session_ != nullptr) {
    ERR_clear_error();
    to_write_ = POLLOUT;
    const int result = SSL_write_ex(session_, bytes.data(), bytes.size(), &written);
    return result == 1 ? Progress::kDone : judge(result, to_write_);
  }
  const ssize_t left = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (left >= 0) {
    written = static_cast<std::size_t>(left);
    return Progress::kDone;
  }
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? Progress::kWait : Progress::kClosed;
}

void Link::finish() {
  if (session_ != nullptr && SSL_is_init_finished(session_) == 1) (void)SSL_shutdown(session_);
  ERR_clear_error();
}

// Not SSL_has_pending(), which counts the beginning of a record that is still to come.
bool Link::holds_bytes() const { return session_ != nullptr && SSL_pending(session_) > 0; }

Bytes Link::certificate() const {
  const Certificate seen(session_ == nullptr ? nullptr : SSL_get1_peer_certificate(session_));
  if (!seen) return {};
  Bytes der(static_cast<std::size_t>(std::max(0, i2d_X509(seen.get(), nullptr))));
  unsigned char* at = der.data();
  i2d_X509(seen.get(), &at);
  return der;
}

Flow::State Flow::move(Link& from, Link& to) {
  if (has_room()) {
    if (written_ > 0) {
      bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(written_));
      written_ = 0;
    }
    const std::size_t before = bytes_.size();
    bytes_.resize(kRoom);
    std::size_t got = 0;
    const Link::Progress progress = from.read(std::span(bytes_).subspan(before), got);
    bytes_.resize(before + got);
    moved_ += got;
    ended_ = progress == Link::Progress::kClosed || progress == Link::Progress::kRefused;
  }
  if (has_bytes()) {
    std::size_t gone = 0;
    const Link::Progress progress = to.write(ByteSpan(bytes_).subspan(written_), gone);
    written_ += gone;
    if (progress == Link::Progress::kClosed || progress == Link::Progress::kRefused) {
      ended_ = true;
      bytes_.clear();
      written_ = 0;
    }
  }
  return ended_ && !has_bytes() ? State::kOver : State::kGoesOn;
}

bool move_both(Flow& there, Flow& back, Link& here, Link& far) {
  const bool there_over = there.move(here, far) == Flow::State::kOver;
  const bool back_over = back.move(far, here) == Flow::State::kOver;
  // The last words of the one are still passed on while the other cannot take them.
  return (!there_over || back.has_bytes()) && (!back_over || there.has_bytes());
}

Waited wait_for(int socket, short events, Deadline deadline, int stop) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    std::array<pollfd, 2> watched = {{{socket, events, 0}, {stop, POLLIN, 0}}};
    const int found =
        poll(watched.data(), watched.size(), static_cast<int>(std::clamp<std::int64_t>(left, 0, 3'600'000)));
    if (watched[1].revents != 0) return Waited::kStopped;
    if (found > 0) return Waited::kReady;
    if (found == 0 && left <= 3'600'000) return Waited::kTooLate;
  }
}

}  // namespace ppdnmf::net
