#include <ppdnmf/convert/text_lines.h>

#include <algorithm>
#include <utility>

namespace ppdnmf::convert {

Result<TextLines> TextLines::open(const std::filesystem::path& path, std::string_view separators) {
  PPDNMF_TRY(io::InputFile file, io::InputFile::open(path, UINT64_MAX));
  return TextLines(path.string(), std::move(file), separators);
}

std::size_t TextLines::whole() {
  for (; looked_ < text_.size(); ++looked_) {
    const char c = text_[looked_];
    // A quote within a cell is a letter like others, unless the cell began with one: two for one take the cell out and
    // in.
    if (c == '"' && !separators_.empty() && (within_ || begins_)) within_ = !within_;
    if (c == '\n' && !within_) end_ = looked_ + 1;
    begins_ = !within_ && (c == '\n' || c == '"' || separators_.find(c) != std::string::npos || (begins_ && c == ' '));
  }
  return end_;
}

Result<std::string_view> TextLines::next(std::size_t bytes) {
  constexpr std::size_t kLongestLine = std::size_t{1} << 30U;
  text_.erase(0, given_);
  looked_ -= given_;
  given_ = end_ = 0;
  while (read_ < file_.size()) {
    if (text_.size() > kLongestLine) return error(ErrorCode::kFile, "{}: a line is longer than 1 GiB", name_);
    const auto more =
        static_cast<std::size_t>(std::min<std::uint64_t>(std::max(bytes, text_.size()), file_.size() - read_));
    const std::size_t before = text_.size();
    text_.resize(before + more);
    PPDNMF_TRY_STATUS(file_.read(reinterpret_cast<std::uint8_t*>(text_.data()) + before, more));
    read_ += more;
    if (whole() > 0) break;
  }
  given_ = read_ < file_.size() ? end_ : text_.size();
  return std::string_view(text_).substr(0, given_);
}

}  // namespace ppdnmf::convert
