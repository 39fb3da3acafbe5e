#include <ppdnmf/net/words.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <ppdnmf/net/probe.h>

namespace ppdnmf::net {
namespace {

constexpr std::size_t kMaxBytes = 300;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

std::string printable(std::string_view text) {
  std::string out(text.substr(0, kMaxBytes));
  std::ranges::replace_if(
      out, [](char c) { return c < ' ' || c > '~'; }, '?');
  return out;
}

std::string words_for_handshake(std::string_view log) {
  if (has(log, "peer did not return a certificate")) return "it has no certificate";
  if (has(log, "certificate verify failed"))
    return "its certificate is not one of our neighbours', or is not valid at this machine's date";
  if (has(log, "no shared cipher") || has(log, "unsupported protocol")) return "it does not speak TLS 1.3";
  if (has(log, "wrong version number") || has(log, "http request")) return "it does not speak TLS";
  if (has(log, "Socket closed") || has(log, "Connection reset"))
    return "it closed the connection while TLS began: it may not accept our certificate";
  if (has(log, "timed out") || has(log, "Handshake timeout")) return "it connected and then said nothing";
  return "the TLS handshake with it failed: " + printable(log.substr(0, log.find(" {")));
}

std::string words_for_dialling(std::string_view status) {
  if (has(status, "certificate verify failed"))
    return "who answers there has another certificate than the consortium file says, or it is not valid at this "
           "machine's date";
  if (has(status, "Connection refused")) return "nobody listens there (connection refused)";
  if (has(status, "DNS resolution failed")) return "its name cannot be found: " + printable(status);
  if (has(status, "Socket closed") || has(status, "Connection reset") || has(status, "Endpoint read failed"))
    return "it answered and closed the connection: it may have another consortium file, or find our certificate not "
           "valid at its date";
  return printable(status);
}

Error words_for_listening(const identity::Address& address) {
  const std::string place = identity::text_of(address);
  const auto tried = try_to_listen(address);
  if (!tried) return {ErrorCode::kUsage, fmt::format("cannot listen at {}: {}", place, tried.error().message)};
  const int reason = *tried;
  const auto sentence = [&](std::string_view why) {
    return Error{ErrorCode::kUsage, fmt::format("cannot listen at {}: {}", place, why)};
  };
  if (reason == EADDRINUSE) return sentence("another program has this port; end it, or choose another with `listen`");
  if (reason == EADDRNOTAVAIL)
    return sentence(
        "this address is not one of this machine's; behind a router or proxy, say what to bind with `listen`");
  if (reason == EACCES) return sentence("ports below 1024 are not for everybody; choose another with `listen`");
  return sentence(reason == 0 ? "gRPC does not say why" : std::generic_category().message(reason));
}

}  // namespace ppdnmf::net
