// HTTP proxies that connections are asked through (CONNECT, RFC 9110).
#ifndef PPDNMF_NET_PROXY_H_
#define PPDNMF_NET_PROXY_H_

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <ppdnmf/base/result.h>
#include <ppdnmf/identity/address.h>
#include <ppdnmf/io/descriptor.h>
#include <ppdnmf/net/link.h>

namespace ppdnmf::net {

struct Proxy {
  identity::Address address;
  std::string credentials;   // NAME:PASSWORD for it, secret; empty: none
  std::string exceptions{};  // places that are connected to without it, as no_proxy lists them (is_excepted)
};

// "HOST:PORT", or as the environment says it: "http://NAME:PASSWORD@HOST:PORT/". Names and passwords with other letters
// are written with % and two digits. Fails with kUsage; the sentence does not repeat a password.
[[nodiscard]] Result<Proxy> parse_proxy(std::string_view text);
// What https_proxy says, or HTTPS_PROXY, but for the places of no_proxy, or NO_PROXY. Fails with kUsage if neither
// names a proxy, or what parse_proxy refuses.
[[nodiscard]] Result<Proxy> proxy_from_environment();

// Whether the list, with commas or blanks between its entries, has this place: a name stands for itself and all names
// below it, with "." or "*." in front or without; an address for itself, however it is spelt; ADDRESS/BITS for a
// network; "*" for everything; and each with :PORT for this port alone. No name is looked up, so that networks are for
// places that are addresses. Entries that are none of these stand for nothing.
[[nodiscard]] bool is_excepted(const identity::Address& place, std::string_view list);
// The proxy on the way to `place`: none if there is none, or it makes an exception.
[[nodiscard]] std::optional<Proxy> proxy_for(const identity::Address& place, const std::optional<Proxy>& proxy);

// What is asked of a proxy.
[[nodiscard]] std::string connect_request(const identity::Address& place, const Proxy& proxy);
// Longer heads of answers are refused.
inline constexpr std::size_t kMaxProxyAnswer = 8192;
// The number in the first line of an answer, 100 to 599. Fails with kPeer: it is no answer of a proxy.
[[nodiscard]] Result<int> status_of_answer(std::string_view head);
// Why nothing passes after this answer; `place` is where it was to go.
[[nodiscard]] std::string words_for_answer(int status, const std::string& place);

// A connection to `place`, through the proxy_for() it. `stop` as for wait_for(). Fails with kPeer: names cannot
// be found, nobody answers, the proxy does not let it through; the sentence names the proxy, and not the place.
[[nodiscard]] Result<io::Descriptor> connect_by(const identity::Address& place, const std::optional<Proxy>& proxy,
                                                Deadline deadline, int stop = -1);

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_PROXY_H_
