// A table of text as 'ppdnmf convert' reads it, held against the reader that has it in memory.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "fuzz_limits.h"
#include "same_numbers.h"
#include <ppdnmf/convert/csv_columns.h>
#include <ppdnmf/convert/text_lines.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/io/csv.h>
#include <ppdnmf/io/text.h>

namespace {

// Pieces of any size are the text, and nothing else.
void read_in_pieces(const std::filesystem::path& file, std::string_view text) {
  constexpr std::size_t kPiece = 3;
  auto lines = ppdnmf::convert::TextLines::open(file, ",;");
  std::string all;
  while (lines) {
    const auto next = lines->next(kPiece);
    if (!next) std::abort();
    if (next->empty()) break;
    all += *next;
  }
  if (all != text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path folder = [] {
    std::string name = "/tmp/ppdnmf_fuzz_XXXXXX";
    return std::filesystem::path(::mkdtemp(name.data()));
  }();
  const std::filesystem::path from = folder / "a.csv";
  std::ofstream(from, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  read_in_pieces(from, ppdnmf::io::as_text({data, size}));
  const auto in_memory = ppdnmf::io::parse_csv({data, size}, ',', ppdnmf::kFuzzLimits);
  if (!in_memory && in_memory.error().message.find("can be read") != std::string::npos) return 0;  // large ones
  const auto converted = ppdnmf::convert::read_text_table(from, ',', false, folder, {});
  if (in_memory.has_value() != converted.has_value()) std::abort();
  if (!converted) return 0;
  if (converted->row_names != in_memory->row_names || converted->column_names != in_memory->column_names) std::abort();
  if (converted->columns->rows() != in_memory->rows() || converted->columns->count() != in_memory->columns() ||
      !ppdnmf::same_numbers(*ppdnmf::data::view(in_memory->values), *converted->columns)) {
    std::abort();
  }
  return 0;
}
