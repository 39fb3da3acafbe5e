#include <ppdnmf/io/npy_header.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <ppdnmf/io/text.h>

namespace ppdnmf::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

// The few Python literals that a header is made of. Each function takes its literal off the front of the text, or
// returns nothing.
class Literals {
 public:
  explicit Literals(std::string_view text) : text_(text) {}

  bool take(char c) {
    skip_blanks();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool starts_with(char c) {
    skip_blanks();
    return !text_.empty() && text_.front() == c;
  }
  std::optional<std::string_view> text() {
    skip_blanks();
    if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) return std::nullopt;
    const std::size_t end = text_.find(text_.front(), 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view found = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return found;
  }
  std::optional<bool> boolean() {
    if (take_word("True")) return true;
    if (take_word("False")) return false;
    return std::nullopt;
  }
  // "(3, 4)", "(3,)", "()"; Python 2 wrote long integers as "3L".
  std::optional<std::vector<std::uint64_t>> tuple() {
    if (!take('(')) return std::nullopt;
    std::vector<std::uint64_t> numbers;
    while (!take(')')) {
      skip_blanks();
      const std::size_t length = std::min(text_.find_first_not_of("0123456789"), text_.size());
      const auto number = parse_count(text_.substr(0, length));
      if (!number || numbers.size() == 64) return std::nullopt;
      numbers.push_back(*number);
      text_.remove_prefix(length);
      (void)take('L');
      if (!take(',') && !starts_with(')')) return std::nullopt;
    }
    return numbers;
  }
  bool at_end() {
    skip_blanks();
    return text_.empty();
  }

 private:
  void skip_blanks() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n')) text_.remove_prefix(1);
  }
  bool take_word(std::string_view word) {
    skip_blanks();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  std::string_view text_;
};

tl::unexpected<Error> broken_header() { return error(ErrorCode::kFile, "its .npy header is broken"); }

Status parse_entry(std::string_view key, Literals& literals, NpyHeader& header) {
  if (key == "descr") {
    if (literals.starts_with('[')) {
      return error(ErrorCode::kFile, "it is an array of records; save one plain matrix of numbers");
    }
    const auto type = literals.text();
    if (!type) return broken_header();
    header.type = *type;
  } else if (key == "fortran_order") {
    const auto order = literals.boolean();
    if (!order) return broken_header();
    header.fortran_order = *order;
  } else if (key == "shape") {
    auto shape = literals.tuple();
    if (!shape) return broken_header();
    header.shape = *std::move(shape);
  } else {
    return broken_header();
  }
  return {};
}

}  // namespace

Result<NpyType> parse_npy_type(const std::string& text) {
  static constexpr std::pair<std::string_view, ScalarType> kTypes[] = {
      {"b1", ScalarType::kBool},   {"i1", ScalarType::kInt8},  {"u1", ScalarType::kUint8},  {"i2", ScalarType::kInt16},
      {"u2", ScalarType::kUint16}, {"i4", ScalarType::kInt32}, {"u4", ScalarType::kUint32}, {"i8", ScalarType::kInt64},
      {"u8", ScalarType::kUint64}, {"f2", ScalarType::kHalf},  {"f4", ScalarType::kFloat},  {"f8", ScalarType::kDouble},
  };
  std::string_view type = text;
  bool swap = false;
  if (!type.empty() && std::string_view("<>|=").find(type.front()) != std::string_view::npos) {
    swap = type.front() == '>';
    type.remove_prefix(1);
  }
  for (const auto& [name, scalar] : kTypes) {
    if (type == name) return NpyType{scalar, swap};
  }
  if (type.starts_with('O')) return error(ErrorCode::kFile, "it is an array of Python objects; save it as numbers");
  if (type.starts_with('c')) return error(ErrorCode::kFile, "its numbers are complex; save real ones");
  return error(ErrorCode::kFile, "its number type {} cannot be read; save it as float64", in_quotes(text));
}

Result<NpyLayout> parse_npy_layout(ByteSpan head, std::uint64_t size, const ReadLimits& limits) {
  PPDNMF_TRY(const NpyHeader header, parse_npy_header(head));
  NpyLayout layout;
  PPDNMF_TRY(layout.type, parse_npy_type(header.type));
  const auto& shape = header.shape;
  if (shape.empty() || shape.size() > 2) {
    return error(ErrorCode::kFile, "it has {} dimensions; a matrix has two", shape.size());
  }
  layout.rows = shape[0];
  layout.columns = shape.size() == 2 ? shape[1] : 1;
  layout.by_columns = header.fortran_order || layout.columns == 1;
  layout.data_offset = header.data_offset;
  PPDNMF_TRY_STATUS(check_size(layout.rows, layout.columns, limits));
  const std::uint64_t there = size - header.data_offset;
  const std::uint64_t wanted = layout.rows * layout.columns * scalar_bytes(layout.type.scalar);
  if (there != wanted) {
    return error(ErrorCode::kFile, "{} x {} numbers need {} bytes, but {} are there: it is not complete", layout.rows,
                 layout.columns, wanted, there);
  }
  return layout;
}

Bytes encode_npy_header(std::string_view type, std::string_view shape, bool fortran_order, std::size_t room) {
  constexpr std::size_t kAlignment = 64;
  constexpr std::size_t kBeforeHeader = 10;
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", type,
                                   fortran_order ? "True" : "False", shape);
  if (kBeforeHeader + header.size() < room) header.append(room - kBeforeHeader - header.size(), ' ');
  header.append(kAlignment - 1 - (kBeforeHeader + header.size()) % kAlignment, ' ');
  header += '\n';
  ByteWriter writer;
  for (const char c : std::string_view("\x93NUMPY\x01\x00", 8)) writer.put(static_cast<std::uint8_t>(c));
  writer.put(static_cast<std::uint16_t>(header.size()));
  writer.put_array(header.data(), header.size());
  return writer.take();
}

Bytes encode_npy_array(std::string_view type, std::string_view shape, const std::uint8_t* data, std::size_t bytes,
                       bool fortran_order) {
  Bytes out = encode_npy_header(type, shape, fortran_order);
  out.insert(out.end(), data, data + bytes);
  return out;
}

Result<NpyHeader> parse_npy_header(ByteSpan bytes) {
  const std::string_view text = as_text(bytes);
  if (!text.starts_with(kMagic)) return error(ErrorCode::kFile, "it is not an .npy file");
  ByteReader reader(bytes.subspan(kMagic.size()));
  const auto major = reader.get<std::uint8_t>();
  (void)reader.get<std::uint8_t>();
  const std::size_t length = major == 1 ? reader.get<std::uint16_t>() : reader.get<std::uint32_t>();
  if (major < 1 || major > 3) return error(ErrorCode::kFile, "its .npy format version {} is not known", major);
  if (length > reader.left()) return error(ErrorCode::kFile, "it ends within its header: it is not complete");

  NpyHeader header;
  header.data_offset = bytes.size() - reader.left() + length;
  Literals literals(text.substr(header.data_offset - length, length));
  std::vector<std::string_view> seen;
  if (!literals.take('{')) return broken_header();
  while (!literals.take('}')) {
    const auto key = literals.text();
    if (!key || !literals.take(':') || std::find(seen.begin(), seen.end(), *key) != seen.end()) return broken_header();
    seen.push_back(*key);
    PPDNMF_TRY_STATUS(parse_entry(*key, literals, header));
    if (!literals.take(',') && !literals.starts_with('}')) return broken_header();
  }
  if (seen.size() != 3 || !literals.at_end()) return broken_header();
  return header;
}

}  // namespace ppdnmf::io
