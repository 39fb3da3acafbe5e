#include <ppdnmf/base/encoding.h>

#include <algorithm>

namespace ppdnmf {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kHexDigits = "0123456789abcdef";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Four letters, `padding` of them '=', into 3 - padding bytes. False if they are not what base64() writes.
bool put_group(std::string_view letters, std::size_t padding, Bytes& out) {
  std::uint32_t group = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t digit = i < 4 - padding ? kDigits.find(letters[i]) : 0;
    if (digit == std::string_view::npos) return false;
    group = group << 6U | static_cast<std::uint32_t>(digit);
  }
  for (std::size_t j = 0; j < 3 - padding; ++j) out.push_back(static_cast<std::uint8_t>(group >> (16 - 8 * j)));
  return (group & ((1U << (8 * padding)) - 1)) == 0;
}

}  // namespace

std::string base64(ByteSpan bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) group = group << 8U | (j < count ? bytes[i + j] : 0U);
    for (std::size_t j = 0; j < 4; ++j) out += j <= count ? kDigits[group >> (18 - 6 * j) & 63U] : '=';
  }
  return out;
}

Result<Bytes> parse_base64(std::string_view text) {
  std::string letters;
  letters.reserve(text.size());
  std::copy_if(text.begin(), text.end(), std::back_inserter(letters), [](char c) { return !is_blank(c); });
  if (letters.size() % 4 != 0) return error(ErrorCode::kInvalidData, "its base64 is cut off");
  Bytes out;
  out.reserve(letters.size() / 4 * 3);
  for (std::size_t i = 0; i < letters.size(); i += 4) {
    const auto group = std::string_view(letters).substr(i, 4);
    const bool last = i + 4 == letters.size();
    const std::size_t padding = last ? static_cast<std::size_t>(std::count(group.begin() + 2, group.end(), '=')) : 0;
    if (!put_group(group, padding, out)) return error(ErrorCode::kInvalidData, "it is not base64");
  }
  return out;
}

std::string hex(const Digest& digest) {
  std::string out;
  for (const std::uint8_t byte : digest) {
    out += kHexDigits[byte >> 4U];
    out += kHexDigits[byte & 15U];
  }
  return out;
}

Result<Digest> parse_hex(std::string_view text) {
  Digest out{};
  if (text.size() != 2 * out.size()) {
    return error(ErrorCode::kInvalidData, "a SHA-256 digest has 64 hexadecimal digits, not {}", text.size());
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t high = kHexDigits.find(text[2 * i]);
    const std::size_t low = kHexDigits.find(text[2 * i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) {
      return error(ErrorCode::kInvalidData, "a SHA-256 digest has the digits 0 to 9 and a to f only");
    }
    out[i] = static_cast<std::uint8_t>(high << 4U | low);
  }
  return out;
}

std::string spoken(const Digest& digest) {
  std::string out;
  for (std::size_t i = 0; i < digest.size(); i += 4) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 4; ++j) group = group << 8U | digest[i + j];
    out += fmt::format("{}{:05}", i == 0 ? "" : " ", group % 100000);
  }
  return out;
}

}  // namespace ppdnmf
