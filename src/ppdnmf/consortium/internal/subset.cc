#include <ppdnmf/consortium/internal/subset.h>

#include <algorithm>

#include <ppdnmf/io/text.h>

namespace ppdnmf::consortium::internal {
namespace {

constexpr std::string_view kTextMark = R"(""")";
constexpr std::string_view kNameLetters = "abcdefghijklmnopqrstuvwxyz0123456789_";
constexpr std::string_view kBase64Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/= \t\r";
constexpr std::string_view kValueLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 \t\"[],.:+-_";

bool only(std::string_view text, std::string_view letters) { return text.find_first_not_of(letters) == text.npos; }

bool is_printable(std::string_view line) {
  return std::all_of(line.begin(), line.end(), [](char c) { return c == '\t' || (c >= ' ' && c <= '~'); });
}

// Without a comment at its end and blanks around it. A '#' inside quotation marks starts none and stays.
std::string_view without_comment(std::string_view line) {
  const std::size_t sign = line.find('#');
  if (sign == line.npos || std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(sign), '"') % 2 != 0)
    return io::trim(line);
  return io::trim(line.substr(0, sign));
}

// [name] or [[name]].
bool is_header(std::string_view line) {
  const std::size_t brackets = line.starts_with("[[") ? 2 : 1;
  if (line.size() <= 2 * brackets || !line.ends_with(brackets == 2 ? "]]" : "]")) return false;
  return line.front() == '[' && only(line.substr(brackets, line.size() - 2 * brackets), kNameLetters);
}

// name = value; the value is judged by toml++, but has no letter that only what we do not have needs.
bool is_entry(std::string_view line) {
  const std::size_t sign = line.find('=');
  if (sign == line.npos) return false;
  const std::string_view name = io::trim(line.substr(0, sign));
  const std::string_view value = io::trim(line.substr(sign + 1));
  return !name.empty() && only(name, kNameLetters) && !value.empty() && only(value, kValueLetters);
}

// One text with any letters that need no escape, and a comma.
bool is_text_line(std::string_view line) {
  if (line.ends_with(',')) line = io::trim(line.substr(0, line.size() - 1));
  if (line.size() < 2 || line.front() != '"' || line.back() != '"') return false;
  return line.substr(1, line.size() - 2).find_first_of("\"\\\t") == line.npos;
}

// "name", or ["name", "name"], or the list's end.
bool is_list_line(std::string_view line) {
  if (is_text_line(line)) return true;
  if (!only(line, kValueLetters)) return false;
  const std::string_view rest = line.front() == '[' ? io::trim(line.substr(1)) : line;
  return rest.starts_with('"') || line.front() == ']';
}

}  // namespace

Status check_subset(std::string_view text) {
  std::size_t number = 0;
  bool inside = false;  // of """
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, size);
    text.remove_prefix(std::min(size + 1, text.size()));
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() > kMaxLineBytes) {
      return error(ErrorCode::kInvalidData, "line {}: is longer than {} bytes: break it, one edge per line", number,
                   kMaxLineBytes);
    }
    if (!is_printable(line)) {
      return error(ErrorCode::kInvalidData,
                   "line {}: has a letter that is not ASCII: write it without, also in comments", number);
    }
    const std::string_view content = inside ? io::trim(line) : without_comment(line);
    bool right = content.empty();
    if (inside) {
      right = content == kTextMark || only(content, kBase64Letters);
      inside = content != kTextMark;
    } else if (!right) {
      const std::size_t mark = content.find(kTextMark);
      right = is_header(content) || is_entry(content) || is_list_line(content);
      if (mark != content.npos) right = right && mark + kTextMark.size() == content.size();
      inside = mark != content.npos;
    }
    if (!right) {
      return error(ErrorCode::kInvalidData,
                   "line {}: is not a comment, [table], name = value or a line of a list: compare it with a file that "
                   "'ppdnmf consortium new' wrote",
                   number);
    }
  }
  return {};
}

}  // namespace ppdnmf::consortium::internal
