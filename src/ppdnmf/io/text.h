// Numbers and words of text files, whatever the machine's language settings are.
#ifndef PPDNMF_IO_TEXT_H_
#define PPDNMF_IO_TEXT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf::io {

// The whole of `text` as a number: "3", "+0.5", "1e-3", "nan", "inf", "-Infinity". A number too large for a double is
// an infinity (validation then names it), one too small is zero. Nothing if `text` is anything else, also if empty.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

// The whole of `text` as decimal digits below 2^63. Nothing otherwise.
[[nodiscard]] std::optional<std::uint64_t> parse_count(std::string_view text);

[[nodiscard]] std::string_view as_text(ByteSpan bytes);

// Without blanks (space, tab, carriage return) at both ends.
[[nodiscard]] std::string_view trim(std::string_view text);

// ASCII capitals as small letters.
[[nodiscard]] std::string lower(std::string_view text);

// For a message: in quotes, at most 40 bytes of it, control bytes and broken UTF-8 shown as '?'.
[[nodiscard]] std::string in_quotes(std::string_view text);

// `text` with control bytes and everything that is not UTF-8 replaced by '?'.
[[nodiscard]] std::string printable(std::string_view text);

// The next word of a text in which blanks and line ends separate words. Counts lines, from 1.
class WordReader {
 public:
  // A text that comes in pieces: what has not been read of the last piece, and what follows; no more than that at the
  // end. It lives until the next call.
  using More = std::function<Result<std::string_view>(std::string_view rest)>;

  explicit WordReader(std::string_view text, std::size_t line = 1, More more = {})
      : text_(text), line_(line), more_(std::move(more)) {}
  // Empty at the end, and where no more comes for another reason. Lives until the next call.
  [[nodiscard]] std::string_view next();
  // That reason.
  [[nodiscard]] const Status& problem() const { return problem_; }
  // The line on which the last word stood.
  [[nodiscard]] std::size_t line() const { return line_; }
  [[nodiscard]] std::string_view rest() const { return text_; }  // of this piece
  // From `comment` to the end of its line counts as a blank, wherever a word may start.
  void skip_comments(char comment) { comment_ = comment; }

 private:
  [[nodiscard]] bool refill();
  void skip_blanks();

  std::string_view text_;
  std::size_t line_;
  More more_;
  Status problem_;
  char comment_ = '\0';
};

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_TEXT_H_
