#include <ppdnmf/io/text.h>

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

namespace ppdnmf::io {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f'; }

// What from_chars found beyond the doubles: told apart by the wider type, and beyond that one by the exponent's sign.
double outside_doubles(std::string_view text) {
  long double wide = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), wide);
  (void)end;
  bool small = wide > -1 && wide < 1;
  if (code != std::errc()) {
    const std::size_t exponent = text.find_first_of("eE");
    small = exponent != std::string_view::npos && text.substr(exponent).find('-') != std::string_view::npos;
  }
  const double magnitude = small ? 0.0 : std::numeric_limits<double>::infinity();
  return text.front() == '-' ? -magnitude : magnitude;
}

// The length of the UTF-8 sequence at the start of `text` (not empty), or 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first <= 0xDF   ? 2
                             : (first & 0xF0U) == 0xE0        ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool surrogate = first == 0xED && byte(1) >= 0xA0;
  const bool beyond = first == 0xF4 && byte(1) >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end != text.data() + text.size()) return std::nullopt;
  if (code == std::errc()) return value;
  if (code == std::errc::result_out_of_range) return outside_doubles(text);
  return std::nullopt;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || code != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

std::string_view as_text(ByteSpan bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (length == 0 || first < 0x20 || first == 0x7F) {
      out += '?';
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  if (text.size() <= kLongest) return fmt::format("'{}'", printable(text));
  std::size_t length = kLongest;
  while (length > kLongest - 4 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80) --length;
  return fmt::format("'{}...'", printable(text.substr(0, length)));
}

// Whether there is more than there was.
bool WordReader::refill() {
  if (!more_) return false;
  const std::size_t before = text_.size();
  auto more = more_(text_);
  if (!more) {
    problem_ = tl::unexpected(std::move(more).error());
    text_ = {};
    more_ = {};
    return false;
  }
  text_ = *more;
  return text_.size() > before;
}

void WordReader::skip_blanks() {
  bool in_comment = false;
  for (;;) {
    if (in_comment) {
      text_.remove_prefix(std::min(text_.find('\n'), text_.size()));
      in_comment = text_.empty();
    }
    while (!text_.empty() && is_blank(text_.front())) {
      if (text_.front() == '\n') ++line_;
      text_.remove_prefix(1);
    }
    if (text_.empty()) {
      if (!refill()) return;
    } else if (comment_ != '\0' && text_.front() == comment_) {
      in_comment = true;
    } else {
      return;
    }
  }
}

std::string_view WordReader::next() {
  skip_blanks();
  std::size_t length = 0;
  for (;;) {
    while (length < text_.size() && !is_blank(text_[length])) ++length;
    if (length < text_.size() || length == 0 || !refill()) break;
  }
  const std::string_view word = text_.substr(0, std::min(length, text_.size()));
  text_.remove_prefix(word.size());
  return word;
}

}  // namespace ppdnmf::io
