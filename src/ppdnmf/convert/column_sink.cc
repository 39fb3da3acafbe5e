#include <ppdnmf/convert/column_sink.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include <ppdnmf/convert/temporary_file.h>
#include <ppdnmf/convert/zip_writer.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/csv.h>
#include <ppdnmf/io/npy_header.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::convert {
namespace {

template <typename T>
ByteSpan bytes_of(const T* data, std::size_t count) {
  return {reinterpret_cast<const std::uint8_t*>(data), count * sizeof(T)};
}

class NpySink final : public ColumnSink {
 public:
  explicit NpySink(io::AtomicFile file) : file_(std::move(file)) {}

  [[nodiscard]] Status begin(const SinkRequest& request) {
    return file_.write(io::encode_npy_header("<f8", fmt::format("({}, {})", request.rows, request.columns), true));
  }
  [[nodiscard]] Status add(const data::Block& block) override {
    const auto rows = static_cast<std::size_t>(block.rows);
    if (block.dense()) return file_.write(bytes_of(block.values, rows * static_cast<std::size_t>(block.count)));
    for (Index m = 0; m < block.count; ++m)
      PPDNMF_TRY_STATUS(file_.write(bytes_of(data::dense_column(block, m, space_), rows)));
    return {};
  }
  [[nodiscard]] Status finish() override { return std::move(file_).commit(); }

 private:
  io::AtomicFile file_;
  std::vector<double> space_;
};

// The values go into the archive as they come, rows wait in a temporary file, and where columns begin in memory.
class NpzSink final : public ColumnSink {
 public:
  NpzSink(const SinkRequest& request, io::AtomicFile file, TemporaryFile rows)
      : shape_{request.rows, request.columns}, archive_(std::move(file)), rows_(std::move(rows)) {
    first_.reserve(static_cast<std::size_t>(request.columns) + 1);
  }

  [[nodiscard]] Status begin() { return archive_.begin_list("data", "<f8"); }
  [[nodiscard]] Status add(const data::Block& block) override {
    std::vector<double> values;
    std::vector<std::int32_t> rows;
    for (Index m = 0; m < block.count; ++m) {
      data::for_entries(block, m, [&](Index row, double z) {
        if (z == 0) return;
        values.push_back(z);
        rows.push_back(static_cast<std::int32_t>(row));
      });
      first_.push_back(before_ + static_cast<std::int64_t>(values.size()));
    }
    before_ = first_.back();
    PPDNMF_TRY_STATUS(archive_.add(bytes_of(values.data(), values.size())));
    return rows_.write(bytes_of(rows.data(), rows.size()));
  }
  [[nodiscard]] Status finish() override {
    const auto entries = static_cast<std::uint64_t>(before_);
    PPDNMF_TRY_STATUS(archive_.end_list(entries));
    PPDNMF_TRY_STATUS(archive_.begin_list("indices", "<i4"));
    PPDNMF_TRY(const std::shared_ptr<const io::DiskFile> rows, std::move(rows_).finish());
    constexpr std::uint64_t kAtATime = std::uint64_t{1} << 22U;
    for (std::uint64_t done = 0; done < rows->size(); done += kAtATime) {
      PPDNMF_TRY(const Bytes some,
                 rows->bytes(done, static_cast<std::size_t>(std::min(kAtATime, rows->size() - done))));
      PPDNMF_TRY_STATUS(archive_.add(some));
    }
    PPDNMF_TRY_STATUS(archive_.end_list(entries));
    PPDNMF_TRY_STATUS(archive_.begin_list("indptr", "<i8"));
    PPDNMF_TRY_STATUS(archive_.add(bytes_of(first_.data(), first_.size())));
    PPDNMF_TRY_STATUS(archive_.end_list(first_.size()));
    PPDNMF_TRY_STATUS(archive_.begin_list("shape", "<i8"));
    PPDNMF_TRY_STATUS(archive_.add(bytes_of(shape_, 2)));
    PPDNMF_TRY_STATUS(archive_.end_list(2));
    constexpr std::string_view kFormat = "csc";
    PPDNMF_TRY_STATUS(archive_.whole(
        "format", io::encode_npy_array("|S3", "()", bytes_of(kFormat.data(), kFormat.size()).data(), kFormat.size())));
    return std::move(archive_).finish();
  }

 private:
  std::int64_t shape_[2];
  ZipWriter archive_;
  TemporaryFile rows_;
  std::vector<std::int64_t> first_{0};
  std::int64_t before_ = 0;
};

// The number of entries stands at the beginning and is known at the end.
class MtxSink final : public ColumnSink {
 public:
  MtxSink(const SinkRequest& request, io::AtomicFile file)
      : head_(fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} ", request.rows, request.columns)),
        file_(std::move(file)) {}

  [[nodiscard]] Status begin() { return write(head_ + number() + "\n"); }
  [[nodiscard]] Status add(const data::Block& block) override {
    std::string text;
    for (Index m = 0; m < block.count; ++m) {
      ++column_;
      data::for_entries(block, m, [&](Index row, double z) {
        if (z == 0) return;
        ++entries_;
        fmt::format_to(std::back_inserter(text), "{} {} {}\n", row + 1, column_, z);
      });
    }
    return write(text);
  }
  [[nodiscard]] Status finish() override {
    const std::string entries = number();
    PPDNMF_TRY_STATUS(file_.write_at(head_.size(), bytes_of(entries.data(), entries.size())));
    return std::move(file_).commit();
  }

 private:
  [[nodiscard]] Status write(const std::string& text) { return file_.write(bytes_of(text.data(), text.size())); }
  [[nodiscard]] std::string number() const { return fmt::format("{:>19}", entries_); }

  std::string head_;
  io::AtomicFile file_;
  Index column_ = 0;
  std::uint64_t entries_ = 0;
};

class CsvSink final : public ColumnSink {
 public:
  CsvSink(SinkRequest request, Matrix room) : file_(std::move(request.file)) {
    table_.values = std::move(room);
    table_.row_names = std::move(request.row_names);
    table_.column_names = std::move(request.column_names);
  }

  [[nodiscard]] Status add(const data::Block& block) override {
    for (Index m = 0; m < block.count; ++m)
      std::copy_n(data::dense_column(block, m, space_), block.rows, table_.values.col(column_++).data());
    return {};
  }
  [[nodiscard]] Status finish() override { return io::write_csv(file_, table_); }

 private:
  std::filesystem::path file_;
  io::Table table_;
  Index column_ = 0;
  std::vector<double> space_;
};

std::string extension_of(const std::filesystem::path& file) { return io::lower(file.extension().string()); }

template <typename Sink, typename... Begin>
Result<std::unique_ptr<ColumnSink>> begun(std::unique_ptr<Sink> sink, const Begin&... begin) {
  PPDNMF_TRY_STATUS(sink->begin(begin...));
  return sink;
}

}  // namespace

bool keeps_names(const std::filesystem::path& file) {
  return extension_of(file) == ".csv" || extension_of(file) == ".tsv";
}

Status check_format(const std::filesystem::path& file) {
  const std::string extension = extension_of(file);
  if (keeps_names(file) || extension == ".npy" || extension == ".npz" || extension == ".mtx") return {};
  return error(ErrorCode::kUsage, "{}: can be written as .npy, .npz, .mtx, .csv or .tsv", file.string());
}

Result<std::unique_ptr<ColumnSink>> open_sink(SinkRequest request) {
  const std::string extension = extension_of(request.file);
  if (keeps_names(request.file)) {
    auto room = io::make_matrix(static_cast<std::uint64_t>(request.rows), static_cast<std::uint64_t>(request.columns),
                                io::ReadLimits());
    if (!room) return at(request.file.string(), std::move(room).error());
    return std::make_unique<CsvSink>(std::move(request), *std::move(room));
  }
  PPDNMF_TRY_STATUS(check_format(request.file));
  if (extension == ".npz" && request.rows > std::numeric_limits<std::int32_t>::max())
    return error(ErrorCode::kUsage, "{}: {} rows are too many for an .npz file", request.file.string(), request.rows);
  PPDNMF_TRY(io::AtomicFile file, io::AtomicFile::create(request.file));
  if (extension == ".npy") return begun(std::make_unique<NpySink>(std::move(file)), request);
  if (extension == ".mtx") return begun(std::make_unique<MtxSink>(request, std::move(file)));
  PPDNMF_TRY(TemporaryFile rows, TemporaryFile::create(request.file.parent_path()));
  return begun(std::make_unique<NpzSink>(request, std::move(file), std::move(rows)));
}

}  // namespace ppdnmf::convert
