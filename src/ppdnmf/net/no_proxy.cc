// The places that no_proxy lists (proxy.h).
#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

#include <ppdnmf/io/text.h>
#include <ppdnmf/net/proxy.h>

namespace ppdnmf::net {
namespace {

constexpr std::string_view kBetween = ", \t\r\n";

// Four bytes or sixteen; none if it is no address.
Bytes address_bytes(std::string_view host) {
  const std::string text(host);
  Bytes out(sizeof(in6_addr));
  if (inet_pton(AF_INET6, text.c_str(), out.data()) == 1) return out;
  out.resize(sizeof(in_addr));
  if (inet_pton(AF_INET, text.c_str(), out.data()) == 1) return out;
  return {};
}

std::optional<unsigned> number_in(std::string_view text) {
  unsigned out = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

struct Entry {
  std::string_view host;
  std::optional<unsigned> port;
  bool good = true;
};

// "host", "host:7443", "fd00::2", "[fd00::2]" or "[fd00::2]:7443".
Entry split(std::string_view text) {
  Entry out{text, std::nullopt};
  const std::size_t colon = text.rfind(':');
  const std::size_t bracket = text.rfind(']');
  const bool brackets = text.starts_with('[') && bracket != std::string_view::npos;
  const bool has_port =
      brackets ? bracket + 1 < text.size() : colon != std::string_view::npos && text.find(':') == colon;
  if (has_port) {
    out.port = number_in(text.substr(colon + 1));
    out.good = out.port && (!brackets || colon == bracket + 1);
    out.host = text.substr(0, colon);
  }
  if (brackets) out.host = text.substr(1, bracket - 1);
  return out;
}

bool is_in_network(const Bytes& place, std::string_view network) {
  const std::size_t slash = network.find('/');
  const Bytes base = address_bytes(network.substr(0, slash));
  const auto bits = number_in(network.substr(slash + 1));
  if (!bits || place.empty() || base.size() != place.size() || *bits > 8 * base.size()) return false;
  for (unsigned bit = 0; bit < *bits; ++bit) {
    const unsigned mask = 0x80U >> bit % 8;
    if ((base[bit / 8] & mask) != (place[bit / 8] & mask)) return false;
  }
  return true;
}

bool is_below(std::string_view place, std::string_view name) {
  if (name.starts_with("*.")) name.remove_prefix(1);
  if (name.starts_with('.')) name.remove_prefix(1);
  if (name.ends_with('.')) name.remove_suffix(1);
  if (name.empty() || !place.ends_with(name)) return false;
  return place.size() == name.size() || place[place.size() - name.size() - 1] == '.';
}

bool stands_for(std::string_view text, const identity::Address& place) {
  const Entry entry = split(text);
  if (!entry.good || (entry.port && *entry.port != place.port)) return false;
  if (entry.host == "*") return true;
  const Bytes there = address_bytes(place.host);
  if (entry.host.find('/') != std::string_view::npos) return is_in_network(there, entry.host);
  if (!there.empty()) return address_bytes(entry.host) == there;
  return is_below(place.host, io::lower(entry.host));
}

}  // namespace

bool is_excepted(const identity::Address& place, std::string_view list) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(kBetween), list.size());
    if (end > 0 && stands_for(list.substr(0, end), place)) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

std::optional<Proxy> proxy_for(const identity::Address& place, const std::optional<Proxy>& proxy) {
  if (!proxy || is_excepted(place, proxy->exceptions)) return std::nullopt;
  return proxy;
}

}  // namespace ppdnmf::net
