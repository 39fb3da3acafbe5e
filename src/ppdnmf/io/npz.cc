#include <ppdnmf/io/npz.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ppdnmf/io/npy_header.h>
#include <ppdnmf/io/scalars.h>
#include <ppdnmf/io/sparse.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/io/zip.h>

namespace ppdnmf::io {
namespace {

// One array of the archive, unpacked.
struct Vector {
  NpyType type;
  std::size_t count = 0;
  const std::uint8_t* data = nullptr;
  Bytes storage;

  template <typename Visit>
  void for_each(const Visit& visit) const {
    for_each_scalar(type.scalar, data, count, type.swap, visit);
  }
};

class Archive {
 public:
  Archive(std::vector<ZipMember> members, const ReadLimits& limits) : members_(std::move(members)), limits_(limits) {}

  [[nodiscard]] Result<ByteSpan> open(std::string_view name, Bytes& storage) const {
    const auto found =
        std::find_if(members_.begin(), members_.end(), [&](const ZipMember& member) { return member.name == name; });
    if (found == members_.end()) {
      return error(
          ErrorCode::kFile,
          "it holds no {}: only sparse matrices that scipy.sparse.save_npz wrote can be read from an .npz file", name);
    }
    constexpr std::uint64_t kHeader = 1 << 16;
    return open_zip_member(*found, 8 * (limits_.max_entries + 1) + kHeader, storage);
  }

  // A list of numbers.
  [[nodiscard]] Result<Vector> vector(const std::string& name) const {
    Vector out;
    PPDNMF_TRY(const ByteSpan bytes, open(name + ".npy", out.storage));
    auto header = parse_npy_header(bytes);
    if (!header) return at(name, std::move(header).error());
    auto type = parse_npy_type(header->type);
    if (!type) return at(name, std::move(type).error());
    const std::uint64_t there = bytes.size() - header->data_offset;
    out.type = *type;
    if (header->shape.size() != 1 || header->shape[0] > there ||
        header->shape[0] * scalar_bytes(out.type.scalar) != there) {
      return error(ErrorCode::kFile, "its {} is not a complete list of numbers", name);
    }
    out.count = header->shape[0];
    out.data = bytes.data() + header->data_offset;
    return out;
  }

  // A list of whole numbers.
  [[nodiscard]] Result<Vector> integers(const std::string& name) const {
    PPDNMF_TRY(Vector out, vector(name));
    const ScalarType type = out.type.scalar;
    if (type == ScalarType::kHalf || type == ScalarType::kFloat || type == ScalarType::kDouble)
      return error(ErrorCode::kFile, "its {} are not whole numbers", name);
    return out;
  }

  // "csc": letters of one byte (numpy's S) or of four (U).
  [[nodiscard]] Result<std::string> format() const {
    Bytes storage;
    PPDNMF_TRY(const ByteSpan bytes, open("format.npy", storage));
    PPDNMF_TRY(const NpyHeader header, parse_npy_header(bytes));
    std::string letters;
    for (const std::uint8_t byte : bytes.subspan(header.data_offset)) {
      if (byte != 0) letters += static_cast<char>(byte);
    }
    return letters;
  }

 private:
  std::vector<ZipMember> members_;
  const ReadLimits& limits_;
};

struct Shape {
  Index rows = 0;
  Index columns = 0;
};

// The shape that the archive claims.
Result<Shape> shape_of(const Archive& archive, std::size_t entries, const ReadLimits& limits) {
  PPDNMF_TRY(const Vector shape, archive.integers("shape"));
  if (shape.count != 2) return error(ErrorCode::kFile, "it has {} dimensions; a matrix has two", shape.count);
  double sides[2] = {};
  shape.for_each([&](std::size_t i, double side) { sides[i] = side; });
  constexpr double kMax = 0x1p62;
  if (sides[0] < 0 || sides[1] < 0 || sides[0] > kMax || sides[1] > kMax)
    return error(ErrorCode::kFile, "it claims {} rows and {} columns", sides[0], sides[1]);
  PPDNMF_TRY_STATUS(
      check_sparse_size(static_cast<std::uint64_t>(sides[0]), static_cast<std::uint64_t>(sides[1]), entries, limits));
  return Shape{static_cast<Index>(sides[0]), static_cast<Index>(sides[1])};
}

// Every index within 0 to size - 1.
Status check_places(const Vector& places, const char* what, Index size) {
  bool fit = true;
  std::size_t where = 0;
  double which = 0;
  places.for_each([&](std::size_t i, double place) {
    if (!fit || (place >= 0 && place < static_cast<double>(size))) return;
    fit = false;
    where = i;
    which = place;
  });
  if (fit) return {};
  return error(ErrorCode::kFile, "entry {}: the {} index is {}, outside 0 to {}", where + 1, what, which, size - 1);
}

// Where the entries of each line begin, and the end.
Result<std::vector<std::size_t>> starts_of(const Archive& archive, Index lines, std::size_t entries) {
  PPDNMF_TRY(const Vector list, archive.integers("indptr"));
  if (list.count != static_cast<std::size_t>(lines) + 1) {
    return error(ErrorCode::kFile, "its indptr has {} numbers; {} lines need {}", list.count, lines, lines + 1);
  }
  std::vector<std::size_t> starts;
  starts.reserve(list.count);
  double before = 0;
  bool rising = true;
  list.for_each([&](std::size_t i, double start) {
    rising = rising && start >= before && (i > 0 || start == 0) && start <= static_cast<double>(entries);
    before = start;
    starts.push_back(rising ? static_cast<std::size_t>(start) : 0);
  });
  if (!rising || starts.back() != entries) {
    return error(ErrorCode::kFile, "its indptr does not rise from 0 to {}, the number of its entries: it is broken",
                 entries);
  }
  return starts;
}

Status check_same_length(std::size_t numbers, const Vector& places, const char* what) {
  if (numbers == places.count) return {};
  return error(ErrorCode::kFile, "it has {} numbers, but {} {}: it is broken", numbers, places.count, what);
}

std::vector<double> values_of(const Vector& data) {
  std::vector<double> out(data.count);
  data.for_each([&](std::size_t i, double x) { out[i] = x; });
  return out;
}

// The list of this name: as many places from 0 to size - 1 as there are numbers.
Result<std::vector<int>> places_of(const Archive& archive, const std::string& name, const char* many, const char* one,
                                   std::size_t numbers, Index size) {
  PPDNMF_TRY(const Vector places, archive.integers(name));
  PPDNMF_TRY_STATUS(check_same_length(numbers, places, many));
  PPDNMF_TRY_STATUS(check_places(places, one, size));
  std::vector<int> out(numbers);
  places.for_each([&](std::size_t i, double place) { out[i] = static_cast<int>(place); });
  return out;
}

// Entries that are there more than once are added, in the order of the file, as scipy does.
Result<data::Nonzeros> read_compressed(const Archive& archive, bool columns, const Shape& shape,
                                       std::vector<double> values) {
  const Index size = columns ? shape.rows : shape.columns;
  PPDNMF_TRY(std::vector<int> places,
             places_of(archive, "indices", "indices", columns ? "row" : "column", values.size(), size));
  PPDNMF_TRY(std::vector<std::size_t> starts, starts_of(archive, columns ? shape.columns : shape.rows, values.size()));
  if (columns) {
    data::Nonzeros Z{shape.rows, std::move(starts), std::move(places), std::move(values)};
    tidy(Z);
    return Z;
  }
  Entries entries{std::vector<int>(values.size()), std::move(places), std::move(values)};
  for (std::size_t line = 0; line + 1 < starts.size(); ++line) {
    std::fill(entries.row.begin() + static_cast<std::ptrdiff_t>(starts[line]),
              entries.row.begin() + static_cast<std::ptrdiff_t>(starts[line + 1]), static_cast<int>(line));
  }
  return compress(shape.rows, shape.columns, std::move(entries));
}

Result<data::Nonzeros> read_coordinates(const Archive& archive, const Shape& shape, std::vector<double> values) {
  Entries entries;
  PPDNMF_TRY(entries.row, places_of(archive, "row", "row indices", "row", values.size(), shape.rows));
  PPDNMF_TRY(entries.column, places_of(archive, "col", "column indices", "column", values.size(), shape.columns));
  entries.value = std::move(values);
  return compress(shape.rows, shape.columns, std::move(entries));
}

}  // namespace

Result<Table> parse_npz(ByteSpan bytes, const ReadLimits& limits) {
  PPDNMF_TRY(std::vector<ZipMember> members, list_zip(bytes));
  const Archive archive(std::move(members), limits);
  PPDNMF_TRY(const std::string format, archive.format());
  if (format != "csc" && format != "csr" && format != "coo") {
    return error(ErrorCode::kFile, "its sparse format is {}; csc, csr and coo can be read: convert it with .tocsc()",
                 in_quotes(format));
  }
  std::vector<double> values;
  Shape shape;
  {
    PPDNMF_TRY(const Vector data, archive.vector("data"));
    PPDNMF_TRY(shape, shape_of(archive, data.count, limits));
    values = values_of(data);  // before other lists are unpacked beside this one
  }
  PPDNMF_TRY(data::Nonzeros Z, format == "coo" ? read_coordinates(archive, shape, std::move(values))
                                               : read_compressed(archive, format == "csc", shape, std::move(values)));
  return sparse_table(std::move(Z), limits);
}

}  // namespace ppdnmf::io
