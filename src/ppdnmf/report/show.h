// What the columns of X are drawn as.
#ifndef PPDNMF_REPORT_SHOW_H_
#define PPDNMF_REPORT_SHOW_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/report/channels.h>

namespace ppdnmf::report {

enum class Show : std::uint8_t { kAuto, kSignatures, kTopics, kCurves, kImages };
inline constexpr std::string_view kShowWords[] = {"auto", "signatures", "topics", "curves", "images"};

// Fails with kUsage, naming the setting.
[[nodiscard]] Result<Show> parse_show(std::string_view word);

// What is known of the rows of X.
struct RowsOfX {
  Index count = 0;
  const std::vector<std::string>& names;  // empty, or one for each
  std::optional<io::ImageShape> image;
};

// Whether rows can be drawn as somebody asks. Fails with kUsage: signatures of rows that are no channels (named, or 96,
// 78 or 83 rows without names), images without their size.
[[nodiscard]] Status check_show(Show show, const RowsOfX& rows);

// How a factor is drawn in the end. Bars is what auto falls back to for few rows.
enum class Picture : std::uint8_t { kBars, kSignatures, kTopics, kCurves, kImages };
struct Choice {
  Picture picture = Picture::kBars;
  std::string sentence;              // what was guessed, or taken for granted; plain text, may be empty
  std::optional<Channels> channels;  // of signatures
  std::vector<double> axis;          // of curves: one number for each row
};
// Of a factor with so many components. What cannot be drawn as asked is drawn as auto draws it, and the sentence says
// so.
[[nodiscard]] Choice choose_picture(Show show, const RowsOfX& rows, Index components);

}  // namespace ppdnmf::report

#endif  // PPDNMF_REPORT_SHOW_H_
