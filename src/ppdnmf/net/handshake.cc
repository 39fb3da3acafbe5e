// TLS by hand (net/internal/probe.h).
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <csignal>

#include <ppdnmf/net/probe.h>
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
using Context = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;
using Session = std::unique_ptr<SSL, Freed<SSL_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Text = std::unique_ptr<BIO, Freed<BIO_free>>;

// OpenSSL writes to sockets as to files: a peer that has closed its end must not end this process.
class NoBrokenPipes {
 public:
  NoBrokenPipes() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  NoBrokenPipes(const NoBrokenPipes&) = delete;
  NoBrokenPipes& operator=(const NoBrokenPipes&) = delete;
  NoBrokenPipes(NoBrokenPipes&&) = delete;
  NoBrokenPipes& operator=(NoBrokenPipes&&) = delete;
  ~NoBrokenPipes() {
    const timespec at_once{};
    while (sigtimedwait(&pipe_, nullptr, &at_once) > 0) continue;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_{}, before_{};
};

std::string last_reason() {
  const unsigned long code = ERR_peek_last_error();
  const char* const reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  return reason == nullptr ? "no reason is given" : printable(reason);
}

void show_certificate(SSL_CTX& context, const identity::PrivateIdentity& self) {
  const std::string pem = self.public_identity().certificate_pem();
  const Text text(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  const Certificate certificate(PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr));
  const crypto::SecretBytes secret = self.reveal_tls_key_pem();
  const Text key_text(BIO_new_mem_buf(secret.data(), static_cast<int>(secret.size())));
  const Key key(PEM_read_bio_PrivateKey(key_text.get(), nullptr, nullptr, nullptr));
  PPDNMF_CHECK(certificate && key && SSL_CTX_use_certificate(&context, certificate.get()) == 1 &&
               SSL_CTX_use_PrivateKey(&context, key.get()) == 1);
}

Context make_context(const identity::PrivateIdentity* self) {
  Context context(SSL_CTX_new(TLS_client_method()));
  PPDNMF_CHECK(context && SSL_CTX_set_min_proto_version(context.get(), TLS1_3_VERSION) == 1);
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_NONE, nullptr);  // who it is, is looked at afterwards, byte for byte
  static constexpr std::array<unsigned char, 3> kHttp2 = {2, 'h', '2'};
  PPDNMF_CHECK(SSL_CTX_set_alpn_protos(context.get(), kHttp2.data(), kHttp2.size()) == 0);
  if (self != nullptr) show_certificate(*context, *self);
  return context;
}

enum class Step { kDone, kTooLate, kClosed, kRefused };

// Calls `act` until it is done, waiting for the socket in between.
template <typename Act>
Step carry_on(SSL* session, const io::Descriptor& socket, Deadline deadline, Act act) {
  for (;;) {
    ERR_clear_error();
    const int result = act();
    if (result > 0) return Step::kDone;
    const int why = SSL_get_error(session, result);
    if (why == SSL_ERROR_SSL) return Step::kRefused;
    if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE) return Step::kClosed;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    pollfd waiting{socket.get(), static_cast<short>(why == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT), 0};
    if (poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(left, 0))) <= 0) return Step::kTooLate;
  }
}

// In TLS 1.3 the other side says what it thinks of our certificate when we are done, with the first thing it says.
Status read_verdict(SSL* session, const io::Descriptor& socket, Deadline deadline) {
  std::array<char, 64> first{};
  switch (carry_on(session, socket, deadline, [&] { return SSL_read(session, first.data(), first.size()); })) {
    case Step::kDone:
      return {};
    case Step::kTooLate:
      return error(ErrorCode::kPeer, "TLS was set up, and then nothing came: what listens there is not an agent");
    case Step::kClosed:
      return error(ErrorCode::kPeer, "it closed the connection when it had seen this member's certificate");
    case Step::kRefused:
      break;
  }
  return error(ErrorCode::kPeer, "it does not accept this member's certificate ({})", last_reason());
}

}  // namespace

Result<Handshake> shake_hands(const io::Descriptor& socket, const identity::PrivateIdentity* self, Deadline deadline) {
  const NoBrokenPipes guard;
  const Context context = make_context(self);
  const Session session(SSL_new(context.get()));
  PPDNMF_CHECK(session && SSL_set_fd(session.get(), socket.get()) == 1);
  switch (carry_on(session.get(), socket, deadline, [&] { return SSL_connect(session.get()); })) {
    case Step::kDone:
      break;
    case Step::kTooLate:
      return error(ErrorCode::kPeer, "it took the connection and says nothing: what listens there is not an agent");
    case Step::kClosed:
      return error(ErrorCode::kPeer, "it closed the connection while TLS began: what listens there is not an agent");
    case Step::kRefused:
      return error(ErrorCode::kPeer, "it does not speak TLS 1.3 ({}): what listens there is not an agent",
                   last_reason());
  }
  const Certificate seen(SSL_get1_peer_certificate(session.get()));
  if (!seen) return error(ErrorCode::kPeer, "it showed no certificate: what listens there is not an agent");
  Handshake out;
  out.certificate.resize(static_cast<std::size_t>(std::max(0, i2d_X509(seen.get(), nullptr))));
  unsigned char* at = out.certificate.data();
  i2d_X509(seen.get(), &at);
  out.accepted = read_verdict(session.get(), socket, deadline);
  return out;
}

}  // namespace ppdnmf::net
