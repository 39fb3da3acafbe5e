#include <ppdnmf/identity/address.h>

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>

#include <ppdnmf/io/text.h>

namespace ppdnmf::identity {
namespace {

constexpr std::size_t kMaxHostBytes = 253;

// An address has many spellings; the one that inet_ntop chooses, or nothing if it is no address.
std::string usual_ipv6(const std::string& host) {
  in6_addr address{};
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (::inet_pton(AF_INET6, host.c_str(), &address) != 1) return {};
  return ::inet_ntop(AF_INET6, &address, text.data(), text.size()) != nullptr ? text.data() : "";
}

bool is_ipv4(const std::string& host) {
  in_addr ignored{};
  return ::inet_pton(AF_INET, host.c_str(), &ignored) == 1;
}

// Labels of letters, digits and inner '-', separated by dots; the last one no number, or it would be a misspelt
// address.
bool is_host_name(std::string_view host) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  bool number = true;
  for (std::size_t i = 0; i < host.size(); ++i) {
    const char c = host[i];
    const bool edge = i == 0 || host[i - 1] == '.' || i + 1 == host.size() || host[i + 1] == '.';
    if (c == '.') {
      if (edge) return false;  // at an end, or beside another dot
      number = true;
    } else if (!is_letter(c) && !is_digit(c) && (c != '-' || edge)) {
      return false;
    } else if (!is_digit(c)) {
      number = false;
    }
  }
  return !host.empty() && !number;
}

}  // namespace

Result<Address> parse_address(std::string_view text) {
  const auto wrong = [&] {
    return error(ErrorCode::kUsage, "{} is no address: write HOST:PORT, as site-a.example:7443 or [fd00::1]:7443",
                 io::in_quotes(text));
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || colon > kMaxHostBytes + 2) return wrong();
  const std::string_view digits = text.substr(colon + 1);
  Address out;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), out.port);
  if (status != std::errc() || end != digits.data() + digits.size() || out.port == 0 || digits[0] == '0')
    return wrong();
  std::string_view host = text.substr(0, colon);
  const bool brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (brackets) host = host.substr(1, host.size() - 2);
  out.host = io::lower(host);
  if (out.host.size() > kMaxHostBytes || out.host.find('\0') != std::string::npos) return wrong();
  if (brackets) out.host = usual_ipv6(out.host);
  if (brackets ? out.host.empty() : !is_ipv4(out.host) && !is_host_name(out.host)) return wrong();
  return out;
}

std::string text_of(const Address& address) {
  const bool brackets = address.host.find(':') != std::string::npos;
  return brackets ? fmt::format("[{}]:{}", address.host, address.port)
                  : fmt::format("{}:{}", address.host, address.port);
}

bool is_loopback(const Address& address) {
  in_addr four{};
  if (::inet_pton(AF_INET, address.host.c_str(), &four) == 1) return ntohl(four.s_addr) >> 24U == 127;
  in6_addr six{};
  constexpr std::array<std::uint8_t, 16> kOne = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  return ::inet_pton(AF_INET6, address.host.c_str(), &six) == 1 &&
         std::equal(kOne.begin(), kOne.end(), static_cast<const std::uint8_t*>(six.s6_addr));
}

}  // namespace ppdnmf::identity
