#include <ppdnmf/io/mat_elements.h>

#include <algorithm>
#include <string_view>

#include <ppdnmf/io/inflate.h>
#include <ppdnmf/io/scalars.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::io {
namespace {

constexpr std::size_t kFileHeaderBytes = 128;
constexpr std::size_t kTagBytes = 8;
// Room for flags, 32 dimensions and a long name; what is compressed is inflated no further to be listed.
constexpr std::size_t kHeadBytes = 4096;

tl::unexpected<Error> cut_short() {
  return error(ErrorCode::kFile, "it ends within a variable: it is not complete, or broken");
}
tl::unexpected<Error> broken_variable() { return error(ErrorCode::kFile, "a variable in it is broken"); }

Result<bool> byte_order(ByteSpan bytes) {
  const std::string_view text = as_text(bytes);
  const bool hdf5 = text.starts_with("\x89HDF") || text.starts_with("MATLAB 7.3") ||
                    (bytes.size() > 516 && text.substr(512, 4) == "\x89HDF");
  if (hdf5) return error(ErrorCode::kFile, "it is a version 7.3 MAT-file; save it again with save(..., '-v7')");
  if (bytes.size() < kFileHeaderBytes) return error(ErrorCode::kFile, "it is not a MAT-file, or not a complete one");
  const std::string_view mark = text.substr(126, 2);
  if (mark == "IM") return false;
  if (mark == "MI") return true;
  return error(ErrorCode::kFile, "it is not a MAT-file of version 5 to 7.2; save it again with save(..., '-v7')");
}

Result<MatVariable> parse_variable(const MatElement& element, bool swap) {
  if (element.type == MatType::kMatrix) {
    MatElementReader reader(element.data, swap);
    PPDNMF_TRY(MatVariable variable, parse_mat_head(reader));
    variable.element = element;
    return variable;
  }
  PPDNMF_TRY(const Bytes start, inflate_start(element.data, kHeadBytes));
  if (start.size() < kTagBytes) return cut_short();
  if (load<std::uint32_t>(start.data(), swap) != static_cast<std::uint32_t>(MatType::kMatrix)) return broken_variable();
  const std::size_t size = std::min<std::size_t>(load<std::uint32_t>(start.data() + 4, swap), start.size() - kTagBytes);
  MatElementReader reader(ByteSpan(start).subspan(kTagBytes, size), swap);
  PPDNMF_TRY(MatVariable variable, parse_mat_head(reader));
  variable.element = element;
  return variable;
}

}  // namespace

Result<MatElement> MatElementReader::next() {
  if (bytes_.size() < kTagBytes) return cut_short();
  const auto first = load<std::uint32_t>(bytes_.data(), swap_);
  if ((first >> 16U) != 0) {  // a small element: type and size in one word, up to four bytes of data in the next
    const std::size_t size = first >> 16U;
    if (size > 4) return broken_variable();
    const MatElement element{static_cast<MatType>(first & 0xFFFFU), bytes_.subspan(4, size)};
    bytes_ = bytes_.subspan(kTagBytes);
    return element;
  }
  const std::uint64_t size = load<std::uint32_t>(bytes_.data() + 4, swap_);
  if (size > bytes_.size() - kTagBytes) return cut_short();
  const MatElement element{static_cast<MatType>(first), bytes_.subspan(kTagBytes, size)};
  // Elements start at multiples of eight bytes, except after a compressed one.
  const std::uint64_t padded = element.type == MatType::kCompressed ? size : (size + 7) / 8 * 8;
  bytes_ = bytes_.subspan(std::min<std::uint64_t>(kTagBytes + padded, bytes_.size()));
  return element;
}

Result<ByteSpan> MatElementReader::next(MatType type) {
  PPDNMF_TRY(const MatElement element, next());
  if (element.type != type) return broken_variable();
  return element.data;
}

bool MatVariable::is_real_matrix() const {
  return matrix_class >= static_cast<std::uint8_t>(MatClass::kSparse) &&
         matrix_class <= static_cast<std::uint8_t>(MatClass::kUint64) && !complex && dimensions.size() == 2;
}

Result<MatVariable> parse_mat_head(MatElementReader& reader) {
  const bool swap = reader.swap();
  PPDNMF_TRY(const ByteSpan flags, reader.next(MatType::kUint32));
  if (flags.size() != 8) return broken_variable();
  const auto word = load<std::uint32_t>(flags.data(), swap);
  MatVariable variable;
  variable.matrix_class = static_cast<std::uint8_t>(word & 0xFFU);
  variable.complex = (word & 0x800U) != 0;
  constexpr std::uint8_t kOpaque = 17;  // objects of newer classes: another layout, of which only the flags are known
  if (variable.matrix_class == kOpaque) return variable;
  PPDNMF_TRY(const ByteSpan dimensions, reader.next(MatType::kInt32));
  if (dimensions.size() % 4 != 0 || dimensions.size() > 4 * 32UL) return broken_variable();
  for (std::size_t i = 0; i < dimensions.size(); i += 4) {
    const auto size = load<std::int32_t>(dimensions.data() + i, swap);
    if (size < 0) return broken_variable();
    variable.dimensions.push_back(static_cast<std::uint64_t>(size));
  }
  PPDNMF_TRY(const ByteSpan name, reader.next(MatType::kInt8));
  variable.name = as_text(name);
  return variable;
}

Result<MatFile> list_mat_variables(ByteSpan bytes) {
  MatFile file;
  PPDNMF_TRY(file.swap, byte_order(bytes));
  MatElementReader reader(bytes.subspan(kFileHeaderBytes), file.swap);
  while (!reader.at_end()) {
    PPDNMF_TRY(const MatElement element, reader.next());
    if (element.type != MatType::kMatrix && element.type != MatType::kCompressed) return broken_variable();
    PPDNMF_TRY(MatVariable variable, parse_variable(element, file.swap));
    file.variables.push_back(std::move(variable));
  }
  return file;
}

Result<ByteSpan> open_mat_variable(const MatVariable& variable, bool swap, std::uint64_t max_bytes, Bytes& storage) {
  if (variable.element.type == MatType::kMatrix) return variable.element.data;
  PPDNMF_TRY(storage, inflate_all(variable.element.data, max_bytes));
  MatElementReader reader(storage, swap);
  return reader.next(MatType::kMatrix);
}

}  // namespace ppdnmf::io
