// Pieces of HTML. Everything that comes from a user goes through escape_html.
#ifndef PPDNMF_REPORT_HTML_H_
#define PPDNMF_REPORT_HTML_H_

#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/base/bytes.h>

namespace ppdnmf::report {

// Safe as text and inside a quoted attribute. Control bytes and what is not UTF-8 become '?'.
[[nodiscard]] std::string escape_html(std::string_view text);

// <img> with the picture inside it. `type` is a MIME type; `alt` is escaped here.
[[nodiscard]] std::string inline_image(std::string_view type, ByteSpan content, std::string_view alt,
                                       std::string_view css_class);

// Rows of cells, the first row as heading unless it is empty. The cells are HTML already.
[[nodiscard]] std::string html_table(std::string_view css_class, const std::vector<std::string>& heading,
                                     const std::vector<std::vector<std::string>>& rows);

// A whole page in the project's style, without scripts, that needs nothing from outside. `title`, `lead` (what it all
// came to, in a sentence or two) and `footer` are escaped here; `body` is HTML. `warn` colours the lead.
[[nodiscard]] std::string html_page(std::string_view title, std::string_view lead, bool warn, std::string_view body,
                                    std::string_view footer);

}  // namespace ppdnmf::report

#endif  // PPDNMF_REPORT_HTML_H_
