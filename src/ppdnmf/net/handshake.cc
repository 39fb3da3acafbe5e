// TLS by hand (probe.h).
#include <openssl/x509.h>

#include <array>

#include <ppdnmf/net/broken_pipes.h>
#include <ppdnmf/net/probe.h>
#include <ppdnmf/net/words.h>

namespace ppdnmf::net {
namespace {

enum class Step { kDone, kTooLate, kClosed, kRefused };

// Calls `act` until it is done, waiting for the socket in between.
template <typename Act>
Step carry_on(Link& link, Deadline deadline, Act act) {
  for (;;) {
    switch (act()) {
      case Link::Progress::kDone:
        return Step::kDone;
      case Link::Progress::kClosed:
        return Step::kClosed;
      case Link::Progress::kRefused:
        return Step::kRefused;
      case Link::Progress::kWait:
        if (wait_for(link.socket(), link.waits_to_read(), deadline) != Waited::kReady) return Step::kTooLate;
    }
  }
}

// In TLS 1.3 the other side says what it thinks of our certificate when we are done, with the first thing it says.
Status read_verdict(Link& link, Deadline deadline, bool& silent) {
  std::array<std::uint8_t, 64> first{};
  std::size_t got = 0;
  switch (carry_on(link, deadline, [&] { return link.read(first, got); })) {
    case Step::kDone:
      return {};
    case Step::kTooLate:
      silent = true;
      return error(ErrorCode::kPeer, "it says nothing after TLS was set up");
    case Step::kClosed:
      return error(ErrorCode::kPeer, "it closed the connection when it had seen this member's certificate");
    case Step::kRefused:
      break;
  }
  return error(ErrorCode::kPeer, "it does not accept this member's certificate ({})", link.why());
}

}  // namespace

std::string foreign_issuer(ByteSpan certificate) {
  const unsigned char* at = certificate.data();
  X509* const parsed = d2i_X509(nullptr, &at, static_cast<long>(certificate.size()));
  if (parsed == nullptr) return "nobody known";
  std::array<char, 200> text{};
  const bool by_itself = X509_NAME_cmp(X509_get_issuer_name(parsed), X509_get_subject_name(parsed)) == 0;
  X509_NAME_oneline(X509_get_issuer_name(parsed), text.data(), static_cast<int>(text.size()));
  X509_free(parsed);
  return by_itself ? "" : printable(text.data());
}

Result<Handshake> shake_hands(const io::Descriptor& socket, const identity::PrivateIdentity* self, Deadline deadline) {
  const NoBrokenPipes guard;
  Link link(socket.get(), TlsSide::client(self, "h2"));
  switch (carry_on(link, deadline, [&] { return link.shake(); })) {
    case Step::kDone:
      break;
    case Step::kTooLate:
      return error(ErrorCode::kPeer,
                   "it took the connection and says nothing: what listens there is not an agent, or it hangs, or large "
                   "packets are lost on the way");
    case Step::kClosed:
      return error(ErrorCode::kPeer, "it closed the connection while TLS began: what listens there is not an agent");
    case Step::kRefused:
      return error(ErrorCode::kPeer, "it does not speak TLS 1.3 ({}): what listens there is not an agent", link.why());
  }
  Handshake out;
  out.certificate = link.certificate();
  if (out.certificate.empty())
    return error(ErrorCode::kPeer, "it showed no certificate: what listens there is not an agent");
  out.accepted = read_verdict(link, deadline, out.silent);
  return out;
}

}  // namespace ppdnmf::net
