#include <algorithm>
#include <string>

#include "fuzz_limits.h"
#include <ppdnmf/io/mtx.h>

namespace {

// As a file comes, yet in pieces of a few bytes: every word lies across a seam now and then.
void parse_in_pieces(ppdnmf::ByteSpan bytes) {
  constexpr std::size_t kPiece = 24;
  const std::string_view text = ppdnmf::io::as_text(bytes);
  std::size_t done =
      text.find('\n') == std::string_view::npos ? text.size() : std::min(text.size(), text.find('\n') + 3);
  const std::string begin(text.substr(0, done));
  std::string piece;
  const auto more = [&](std::string_view rest) -> ppdnmf::Result<std::string_view> {
    piece = std::string(rest) + std::string(text.substr(done, kPiece));
    done = std::min(text.size(), done + kPiece);
    return std::string_view(piece);
  };
  const auto table = ppdnmf::io::parse_mtx(begin, text.size(), more, ppdnmf::kSparseFuzzLimits);
  const auto whole = ppdnmf::io::parse_mtx(bytes, ppdnmf::kSparseFuzzLimits);
  if (table.has_value() != whole.has_value()) __builtin_trap();
  if (table && table->nonzeros && table->nonzeros->row != whole->nonzeros->row) __builtin_trap();
  if (!table && table.error().message != whole.error().message) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)ppdnmf::io::parse_mtx({data, size}, ppdnmf::kFuzzLimits);
  parse_in_pieces({data, size});
  return 0;
}
