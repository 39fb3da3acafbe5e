#include <ppdnmf/io/npy.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/npy_header.h>
#include <ppdnmf/io/scalars.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::io {
namespace {

struct NpyType {
  ScalarType scalar = ScalarType::kDouble;
  bool swap = false;
};

// "<f8": byte order, kind, bytes per number.
Result<NpyType> parse_type(const std::string& text) {
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

}  // namespace

Result<Table> parse_npy(ByteSpan bytes, const ReadLimits& limits) {
  PPDNMF_TRY(const NpyHeader header, parse_npy_header(bytes));
  PPDNMF_TRY(const NpyType type, parse_type(header.type));
  const auto& shape = header.shape;
  if (shape.empty() || shape.size() > 2) {
    return error(ErrorCode::kFile, "it has {} dimensions; a matrix has two", shape.size());
  }
  const std::uint64_t rows = shape[0];
  const std::uint64_t columns = shape.size() == 2 ? shape[1] : 1;
  PPDNMF_TRY_STATUS(check_size(rows, columns, limits));
  const ByteSpan data = bytes.subspan(header.data_offset);
  const std::uint64_t wanted = rows * columns * scalar_bytes(type.scalar);
  if (data.size() != wanted) {
    return error(ErrorCode::kFile, "{} x {} numbers need {} bytes, but {} are there: it is not complete", rows, columns,
                 wanted, data.size());
  }
  Table table;
  PPDNMF_TRY(table.values, make_matrix(rows, columns, limits));
  double* out = table.values.data();
  const auto count = static_cast<std::size_t>(rows * columns);
  if (header.fortran_order || columns == 1) {
    for_each_scalar(type.scalar, data.data(), count, type.swap, [&](std::size_t i, double x) { out[i] = x; });
  } else {
    std::size_t row = 0;
    std::size_t column = 0;
    for_each_scalar(type.scalar, data.data(), count, type.swap, [&](std::size_t, double x) {
      out[column * rows + row] = x;
      if (++column == columns) {
        column = 0;
        ++row;
      }
    });
  }
  return table;
}

Bytes encode_npy(const Matrix& values) {
  constexpr std::size_t kAlignment = 64;
  constexpr std::size_t kBeforeHeader = 10;
  std::string header =
      fmt::format("{{'descr': '<f8', 'fortran_order': True, 'shape': ({}, {}), }}", values.rows(), values.cols());
  header.append(kAlignment - 1 - (kBeforeHeader + header.size()) % kAlignment, ' ');
  header += '\n';
  ByteWriter writer;
  for (const char c : std::string_view("\x93NUMPY\x01\x00", 8)) writer.put(static_cast<std::uint8_t>(c));
  writer.put(static_cast<std::uint16_t>(header.size()));
  writer.put_array(header.data(), header.size());
  writer.put_array(values.data(), static_cast<std::size_t>(values.size()));
  return writer.take();
}

Status write_npy(const std::filesystem::path& path, const Matrix& values, unsigned mode) {
  return write_file(path, encode_npy(values), mode);
}

}  // namespace ppdnmf::io
