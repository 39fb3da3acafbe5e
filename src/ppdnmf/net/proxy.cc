#include <ppdnmf/net/proxy.h>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/net/probe.h>

namespace ppdnmf::net {
namespace {

constexpr std::size_t kMaxCredentials = 512;

// '%' and two digits as the letter they mean; nothing if they are no digits.
std::optional<std::string> without_percents(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const std::string_view digits = text.substr(i + 1, 2);
    unsigned letter = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), letter, 16);
    if (digits.size() != 2 || status != std::errc() || end != digits.data() + 2) return std::nullopt;
    out += static_cast<char>(letter);
    i += 2;
  }
  return out;
}

std::string variable(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? "" : text;
}

Status send_all(Link& link, std::string_view text, Deadline deadline, int stop) {
  while (!text.empty()) {
    std::size_t written = 0;
    const auto progress = link.write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, written);
    text.remove_prefix(written);
    if (progress == Link::Progress::kDone) continue;
    if (progress != Link::Progress::kWait || wait_for(link.socket(), POLLOUT, deadline, stop) != Waited::kReady)
      return error(ErrorCode::kPeer, "closed the connection, or takes nothing");
  }
  return {};
}

// Up to the empty line, and not a byte more: what follows belongs to whoever is behind the proxy.
Result<std::string> read_head(Link& link, Deadline deadline, int stop) {
  std::string head;
  while (!head.ends_with("\r\n\r\n") && !head.ends_with("\n\n")) {
    if (head.size() >= kMaxProxyAnswer) return error(ErrorCode::kPeer, "answers with more than a head of HTTP");
    std::uint8_t letter = 0;
    std::size_t got = 0;
    const auto progress = link.read({&letter, 1}, got);
    if (got == 1) head += static_cast<char>(letter);
    if (progress == Link::Progress::kDone) continue;
    if (progress != Link::Progress::kWait) return error(ErrorCode::kPeer, "closed the connection without an answer");
    if (wait_for(link.socket(), POLLIN, deadline, stop) != Waited::kReady)
      return error(ErrorCode::kPeer, "took the connection and does not answer: what listens there may be no proxy");
  }
  return head;
}

Status ask(const io::Descriptor& socket, const identity::Address& place, const Proxy& proxy, Deadline deadline,
           int stop) {
  Link link(socket.get(), nullptr);
  PPDNMF_TRY_STATUS(send_all(link, connect_request(place, proxy), deadline, stop));
  PPDNMF_TRY(const std::string head, read_head(link, deadline, stop));
  PPDNMF_TRY(const int status, status_of_answer(head));
  if (status / 100 == 2) return {};
  return error(ErrorCode::kPeer, "{}", words_for_answer(status, identity::text_of(place)));
}

}  // namespace

Result<Proxy> parse_proxy(std::string_view text) {
  Proxy out;
  constexpr std::string_view kScheme = "http://";
  if (text.starts_with(kScheme)) text.remove_prefix(kScheme.size());
  if (text.ends_with('/')) text.remove_suffix(1);
  const std::size_t sign = text.rfind('@');
  if (sign != std::string_view::npos) {
    const auto credentials = without_percents(text.substr(0, sign));
    text.remove_prefix(sign + 1);
    const bool printable = credentials && std::all_of(credentials->begin(), credentials->end(),
                                                      [](char c) { return c >= ' ' && c != '\x7f'; });
    if (!printable || credentials->size() > kMaxCredentials || credentials->find(':') == std::string::npos) {
      return error(
          ErrorCode::kUsage,
          "what stands before the @ of the proxy is not NAME:PASSWORD, with % and two digits for other letters");
    }
    out.credentials = *credentials;
  }
  auto address = identity::parse_address(text);
  if (!address) {
    return error(ErrorCode::kUsage, "{} (a proxy is written HOST:PORT or http://HOST:PORT)", address.error().message);
  }
  out.address = *std::move(address);
  return out;
}

Result<Proxy> proxy_from_environment() {
  for (const char* name : {"https_proxy", "HTTPS_PROXY"}) {
    const std::string text = variable(name);
    if (text.empty()) continue;
    auto proxy = parse_proxy(text);
    if (!proxy) return at(name, std::move(proxy).error());
    proxy->exceptions = variable("no_proxy");
    if (proxy->exceptions.empty()) proxy->exceptions = variable("NO_PROXY");
    return proxy;
  }
  return error(ErrorCode::kUsage, "the environment names no proxy: set https_proxy, or write HOST:PORT");
}

std::string connect_request(const identity::Address& place, const Proxy& proxy) {
  const std::string there = identity::text_of(place);
  std::string out = fmt::format("CONNECT {0} HTTP/1.1\r\nHost: {0}\r\n", there);
  if (!proxy.credentials.empty()) {
    const auto* letters = reinterpret_cast<const std::uint8_t*>(proxy.credentials.data());
    out += fmt::format("Proxy-Authorization: Basic {}\r\n", base64({letters, proxy.credentials.size()}));
  }
  return out + "\r\n";
}

Result<int> status_of_answer(std::string_view head) {
  // "HTTP/1.1 200 Connection established"
  const auto wrong = [] {
    return error(ErrorCode::kPeer, "does not answer as an HTTP proxy: what listens there is something else");
  };
  if (!head.starts_with("HTTP/1.") || head.size() < 12 || head[8] != ' ') return wrong();
  int status = 0;
  const auto [end, parsed] = std::from_chars(head.data() + 9, head.data() + 12, status);
  const bool ended = head.size() == 12 || head[12] == ' ' || head[12] == '\r' || head[12] == '\n';
  if (parsed != std::errc() || end != head.data() + 12 || !ended || status < 100 || status > 599) return wrong();
  return status;
}

std::string words_for_answer(int status, const std::string& place) {
  switch (status) {
    case 407:
      return fmt::format(
          "wants a name and a password (407) before it lets anything through to {}: set "
          "https_proxy=http://NAME:PASSWORD@HOST:PORT and give `proxy=env`",
          place);
    case 401:
    case 403:
    case 405:
      return fmt::format(
          "does not let this machine through to {} ({}): ask whoever runs it to allow CONNECT to this place and port",
          place, status);
    case 502:
    case 503:
    case 504:
      return fmt::format("cannot reach {} itself ({})", place, status);
    default:
      return fmt::format("does not let this machine through to {}: it answers {}", place, status);
  }
}

Result<io::Descriptor> connect_by(const identity::Address& place, const std::optional<Proxy>& given, Deadline deadline,
                                  int stop) {
  const std::optional<Proxy> proxy = proxy_for(place, given);
  const identity::Address& first = proxy ? proxy->address : place;
  const std::string name = "the proxy at " + identity::text_of(first);
  const auto list = look_up(first, false);
  if (!list) return proxy ? at(name, Error(list.error())) : tl::unexpected(list.error());
  auto socket = connect_to(list->get(), deadline);
  if (!socket && proxy) return at(name, std::move(socket).error());
  if (!socket) return socket;
  const int yes = 1;
  setsockopt(socket->get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (!proxy) return socket;
  if (auto let = ask(*socket, place, *proxy, deadline, stop); !let)
    return error(ErrorCode::kPeer, "{} {}", name, let.error().message);
  return socket;
}

}  // namespace ppdnmf::net
