#include <ppdnmf/consortium/internal/quoted.h>

#include <charconv>
#include <cstdint>

namespace ppdnmf::consortium::internal {

std::string quoted(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char letter : text) {
    const auto byte = static_cast<std::uint8_t>(letter);
    if (letter >= ' ' && letter <= '~' && letter != '"' && letter != '\\' && letter != '%') {
      out += letter;
    } else {
      out += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
  }
  return out + "\"";
}

std::optional<std::string> parse_quoted(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    std::uint8_t byte = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() != 2 || status != std::errc() || end != digits.data() + 2) return std::nullopt;
    out += static_cast<char>(byte);
    i += 2;
  }
  return out;
}

}  // namespace ppdnmf::consortium::internal
