// Where a member listens.
#ifndef PPDNMF_IDENTITY_ADDRESS_H_
#define PPDNMF_IDENTITY_ADDRESS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include <ppdnmf/base/result.h>

namespace ppdnmf::identity {

struct Address {
  std::string host;  // a name, an IPv4 address, or an IPv6 address without brackets; small letters
  std::uint16_t port = 0;
  friend bool operator==(const Address&, const Address&) = default;
};

// "host.example:7443", "10.0.0.1:7443", "[fd00::1]:7443". Fails with kUsage on anything else. Looks nothing up.
[[nodiscard]] Result<Address> parse_address(std::string_view text);
[[nodiscard]] std::string text_of(const Address& address);

// Whether the address is literally one of this machine's own: 127.x.y.z or ::1. Names do not count, whatever they mean
// to the resolver of the day.
[[nodiscard]] bool is_loopback(const Address& address);

}  // namespace ppdnmf::identity

#endif  // PPDNMF_IDENTITY_ADDRESS_H_
