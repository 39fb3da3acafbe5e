#include <ppdnmf/report/html.h>

#include <fmt/core.h>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::report {
namespace {

constexpr std::string_view kPageStyle = R"(
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: #f4f5f6; color: #1c2430; font: 16px/1.5 system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
header { border-left: 5px solid #1f4e79; padding-left: 1rem; margin-bottom: 1.5rem; }
header.warn { border-left-color: #a33a00; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 0 0 .6rem; }
.verdict { font-size: 1.15rem; margin: 0; }
section { background: #fff; border: 1px solid #dfe3e8; border-radius: 8px; padding: 1rem 1.2rem; margin: 0 0 1rem; }
section p { margin: .2rem 0 .8rem; }
ul { margin: 0; padding-left: 1.2rem; }
.quiet, footer, figcaption { color: #5a6675; font-size: .88rem; }
.warn-text { color: #8a2f00; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .95rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem 1.2rem .3rem 0; border-bottom: 1px solid #e8ebee; vertical-align: top; overflow-wrap: anywhere; }
tr:last-child td { border-bottom: 0; }
th { font-weight: 600; color: #44505e; }
.summary td:last-child { color: #5a6675; }
.summary td:nth-child(2), .summary td:first-child, .parameters td:first-child, .words td:first-child { white-space: nowrap; }
.numbers th, .numbers td { text-align: right; overflow-wrap: normal; padding-right: .9rem; }
.numbers td { white-space: nowrap; }
.numbers { min-width: 18rem; }
.words i { color: #5a6675; font-style: normal; font-size: .85em; }
.nowrap { white-space: nowrap; }
figure { margin: 0; }
img.plot { display: block; width: 100%; height: auto; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem; }
.pair.tables { align-items: start; gap: 0 1rem; }
.bars figure + figure { margin-top: .8rem; }
.bars figure { display: flex; flex-direction: column-reverse; overflow-x: auto; }
.bars img.plot { min-width: 44rem; }
.pair.small { gap: .6rem 1rem; margin-top: .6rem; }
.pair.small figure { display: flex; flex-direction: column-reverse; }
.pair.small figcaption, .topics p { overflow-wrap: anywhere; }
figcaption i, .topics i { color: #5a6675; font-style: normal; font-size: .9em; }
.matches { margin-bottom: 1rem; }
.matches td { white-space: nowrap; }
.matches td:nth-child(n+3) { text-align: right; }
.topics { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr)); gap: .8rem 1.4rem; }
.topics p { margin: 0 0 .2rem; font-size: .92rem; border-bottom: 2px solid #1f4e79; }
.topics ol { list-style: none; padding: 0; margin: 0; font-size: .9rem; }
.topics li { position: relative; padding: .05rem .3rem; margin-bottom: 2px; }
.topics .bar { position: absolute; left: 0; top: 0; bottom: 0; background: #d5e3f0; }
.topics .word { position: relative; overflow-wrap: anywhere; }
.narrow { max-width: 34rem; }
.network svg { display: block; width: 100%; max-width: 26rem; margin: 0 auto; font-family: inherit; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(5.2rem, 1fr)); gap: .6rem; }
.grid figure { text-align: center; }
.pixels { width: 100%; image-rendering: pixelated; border: 1px solid #c9d0d7; display: block; }
@media (max-width: 40rem) { section { padding: .8rem; } td, th { padding-right: .7rem; } }
@media print { body { background: #fff; font-size: 11pt; } section { border-color: #999; break-inside: avoid-page; }
  section.long { break-inside: auto; } figure, .topics div { break-inside: avoid; } .bars img.plot { min-width: 0; } }
)";

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : io::printable(text)) {
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

std::string html_page(std::string_view title, std::string_view lead, bool warn, std::string_view body,
                      std::string_view footer) {
  const std::string escaped = escape_html(title);
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>{}</style>\n"
      "</head>\n<body>\n<main>\n<header{}>\n<h1>{}</h1>\n<p class=\"verdict{}\">{}</p>\n</header>\n",
      escaped, kPageStyle, warn ? " class=\"warn\"" : "", escaped, warn ? " warn-text" : "", escape_html(lead));
  page += body;
  page += fmt::format("<footer>{}</footer>\n</main>\n</body>\n</html>\n", escape_html(footer));
  return page;
}

}  // namespace ppdnmf::report
