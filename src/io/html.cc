#include "io/html.h"

#include <fmt/core.h>

#include "io/text.h"

namespace ppdnmf {

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string base64(ByteSpan bytes) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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

std::string inline_image(std::string_view type, ByteSpan content, std::string_view alt, std::string_view css_class) {
  return fmt::format(R"(<img class="{}" alt="{}" src="data:{};base64,{}">)", css_class, escape_html(alt), type,
                     base64(content));
}

std::string html_table(std::string_view css_class, const std::vector<std::string>& heading,
                       const std::vector<std::vector<std::string>>& rows) {
  std::string out = fmt::format("<div class=\"scroll\"><table class=\"{}\">\n", css_class);
  if (!heading.empty()) {
    out += "<thead><tr>";
    for (const std::string& cell : heading) out += "<th>" + cell + "</th>";
    out += "</tr></thead>\n";
  }
  for (const auto& row : rows) {
    out += "<tr>";
    for (const std::string& cell : row) out += "<td>" + cell + "</td>";
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

}  // namespace ppdnmf
