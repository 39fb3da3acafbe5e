#include <ppdnmf/io/npz_columns.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <ppdnmf/io/npy_header.h>
#include <ppdnmf/io/scalars.h>
#include <ppdnmf/io/sparse.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/io/zip.h>

namespace ppdnmf::io {
namespace {

// A list of numbers within the file.
struct List {
  NpyType type;
  std::uint64_t count = 0;
  std::uint64_t offset = 0;  // within the file

  [[nodiscard]] std::size_t bytes() const { return scalar_bytes(type.scalar); }
  [[nodiscard]] bool is(ScalarType scalar) const { return type.scalar == scalar && !type.swap; }
};

// Numbers first to first + count - 1 of a list: as they stand in the file if they are Ts there, else made into such.
template <typename T>
void load_numbers(const DiskFile& file, const List& list, ScalarType own, std::uint64_t first, std::size_t count,
                  Bytes& space, T* to) {
  const std::uint64_t place = list.offset + first * list.bytes();
  if (list.is(own)) return file.read(place, to, count * sizeof(T));
  space.resize(count * list.bytes());
  file.read(place, space.data(), space.size());
  constexpr auto kEnd = static_cast<double>(std::numeric_limits<T>::max()) + 1;
  for_each_scalar(list.type.scalar, space.data(), count, list.type.swap, [&](std::size_t i, double x) {
    to[i] = std::is_integral_v<T> && !(x >= 0 && x < kEnd) ? T(-1) : static_cast<T>(x);  // -1 is outside
  });
}

class CscColumns final : public data::Columns {
 public:
  CscColumns(std::shared_ptr<const DiskFile> file, Index rows, std::vector<std::size_t> first, const List& row,
             const List& value, NpzEntries order)
      : Columns(rows, static_cast<Index>(first.size()) - 1),
        file_(std::move(file)),
        first_(std::move(first)),
        row_(row),
        value_(value),
        order_(order) {}

  [[nodiscard]] data::Block lend(const data::Range& range, data::Scratch& scratch) const override {
    const std::size_t* first = first_.data() + range.first;
    const std::size_t entries = first[range.count] - first[0];
    scratch.row.resize(entries);
    scratch.values.resize(entries);
    load_numbers(*file_, row_, ScalarType::kInt32, first[0], entries, scratch.bytes, scratch.row.data());
    load_numbers(*file_, value_, ScalarType::kDouble, first[0], entries, scratch.bytes, scratch.values.data());
    const Order order = order_of(range, first, scratch.row);
    if (order != Order::kRising) {
      scratch.first.assign(static_cast<std::size_t>(range.count) + 1, 0);
      if (order == Order::kAny && order_ == NpzEntries::kAny) put_in_order(range, first, scratch);
      first = scratch.first.data();
    }
    data::Block block;
    block.rows = rows();
    block.count = range.count;
    block.first = first;
    block.row = scratch.row.data();
    block.value = scratch.values.data();
    return block;
  }
  [[nodiscard]] bool in_memory() const override { return false; }
  [[nodiscard]] Status unchanged() const override { return file_->unchanged(); }

 private:
  enum class Order : std::uint8_t { kRising, kAny, kOutside };

  // Whoever works with the entries does not look once more, and the file may be another one by now.
  [[nodiscard]] Order order_of(const data::Range& range, const std::size_t* first, const std::vector<int>& row) const {
    Order order = Order::kRising;
    for (Index m = 0; m < range.count; ++m) {
      int before = -1;
      for (std::size_t i = first[m] - first[0]; i < first[m + 1] - first[0]; ++i) {
        const Index column = range.first + m + 1;
        if (row[i] < 0 || row[i] >= rows()) {
          file_->spoil(fmt::format("an index of column {} is outside 0 to {}", column, rows() - 1));
          return Order::kOutside;
        }
        if (row[i] <= before && order_ == NpzEntries::kInOrder) {
          file_->spoil(
              fmt::format("the entries of column {} are not in the order of their rows, or one is there twice: 'ppdnmf "
                          "convert' puts them in order",
                          column));
          return Order::kAny;
        }
        if (row[i] <= before) order = Order::kAny;
        before = row[i];
      }
    }
    return order;
  }

  // The scratch's entries, which lie as those from first[0] on do in the file.
  void put_in_order(const data::Range& range, const std::size_t* first, data::Scratch& scratch) const {
    data::Nonzeros Z{rows(), {}, std::move(scratch.row), std::move(scratch.values)};
    for (Index m = 0; m <= range.count; ++m) Z.first.push_back(first[m] - first[0]);
    tidy(Z);
    scratch.first = std::move(Z.first);
    scratch.row = std::move(Z.row);
    scratch.values = std::move(Z.value);
  }

  std::shared_ptr<const DiskFile> file_;
  std::vector<std::size_t> first_;  // of every column, and the end
  List row_, value_;
  NpzEntries order_;
};

// The archive's arrays, which are not compressed.
class Arrays {
 public:
  Arrays(const DiskFile& file, std::vector<ZipPlace> places) : file_(file), places_(std::move(places)) {}

  [[nodiscard]] bool all_stored() const {
    return std::none_of(places_.begin(), places_.end(), [](const ZipPlace& place) { return place.deflated; });
  }
  [[nodiscard]] bool has(const std::string& name) const { return find(name) != nullptr; }

  [[nodiscard]] Result<List> list(const std::string& name, bool whole) const {
    PPDNMF_TRY(const auto found, header_of(name));
    const auto& [header, place] = found;
    PPDNMF_TRY(const NpyType type, parse_npy_type(header.type));
    const std::uint64_t there = place.packed - header.data_offset;
    if (header.shape.size() != 1 || header.shape[0] > there || header.shape[0] * scalar_bytes(type.scalar) != there)
      return error(ErrorCode::kFile, "its {} is not a complete list of numbers", name);
    if (whole && type.scalar >= ScalarType::kHalf) return error(ErrorCode::kFile, "its {} are not whole numbers", name);
    return List{type, header.shape[0], place.offset + header.data_offset};
  }

  // Letters of one byte (numpy's S) or of four (U).
  [[nodiscard]] Result<std::string> word(const std::string& name) const {
    PPDNMF_TRY(const auto found, header_of(name));
    const auto& [header, place] = found;
    constexpr std::uint64_t kMost = 256;
    const std::uint64_t there = std::min(kMost, place.packed - header.data_offset);
    PPDNMF_TRY(const Bytes bytes, file_.bytes(place.offset + header.data_offset, static_cast<std::size_t>(there)));
    std::string letters;
    for (const std::uint8_t byte : bytes) {
      if (byte != 0) letters += static_cast<char>(byte);
    }
    return letters;
  }

 private:
  [[nodiscard]] const ZipPlace* find(const std::string& name) const {
    const auto found = std::find_if(places_.begin(), places_.end(),
                                    [&](const ZipPlace& place) { return place.name == name + ".npy"; });
    return found == places_.end() ? nullptr : &*found;
  }
  [[nodiscard]] Result<std::pair<NpyHeader, ZipPlace>> header_of(const std::string& name) const {
    const ZipPlace* const place = find(name);
    if (place == nullptr) return error(ErrorCode::kFile, "it holds no {}: it is no sparse matrix of scipy's", name);
    constexpr std::uint64_t kHeader = 4096;
    PPDNMF_TRY(const Bytes head,
               file_.bytes(place->offset, static_cast<std::size_t>(std::min(kHeader, place->packed))));
    auto header = parse_npy_header(head);
    if (!header) return at(name, std::move(header).error());
    return std::pair{*std::move(header), *place};
  }

  const DiskFile& file_;
  std::vector<ZipPlace> places_;
};

constexpr std::size_t kAtATime = std::size_t{1} << 16U;

// Where the entries of each column begin, and the end.
Result<std::vector<std::size_t>> starts_of(const DiskFile& file, const List& list, std::uint64_t entries) {
  std::vector<std::size_t> starts(list.count);
  Bytes space;
  for (std::size_t done = 0; done < starts.size(); done += kAtATime) {
    const std::size_t count = std::min(kAtATime, starts.size() - done);
    std::vector<std::int64_t> some(count);
    load_numbers(file, list, ScalarType::kInt64, done, count, space, some.data());
    std::copy(some.begin(), some.end(), starts.begin() + static_cast<std::ptrdiff_t>(done));
  }
  PPDNMF_TRY_STATUS(file.unchanged());
  if (starts.front() != 0 || starts.back() != entries || !std::is_sorted(starts.begin(), starts.end())) {
    return error(ErrorCode::kFile, "its indptr does not rise from 0 to {}, the number of its entries: it is broken",
                 entries);
  }
  return starts;
}

// A column has no more entries than rows, unless some are there twice.
Status check_columns(const std::vector<std::size_t>& first, std::int64_t rows) {
  for (std::size_t m = 0; m + 1 < first.size(); ++m) {
    if (first[m + 1] - first[m] <= static_cast<std::size_t>(rows)) continue;
    return error(
        ErrorCode::kFile,
        "column {} has {} entries, but there are {} rows: some are there twice, and 'ppdnmf convert' adds them", m + 1,
        first[m + 1] - first[m], rows);
  }
  return {};
}

Result<NpzColumns> open_arrays(const std::shared_ptr<const DiskFile>& file, const Arrays& arrays, NpzEntries order) {
  PPDNMF_TRY(const std::string format, arrays.word("format"));
  if (format != "csc") return NpzColumns();
  PPDNMF_TRY(const List value, arrays.list("data", false));
  PPDNMF_TRY(const List row, arrays.list("indices", true));
  PPDNMF_TRY(const List starts, arrays.list("indptr", true));
  PPDNMF_TRY(const List shape, arrays.list("shape", true));
  if (shape.count != 2) return error(ErrorCode::kFile, "it has {} dimensions; a matrix has two", shape.count);
  std::int64_t sides[2] = {};
  Bytes space;
  load_numbers(*file, shape, ScalarType::kInt64, 0, 2, space, sides);
  if (sides[0] < 1 || sides[0] > std::numeric_limits<int>::max() || sides[1] < 1)
    return error(ErrorCode::kFile, "it claims {} rows and {} columns", sides[0], sides[1]);
  if (!is_believed(static_cast<std::uint64_t>(sides[0]), value.count)) {
    return error(ErrorCode::kFile, "it claims {} rows with {} entries; that is too much to be worked with", sides[0],
                 value.count);
  }
  if (row.count != value.count)
    return error(ErrorCode::kFile, "it has {} numbers, but {} indices: it is broken", value.count, row.count);
  if (starts.count != static_cast<std::uint64_t>(sides[1]) + 1) {
    return error(ErrorCode::kFile, "its indptr has {} numbers; {} columns need {}", starts.count, sides[1],
                 static_cast<std::uint64_t>(sides[1]) + 1);
  }
  PPDNMF_TRY(std::vector<std::size_t> first, starts_of(*file, starts, value.count));
  if (order == NpzEntries::kInOrder) PPDNMF_TRY_STATUS(check_columns(first, sides[0]));
  return NpzColumns{
      std::make_shared<CscColumns>(file, static_cast<Index>(sides[0]), std::move(first), row, value, order),
      value.count};
}

}  // namespace

Result<NpzColumns> open_npz_columns(const std::shared_ptr<const DiskFile>& file, NpzEntries order) {
  const auto open = [&]() -> Result<NpzColumns> {
    const auto read = [&](std::uint64_t offset, std::size_t count) { return file->bytes(offset, count); };
    PPDNMF_TRY(std::vector<ZipPlace> places, list_zip(file->size(), read));
    const Arrays arrays(*file, std::move(places));
    if (!arrays.all_stored() || !arrays.has("format")) return NpzColumns();
    return open_arrays(file, arrays, order);
  };
  try {
    auto opened = open();
    if (!opened && !opened.error().message.starts_with(file->name()))
      return at(file->name(), std::move(opened).error());
    return opened;
  } catch (const std::bad_alloc&) {
    return error(ErrorCode::kFile, "{}: there is not enough memory for where its columns begin", file->name());
  }
}

}  // namespace ppdnmf::io
