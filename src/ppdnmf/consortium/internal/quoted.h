// Texts of any letters as TOML texts that need no escapes: toml++ is shown printable ASCII only.
#ifndef PPDNMF_CONSORTIUM_INTERNAL_QUOTED_H_
#define PPDNMF_CONSORTIUM_INTERNAL_QUOTED_H_

#include <optional>
#include <string>
#include <string_view>

namespace ppdnmf::consortium::internal {

// In quotation marks. Bytes that are not printable ASCII, and " \ %, stand as '%' and two hexadecimal digits.
[[nodiscard]] std::string quoted(std::string_view text);
// What stood between the quotation marks back to the text; small digits are taken, too. Nothing if a '%' has no two
// digits after it.
[[nodiscard]] std::optional<std::string> parse_quoted(std::string_view text);

}  // namespace ppdnmf::consortium::internal

#endif  // PPDNMF_CONSORTIUM_INTERNAL_QUOTED_H_
