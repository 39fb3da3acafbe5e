#include <ppdnmf/convert/convert.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include <ppdnmf/convert/column_sink.h>
#include <ppdnmf/convert/csv_columns.h>
#include <ppdnmf/convert/h5_matrix.h>
#include <ppdnmf/convert/mtx_columns.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/disk_file.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/npy_columns.h>
#include <ppdnmf/io/npz_columns.h>
#include <ppdnmf/io/read_matrix.h>
#include <ppdnmf/io/sparse.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::convert {
namespace {

namespace fs = std::filesystem;

// Numbers that are in memory at a time.
constexpr Index kAtATime = Index{1} << 22;

io::ReadLimits without_end() {
  io::ReadLimits limits;
  limits.max_entries = std::uint64_t{1} << 48U;
  limits.keep_sparse = true;
  return limits;
}

struct Names {
  std::vector<std::string> rows, columns;
};

// One conversion on its way.
class Conversion {
 public:
  explicit Conversion(const ConvertRequest& request) : request_(request) {}

  [[nodiscard]] Result<Converted> run();

 private:
  [[nodiscard]] fs::path folder() const { return request_.to.parent_path(); }
  [[nodiscard]] Status tell(double part) const { return request_.progress ? request_.progress(part) : Status(); }
  [[nodiscard]] Result<std::unique_ptr<ColumnSink>> open(Index rows, Index columns, const Names& names);
  [[nodiscard]] Status copy(const data::Columns& columns, const Names& names, double from);
  [[nodiscard]] Status from_text(char separator);
  [[nodiscard]] Status from_mtx();
  [[nodiscard]] Status from_h5();
  [[nodiscard]] Status copy_h5(const H5Matrix& matrix, ColumnSink& sink);
  [[nodiscard]] Status sort_h5(const H5Matrix& matrix, ColumnSink& sink);
  [[nodiscard]] Result<bool> from_disk(const std::string& extension);
  [[nodiscard]] Status from_memory();
  [[nodiscard]] Status begin_names(const Names& names);
  [[nodiscard]] Status end_names();

  const ConvertRequest& request_;
  Converted out_;
  std::vector<io::AtomicFile> names_;  // of out_.names, which get them behind the result
};

Result<std::unique_ptr<ColumnSink>> Conversion::open(Index rows, Index columns, const Names& names) {
  out_.rows = rows;
  out_.columns = columns;
  PPDNMF_TRY_STATUS(begin_names(names));
  return open_sink({request_.to, rows, columns, names.rows, names.columns});
}

// `from`: how much of the work was done before, from 0 to 1.
Status Conversion::copy(const data::Columns& columns, const Names& names, double from) {
  PPDNMF_TRY(const std::unique_ptr<ColumnSink> sink, open(columns.rows(), columns.count(), names));
  const Index step = std::max<Index>(1, kAtATime / columns.rows());
  data::Scratch scratch;
  for (Index first = 0; first < columns.count(); first += step) {
    const Index count = std::min(step, columns.count() - first);
    const data::Block block = columns.lend({first, count}, scratch);
    PPDNMF_TRY_STATUS(columns.unchanged());
    PPDNMF_TRY_STATUS(sink->add(block));
    PPDNMF_TRY_STATUS(
        tell(from + (1 - from) * static_cast<double>(first + count) / static_cast<double>(columns.count())));
  }
  return sink->finish();
}

Status Conversion::from_text(char separator) {
  constexpr double kText = 0.7;  // of the work
  PPDNMF_TRY(NamedColumns table, read_text_table(request_.from, separator, request_.empty_is_nan, folder(),
                                                 [&](double part) { return tell(kText * part); }));
  const Names names{std::move(table.row_names), std::move(table.column_names)};
  return copy(*table.columns, names, kText);
}

Status Conversion::from_mtx() {
  return copy_mtx(
      request_.from, [&](Index rows, Index columns) { return open(rows, columns, {}); }, folder(),
      [&](double part) { return tell(part); });
}

Status Conversion::from_h5() {
  PPDNMF_TRY(const H5Matrix matrix, H5Matrix::open(request_.from, without_end()));
  const Names names{matrix.row_names(), matrix.column_names()};
  PPDNMF_TRY(const std::unique_ptr<ColumnSink> sink, open(matrix.shape().rows, matrix.shape().columns, names));
  PPDNMF_TRY_STATUS(matrix.shape().order == H5Order::kByRows ? sort_h5(matrix, *sink) : copy_h5(matrix, *sink));
  return sink->finish();
}

// Columns that lie one behind the other, as many at a time as memory is meant for; one at least.
Status Conversion::copy_h5(const H5Matrix& matrix, ColumnSink& sink) {
  const H5Shape& shape = matrix.shape();
  std::vector<double> values;
  data::Nonzeros Z;
  Z.rows = shape.rows;
  data::Scratch scratch;
  for (Index first = 0; first < shape.columns;) {
    Index end = std::min(shape.columns, first + std::max<Index>(1, kAtATime / shape.rows));
    data::Block block;
    block.rows = shape.rows;
    if (shape.order == H5Order::kDense) {
      values.resize(static_cast<std::size_t>(shape.rows * (end - first)));
      PPDNMF_TRY_STATUS(matrix.read_columns(first, end - first, values.data()));
      block.count = end - first;
      block.values = values.data();
      PPDNMF_TRY_STATUS(sink.add(block));
    } else {
      const auto begin = shape.starts.begin() + static_cast<std::ptrdiff_t>(first);
      const auto behind = std::upper_bound(begin, shape.starts.end(), *begin + static_cast<std::uint64_t>(kAtATime));
      end = std::clamp<Index>(behind - shape.starts.begin() - 1, first + 1, shape.columns);
      const auto stop = shape.starts.begin() + static_cast<std::ptrdiff_t>(end);
      PPDNMF_TRY_STATUS(matrix.read_entries(*begin, static_cast<std::size_t>(*stop - *begin), Z.row, Z.value));
      Z.first.assign(begin, stop + 1);
      for (std::size_t& start : Z.first) start -= static_cast<std::size_t>(*begin);
      io::tidy(Z);
      const data::SharedColumns columns = data::view(Z);
      PPDNMF_TRY_STATUS(sink.add(columns->lend({0, end - first}, scratch)));
    }
    first = end;
    PPDNMF_TRY_STATUS(tell(static_cast<double>(first) / static_cast<double>(shape.columns)));
  }
  return {};
}

Status Conversion::sort_h5(const H5Matrix& matrix, ColumnSink& sink) {
  constexpr double kReading = 0.5;  // of the work
  const H5Shape& shape = matrix.shape();
  PPDNMF_TRY(ColumnSorter sorter, ColumnSorter::create(folder(), shape.rows, shape.columns, shape.entries));
  std::vector<int> place;
  std::vector<double> value;
  std::size_t row = 0;
  for (std::uint64_t done = 0; done < shape.entries;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kAtATime, shape.entries - done));
    PPDNMF_TRY_STATUS(matrix.read_entries(done, count, place, value));
    for (std::size_t i = 0; i < count; ++i) {
      while (shape.starts[row + 1] <= done + i) ++row;
      PPDNMF_TRY_STATUS(sorter.add(static_cast<int>(row), place[i], value[i]));
    }
    done += count;
    PPDNMF_TRY_STATUS(tell(kReading * static_cast<double>(done) / static_cast<double>(shape.entries)));
  }
  return std::move(sorter).finish(sink, [&](double part) { return tell(kReading + (1 - kReading) * part); });
}

// False: the file has to be read as a whole.
Result<bool> Conversion::from_disk(const std::string& extension) {
  if (extension != ".npy" && extension != ".npz") return false;
  PPDNMF_TRY(const std::shared_ptr<const io::DiskFile> file, io::DiskFile::open(request_.from));
  data::SharedColumns columns;
  if (extension == ".npy") {
    PPDNMF_TRY(const io::NpyLayout layout, io::npy_layout_of(*file));
    columns = io::npy_columns(file, layout);
  } else {
    PPDNMF_TRY(const io::NpzColumns entries, io::open_npz_columns(file, io::NpzEntries::kAny));
    columns = entries.columns;
  }
  if (columns == nullptr) return false;
  PPDNMF_TRY_STATUS(copy(*columns, {}, 0));
  return true;
}

Status Conversion::from_memory() {
  io::ReadLimits limits;
  limits.keep_sparse = true;
  limits.empty_is_nan = request_.empty_is_nan;
  PPDNMF_TRY(const io::Table table, io::read_matrix(request_.from, limits));
  const Names names{table.row_names, table.column_names};
  const data::SharedColumns columns = table.nonzeros ? data::view(*table.nonzeros) : data::view(table.values);
  return copy(*columns, names, 0);
}

// One on each line, for formats without names. Other names that are there stay, as the result would.
Status Conversion::begin_names(const Names& names) {
  if (keeps_names(request_.to)) return {};
  const std::pair<const char*, const std::vector<std::string>*> lists[] = {{".rows.txt", &names.rows},
                                                                           {".columns.txt", &names.columns}};
  for (const auto& [ending, list] : lists) {
    if (list->empty()) continue;
    std::string text;
    for (const std::string& name : *list) {
      std::string line = name;
      std::replace_if(
          line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
      text += line + "\n";
    }
    fs::path file = request_.to;
    file.replace_extension(ending);
    std::error_code ignored;
    const auto there = fs::exists(file, ignored) && !request_.force ? io::read_file(file, text.size())
                                                                    : Result<Bytes>(Bytes(text.begin(), text.end()));
    if (!there || !std::equal(there->begin(), there->end(), text.begin(), text.end(),
                              [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); })) {
      return error(ErrorCode::kFile, "{}: is there already, with other names; add `force` to replace it",
                   file.string());
    }
    PPDNMF_TRY_STATUS(io::check_can_write(file));
    PPDNMF_TRY(io::AtomicFile begun, io::AtomicFile::create(file));
    PPDNMF_TRY_STATUS(begun.write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
    names_.push_back(std::move(begun));
    out_.names.push_back(std::move(file));
  }
  return {};
}

Status Conversion::end_names() {
  for (io::AtomicFile& file : names_) PPDNMF_TRY_STATUS(std::move(file).commit());
  return {};
}

Result<Converted> Conversion::run() {
  std::error_code ignored;
  if (fs::equivalent(request_.from, request_.to, ignored))
    return error(ErrorCode::kFile, "{}: would be read and replaced at the same time", request_.to.string());
  if (fs::exists(request_.to, ignored) && !request_.force)
    return error(ErrorCode::kFile, "{}: is there already; add `force` to replace it", request_.to.string());
  PPDNMF_TRY_STATUS(check_format(request_.to));
  PPDNMF_TRY_STATUS(io::check_can_write(request_.to));
  const std::string extension = io::lower(fs::path(request_.from).extension().string());
  const bool folder = fs::is_directory(request_.from, ignored);
  if (!folder && (extension == ".csv" || extension == ".tsv")) {
    PPDNMF_TRY_STATUS(from_text(extension == ".csv" ? ',' : '\t'));
  } else if (!folder && extension == ".mtx") {
    PPDNMF_TRY_STATUS(from_mtx());
  } else if (is_h5(request_.from)) {
    PPDNMF_TRY_STATUS(from_h5());
  } else {
    bool done = false;
    if (!folder) {
      PPDNMF_TRY(done, from_disk(extension));
    }
    if (!done) PPDNMF_TRY_STATUS(from_memory());
  }
  PPDNMF_TRY_STATUS(end_names());
  return std::move(out_);
}

}  // namespace

Result<Converted> convert(const ConvertRequest& request) {
  try {
    return Conversion(request).run();
  } catch (const std::bad_alloc&) {
    return error(ErrorCode::kFile, "{}: there is not enough memory to convert it", request.from);
  }
}

Result<io::Table> read_or_leave(const std::string& file, io::OnDisk which, const io::ReadLimits& limits) {
  io::Table table;
  PPDNMF_TRY(table.on_disk, io::open_on_disk(file, which, limits));
  if (table.on_disk != nullptr) return table;
  return is_h5(file) ? read_h5(file, limits) : io::read_matrix(file, limits);
}

}  // namespace ppdnmf::convert
