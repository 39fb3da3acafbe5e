#include <ppdnmf/convert/column_sorter.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/io/sparse.h>

namespace ppdnmf::convert {
namespace {

// Each is an open file.
constexpr std::uint64_t kMostStretches = 256;

Status give(const data::Nonzeros& Z, ColumnSink& sink) {
  const data::SharedColumns columns = data::view(Z);
  data::Scratch scratch;
  return sink.add(columns->lend({0, columns->count()}, scratch));
}

}  // namespace

Result<ColumnSorter> ColumnSorter::create(const std::filesystem::path& folder, Index rows, Index columns,
                                          std::uint64_t entries, std::uint64_t at_once) {
  return of_range(folder, rows, 0, columns, entries, at_once);
}

Result<ColumnSorter> ColumnSorter::of_range(const std::filesystem::path& folder, Index rows, Index first, Index columns,
                                            std::uint64_t entries, std::uint64_t at_once) {
  ColumnSorter sorter(folder, rows, first, columns, at_once);
  // Columns differ: half as full on average as they may be.
  const std::uint64_t wanted = std::clamp<std::uint64_t>(2 * entries / at_once + 1, 1, kMostStretches);
  const auto number = std::min(static_cast<Index>(wanted), columns);
  sorter.of_stretch_ = (columns + number - 1) / number;
  for (Index begin = 0; begin < columns; begin += sorter.of_stretch_) {
    PPDNMF_TRY(TemporaryFile stretch, TemporaryFile::create(folder));
    sorter.stretches_.push_back(std::move(stretch));
  }
  return sorter;
}

Status ColumnSorter::add(int row, int column, double value) {
  const Entry entry{row, column, value};
  TemporaryFile& stretch = stretches_[static_cast<std::size_t>((column - first_) / of_stretch_)];
  return stretch.write({reinterpret_cast<const std::uint8_t*>(&entry), sizeof entry});
}

Status ColumnSorter::finish(ColumnSink& sink, const Progress& progress) && {
  for (std::size_t i = 0; i < stretches_.size(); ++i) {
    const Index first = static_cast<Index>(i) * of_stretch_;
    const Index count = std::min(of_stretch_, columns_ - first);
    PPDNMF_TRY_STATUS(hand_on(std::move(stretches_[i]), first_ + first, count, sink));
    if (progress) PPDNMF_TRY_STATUS(progress(static_cast<double>(i + 1) / static_cast<double>(stretches_.size())));
  }
  return {};
}

// A stretch with too many entries is divided once more; a single column is what it is.
Status ColumnSorter::hand_on(TemporaryFile stretch, Index first, Index count, ColumnSink& sink) const {
  const std::uint64_t entries = stretch.size() / sizeof(Entry);
  if (entries == 0) {  // an empty file is none to be read
    data::Nonzeros none;
    none.rows = rows_;
    none.first.assign(static_cast<std::size_t>(count) + 1, 0);
    return give(none, sink);
  }
  PPDNMF_TRY(const std::shared_ptr<const io::DiskFile> file, std::move(stretch).finish());
  if (entries <= at_once_ || count == 1) return put_in_order(*file, first, count, sink);
  PPDNMF_TRY(ColumnSorter finer, of_range(folder_, rows_, first, count, entries, at_once_));
  constexpr std::uint64_t kAtATime = std::uint64_t{1} << 16U;
  for (std::uint64_t done = 0; done < entries; done += kAtATime) {
    const auto some = static_cast<std::size_t>(std::min(kAtATime, entries - done));
    PPDNMF_TRY(const Bytes bytes, file->bytes(done * sizeof(Entry), some * sizeof(Entry)));
    for (std::size_t i = 0; i < some; ++i) {
      Entry entry{};
      std::memcpy(&entry, bytes.data() + i * sizeof(Entry), sizeof entry);
      PPDNMF_TRY_STATUS(finer.add(entry.row, entry.column, entry.value));
    }
  }
  return std::move(finer).finish(sink, nullptr);
}

Status ColumnSorter::put_in_order(const io::DiskFile& stretch, Index first, Index count, ColumnSink& sink) const {
  const std::size_t entries = stretch.size() / sizeof(Entry);
  if (entries >= static_cast<std::size_t>(std::numeric_limits<int>::max()))
    return error(ErrorCode::kFile, "column {} has {} entries; that is too much to be put in order", first + 1, entries);
  io::Entries found;
  found.row.resize(entries);
  found.column.resize(entries);
  found.value.resize(entries);
  {
    PPDNMF_TRY(const Bytes bytes, stretch.bytes(0, entries * sizeof(Entry)));
    for (std::size_t i = 0; i < entries; ++i) {
      Entry entry{};
      std::memcpy(&entry, bytes.data() + i * sizeof(Entry), sizeof entry);
      found.row[i] = entry.row;
      found.column[i] = entry.column - static_cast<int>(first);
      found.value[i] = entry.value;
    }
  }
  data::Nonzeros Z = io::compress(rows_, count, std::move(found));
  io::tidy(Z);
  return give(Z, sink);
}

}  // namespace ppdnmf::convert
