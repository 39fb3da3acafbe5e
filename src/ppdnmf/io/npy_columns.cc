#include <ppdnmf/io/npy_columns.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include <ppdnmf/io/scalars.h>

namespace ppdnmf::io {
namespace {

class NpyColumns final : public data::Columns {
 public:
  NpyColumns(std::shared_ptr<const DiskFile> file, const NpyLayout& layout)
      : Columns(static_cast<Index>(layout.rows), static_cast<Index>(layout.columns)),
        file_(std::move(file)),
        layout_(layout),
        bytes_(scalar_bytes(layout.type.scalar)) {}

  [[nodiscard]] data::Block lend(const data::Range& range, data::Scratch& scratch) const override {
    const auto count = static_cast<std::size_t>(rows() * range.count);
    scratch.values.resize(count);
    if (layout_.by_columns) {
      numbers(static_cast<std::uint64_t>(range.first * rows()), count, scratch, scratch.values.data());
    } else {
      gather(range, scratch);
    }
    data::Block block;
    block.rows = rows();
    block.count = range.count;
    block.values = scratch.values.data();
    return block;
  }
  [[nodiscard]] bool in_memory() const override { return false; }
  [[nodiscard]] Status unchanged() const override { return file_->unchanged(); }

 private:
  [[nodiscard]] std::uint64_t place(std::uint64_t entry) const { return layout_.data_offset + entry * bytes_; }

  // `count` numbers from the one with this place in the file on.
  void numbers(std::uint64_t first, std::size_t count, data::Scratch& scratch, double* to) const {
    const bool as_they_stand =
        layout_.type.scalar == ScalarType::kDouble && !layout_.type.swap && std::endian::native == std::endian::little;
    if (as_they_stand) return file_->read(place(first), to, count * bytes_);
    scratch.bytes.resize(count * bytes_);
    file_->read(place(first), scratch.bytes.data(), scratch.bytes.size());
    for_each_scalar(layout_.type.scalar, scratch.bytes.data(), count, layout_.type.swap,
                    [&](std::size_t i, double x) { to[i] = x; });
  }

  // A row's numbers lie together: each is taken to its column.
  void gather(const data::Range& range, data::Scratch& scratch) const {
    const auto count = static_cast<std::size_t>(range.count);
    scratch.bytes.resize(count * bytes_);
    for (Index row = 0; row < rows(); ++row) {
      file_->read(place(static_cast<std::uint64_t>(row) * layout_.columns + static_cast<std::uint64_t>(range.first)),
                  scratch.bytes.data(), scratch.bytes.size());
      double* const to = scratch.values.data() + row;
      for_each_scalar(layout_.type.scalar, scratch.bytes.data(), count, layout_.type.swap,
                      [&](std::size_t m, double x) { to[m * layout_.rows] = x; });
    }
  }

  std::shared_ptr<const DiskFile> file_;
  NpyLayout layout_;
  std::size_t bytes_;  // of a number
};

}  // namespace

Result<NpyLayout> npy_layout_of(const DiskFile& file) {
  constexpr std::uint64_t kMaxHeader = 1 << 20;
  ReadLimits limits;
  limits.max_entries = std::uint64_t{1} << 48U;
  PPDNMF_TRY(const Bytes head, file.bytes(0, static_cast<std::size_t>(std::min(file.size(), kMaxHeader))));
  auto layout = parse_npy_layout(head, file.size(), limits);
  if (!layout) return at(file.name(), std::move(layout).error());
  if (layout->rows > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
    return error(ErrorCode::kFile, "{}: has {} rows; that is too much to be worked with", file.name(), layout->rows);
  return layout;
}

data::SharedColumns npy_columns(std::shared_ptr<const DiskFile> file, const NpyLayout& layout) {
  return std::make_shared<NpyColumns>(std::move(file), layout);
}

}  // namespace ppdnmf::io
