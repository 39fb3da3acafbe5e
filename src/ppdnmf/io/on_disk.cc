#include <ppdnmf/io/on_disk.h>

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/data/views.h>
#include <ppdnmf/io/disk_file.h>
#include <ppdnmf/io/npy.h>
#include <ppdnmf/io/npy_columns.h>
#include <ppdnmf/io/npz_columns.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/io/validate.h>

namespace ppdnmf::io {
namespace {

bool is_npz(const std::filesystem::path& path) {
  std::error_code ignored;
  return lower(path.extension().string()) == ".npz" && !std::filesystem::is_directory(path, ignored);
}

tl::unexpected<Error> cannot_stay(const std::string& file) {
  return error(ErrorCode::kFile,
               "{}: cannot be worked with where it is: that takes an .npy file, or an .npz file in the format csc that "
               "is not compressed; 'ppdnmf convert' makes either",
               file);
}

Result<data::SharedColumns> open_npy(const std::string& file, OnDisk which, const ReadLimits& limits) {
  PPDNMF_TRY(const std::shared_ptr<const DiskFile> opened, DiskFile::open(file));
  PPDNMF_TRY(const NpyLayout layout, npy_layout_of(*opened));
  const bool fits = layout.rows <= limits.max_entries / layout.columns && opened->size() <= limits.max_file_bytes;
  if (which == OnDisk::kLarge && fits) return data::SharedColumns();
  return npy_columns(opened, layout);
}

Result<data::SharedColumns> open_npz(const std::string& file, OnDisk which, const ReadLimits& limits) {
  PPDNMF_TRY(const std::shared_ptr<const DiskFile> opened, DiskFile::open(file));
  const bool large = opened->size() > limits.max_file_bytes;
  if (which == OnDisk::kLarge && opened->size() <= limits.max_entries) return data::SharedColumns();  // a byte an entry
  if (which == OnDisk::kLarge && !large) {  // in memory entries may be in any order
    PPDNMF_TRY(const NpzColumns any, open_npz_columns(opened, NpzEntries::kAny));
    if (any.columns == nullptr || any.entries <= limits.max_entries) return data::SharedColumns();
  }
  PPDNMF_TRY(NpzColumns sparse, open_npz_columns(opened));
  if (sparse.columns == nullptr) return cannot_stay(file);
  return std::move(sparse.columns);
}

// Who waits should know for what.
Status note_order(const std::string& file, std::vector<std::string>& notes) {
  constexpr std::uint64_t kManyRows = 256;
  if (!is_npy(file)) return {};
  PPDNMF_TRY(const std::shared_ptr<const DiskFile> opened, DiskFile::open(file));
  PPDNMF_TRY(const NpyLayout layout, npy_layout_of(*opened));
  if (layout.by_columns || layout.rows <= kManyRows) return {};
  notes.push_back(
      fmt::format("{}: has row after row (C order), so that its columns are gathered from all over the file, which "
                  "takes long; 'ppdnmf convert' writes one that has column after column",
                  file));
  return {};
}

}  // namespace

Result<data::SharedColumns> open_on_disk(const std::string& file, OnDisk which, const ReadLimits& limits) {
  if (which == OnDisk::kNever) return data::SharedColumns();
  if (is_npy(file)) return open_npy(file, which, limits);
  if (is_npz(file)) return open_npz(file, which, limits);
  if (which == OnDisk::kAlways) return cannot_stay(file);
  return data::SharedColumns();
}

Result<std::optional<JoinedTable>> join_on_disk(const std::vector<std::string>& files, OnDisk which, bool clip_negative,
                                                bool missing) {
  bool any = which == OnDisk::kAlways;
  for (const std::string& file : files) {
    if (any || which == OnDisk::kNever) break;
    PPDNMF_TRY(const data::SharedColumns columns, open_on_disk(file, which));
    any = columns != nullptr;
  }
  if (!any || files.empty()) return std::optional<JoinedTable>();
  JoinedTable joined;
  std::vector<data::SharedColumns> parts;
  bool gaps = false;
  for (const std::string& file : files) {
    PPDNMF_TRY(data::SharedColumns columns, open_on_disk(file, OnDisk::kAlways));
    if (!parts.empty() && columns->rows() != parts.front()->rows()) {
      return error(ErrorCode::kInvalidData, "{} has {} rows and {} has {}; all files must describe the same rows",
                   files.front(), parts.front()->rows(), file, columns->rows());
    }
    if (!parts.empty() && data::lie_dense(*columns) != data::lie_dense(*parts.front())) {
      return error(ErrorCode::kInvalidData,
                   "{} is dense and {} is sparse, or the other way round: of files that stay on disk all are the same; "
                   "'ppdnmf convert' makes one of the other",
                   files.front(), file);
    }
    PPDNMF_TRY(CheckedColumns checked,
               check_nonnegative(std::move(columns), TableNames{{}, {}}, file, clip_negative, missing));
    PPDNMF_TRY_STATUS(note_order(file, joined.notes));
    joined.columns.push_back(checked.columns->count());
    joined.notes.insert(joined.notes.end(), checked.notes.begin(), checked.notes.end());
    gaps = gaps || checked.gaps;
    parts.push_back(std::move(checked.columns));
  }
  joined.table.on_disk = data::beside(std::move(parts));
  if (gaps) joined.table.on_disk = data::gappy(std::move(joined.table.on_disk));
  return joined;
}

Digest columns_digest(const data::Columns& columns) {
  Sha256 digest;
  const auto add = [&](const auto* data, std::size_t count) {
    digest.add({reinterpret_cast<const std::uint8_t*>(data), count * sizeof *data});
  };
  data::walk(columns, {0, columns.count()}, [&](const data::Block& block, const data::Range& range) {
    if (block.dense()) {
      add(block.values, static_cast<std::size_t>(block.rows * block.count));
    } else {
      for (Index m = 0; m < block.count; ++m) {
        const std::size_t from = block.entries_before(m);
        const std::size_t count = block.entries_before(m + 1) - from;
        add(&count, 1);
        add(block.row + from, count);
        add(block.value + from, count);
      }
    }
    const data::Gaps gaps = columns.gaps(range);
    for (Index m = 0; m < range.count && !gaps.none(); ++m) add(gaps.of(m).data(), gaps.of(m).size());
  });
  return digest.finish();
}

}  // namespace ppdnmf::io
