#include <ppdnmf/io/mat.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/io/mat_elements.h>
#include <ppdnmf/io/scalars.h>
#include <ppdnmf/io/sparse.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::io {
namespace {

tl::unexpected<Error> broken(std::string_view name) {
  return error(ErrorCode::kFile, "its variable {} is broken", in_quotes(name));
}

std::string list_names(const std::vector<const MatVariable*>& variables) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t i = 0; i < variables.size() && i < kShown; ++i) {
    text += (i == 0 ? "" : ", ") + printable(variables[i]->name);
  }
  return variables.size() > kShown ? text + ", ..." : text;
}

Status check_usable(const MatVariable& variable) {
  if (variable.is_real_matrix()) return {};
  const std::string name = in_quotes(variable.name);
  if (variable.complex) return error(ErrorCode::kFile, "its variable {} is complex; save real numbers", name);
  if (variable.matrix_class < static_cast<std::uint8_t>(MatClass::kSparse) ||
      variable.matrix_class > static_cast<std::uint8_t>(MatClass::kUint64)) {
    return error(ErrorCode::kFile, "its variable {} is not a matrix of numbers", name);
  }
  return error(ErrorCode::kFile, "its variable {} has {} dimensions; a matrix has two", name,
               variable.dimensions.size());
}

// Indices, since the caller's list owns the variables.
Result<const MatVariable*> choose(const MatFile& file, std::string_view name) {
  std::vector<const MatVariable*> matrices;
  std::vector<const MatVariable*> scalars;
  for (const MatVariable& variable : file.variables) {
    if (!name.empty() && variable.name == name) {
      PPDNMF_TRY_STATUS(check_usable(variable));
      return &variable;
    }
    if (!variable.is_real_matrix()) continue;
    const bool scalar = variable.dimensions[0] <= 1 && variable.dimensions[1] <= 1;
    (scalar ? scalars : matrices).push_back(&variable);
  }
  const auto& candidates = matrices.empty() ? scalars : matrices;
  if (!name.empty()) {
    return error(ErrorCode::kFile, "it holds no variable {}; its matrices are: {}", in_quotes(name),
                 candidates.empty() ? "none" : list_names(candidates));
  }
  if (candidates.empty()) return error(ErrorCode::kFile, "it holds no real numeric matrix");
  if (candidates.size() > 1) {
    return error(ErrorCode::kFile, "it holds several matrices ({}); choose one by writing :NAME behind the file name",
                 list_names(candidates));
  }
  return candidates[0];
}

// Numbers may be stored in a smaller type than the matrix has: a double matrix of small counts as bytes.
std::optional<ScalarType> scalar_type(MatType type) {
  switch (type) {
    case MatType::kInt8:
      return ScalarType::kInt8;
    case MatType::kUint8:
      return ScalarType::kUint8;
    case MatType::kInt16:
      return ScalarType::kInt16;
    case MatType::kUint16:
      return ScalarType::kUint16;
    case MatType::kInt32:
      return ScalarType::kInt32;
    case MatType::kUint32:
      return ScalarType::kUint32;
    case MatType::kSingle:
      return ScalarType::kFloat;
    case MatType::kDouble:
      return ScalarType::kDouble;
    case MatType::kInt64:
      return ScalarType::kInt64;
    case MatType::kUint64:
      return ScalarType::kUint64;
    default:
      return std::nullopt;
  }
}

struct Numbers {
  ScalarType type{};
  std::size_t count = 0;
  const std::uint8_t* data = nullptr;
};

Result<Numbers> next_numbers(MatElementReader& reader, std::string_view name) {
  PPDNMF_TRY(const MatElement element, reader.next());
  const auto type = scalar_type(element.type);
  if (!type || element.data.size() % scalar_bytes(*type) != 0) return broken(name);
  return Numbers{*type, element.data.size() / scalar_bytes(*type), element.data.data()};
}

// Row numbers and, for each column, where its entries start: all held against the matrix before an entry is stored.
Result<data::Nonzeros> read_sparse(MatElementReader& reader, std::string_view name, Index row_count,
                                   Index column_count) {
  const bool swap = reader.swap();
  PPDNMF_TRY(const ByteSpan rows, reader.next(MatType::kInt32));
  PPDNMF_TRY(const ByteSpan starts, reader.next(MatType::kInt32));
  PPDNMF_TRY(const Numbers numbers, next_numbers(reader, name));
  if (starts.size() != 4 * (static_cast<std::size_t>(column_count) + 1)) {
    return error(ErrorCode::kFile, "its variable {} says of {} columns where they begin, but has {}", in_quotes(name),
                 starts.size() / 4, column_count);
  }
  const auto start = [&](Index column) { return load<std::int32_t>(starts.data() + 4 * column, swap); };
  const std::int64_t count = start(column_count);
  const auto not_rising = [&] {
    return error(ErrorCode::kFile, "its variable {}: the starts of its columns do not rise from 0 to {}: it is broken",
                 in_quotes(name), count);
  };
  if (start(0) != 0 || count < 0) return not_rising();
  if (static_cast<std::uint64_t>(count) > std::min(rows.size() / 4, numbers.count)) {
    return error(ErrorCode::kFile, "its variable {} claims {} entries, but has {} row indices and {} numbers",
                 in_quotes(name), count, rows.size() / 4, numbers.count);
  }
  data::Nonzeros Z;
  Z.rows = row_count;
  Z.row.resize(static_cast<std::size_t>(count));
  Z.value.resize(static_cast<std::size_t>(count));
  for_each_scalar(numbers.type, numbers.data, Z.value.size(), swap, [&](std::size_t i, double x) { Z.value[i] = x; });
  for (Index column = 0; column < column_count; ++column) {
    const std::int64_t end = start(column + 1);
    if (start(column) > end || end > count) return not_rising();
    for (std::int64_t i = start(column); i < end; ++i) {
      const auto row = load<std::int32_t>(rows.data() + 4 * i, swap);
      if (row < 0 || row >= row_count) {
        return error(ErrorCode::kFile, "its variable {}: entry {} has the row index {}, outside 0 to {}",
                     in_quotes(name), i + 1, row, row_count - 1);
      }
      Z.row[static_cast<std::size_t>(i)] = row;
    }
    Z.first.push_back(static_cast<std::size_t>(end));
  }
  tidy(Z);
  return Z;
}

}  // namespace

Result<Table> parse_mat(ByteSpan bytes, std::string_view name, const ReadLimits& limits) {
  PPDNMF_TRY(const MatFile file, list_mat_variables(bytes));
  PPDNMF_TRY(const MatVariable* chosen, choose(file, name));
  const std::uint64_t row_count = chosen->dimensions[0];
  const std::uint64_t column_count = chosen->dimensions[1];
  const bool sparse = chosen->matrix_class == static_cast<std::uint8_t>(MatClass::kSparse);
  // A dense double takes 8 bytes an entry, a sparse one 12 and 4 a column; names and tags are small.
  std::uint64_t most = limits.max_entries;
  if (sparse) {
    PPDNMF_TRY_STATUS(check_sparse_size(row_count, column_count, std::min<std::uint64_t>(bytes.size(), most), limits));
    if (row_count <= most / column_count) most = row_count * column_count;
  } else {
    PPDNMF_TRY_STATUS(check_size(row_count, column_count, limits));
    most = row_count * column_count;
  }
  Bytes storage;
  PPDNMF_TRY(const ByteSpan content,
             open_mat_variable(*chosen, file.swap, 16 * (most + column_count) + 65536, storage));
  MatElementReader reader(content, file.swap);
  PPDNMF_TRY(const MatVariable head, parse_mat_head(reader));
  Table table;
  if (head.matrix_class == static_cast<std::uint8_t>(MatClass::kSparse)) {
    if (!sparse) return broken(head.name);
    PPDNMF_TRY(data::Nonzeros Z,
               read_sparse(reader, head.name, static_cast<Index>(row_count), static_cast<Index>(column_count)));
    return sparse_table(std::move(Z), limits);
  }
  PPDNMF_TRY_STATUS(check_size(row_count, column_count, limits));
  PPDNMF_TRY(const Numbers numbers, next_numbers(reader, head.name));
  if (numbers.count != row_count * column_count) return broken(head.name);
  PPDNMF_TRY(table.values, make_matrix(row_count, column_count, limits));
  double* out = table.values.data();
  for_each_scalar(numbers.type, numbers.data, numbers.count, file.swap, [&](std::size_t i, double x) { out[i] = x; });
  return table;
}

}  // namespace ppdnmf::io
