#include <ppdnmf/data/views.h>

#include <algorithm>
#include <memory>
#include <utility>

#include <ppdnmf/data/internal/rescaled.h>
#include <ppdnmf/data/nonzeros.h>

namespace ppdnmf::data {
namespace {

class PartColumns final : public Columns {
 public:
  PartColumns(SharedColumns source, const Range& range)
      : Columns(source->rows(), range.count), source_(std::move(source)), first_(range.first) {
    const Gaps of_all = source_->gaps(range);
    gappy_ = !of_all.none() && of_all.first[range.count] > of_all.first[0];
  }

  [[nodiscard]] Block lend(const Range& range, Scratch& scratch) const override {
    return source_->lend(there(range), scratch);
  }
  [[nodiscard]] bool in_memory() const override { return source_->in_memory(); }
  [[nodiscard]] Status unchanged() const override { return source_->unchanged(); }
  [[nodiscard]] Gaps gaps(const Range& range) const override { return gappy_ ? source_->gaps(there(range)) : Gaps(); }

 private:
  [[nodiscard]] Range there(const Range& range) const { return {first_ + range.first, range.count}; }

  SharedColumns source_;
  Index first_;
  bool gappy_ = false;  // solvers treat complete columns in another way
};

Index count_of(const std::vector<SharedColumns>& parts) {
  Index count = 0;
  for (const SharedColumns& part : parts) count += part->count();
  return count;
}

class ColumnsBeside final : public Columns {
 public:
  explicit ColumnsBeside(std::vector<SharedColumns> parts)
      : Columns(parts.front()->rows(), count_of(parts)), parts_(std::move(parts)) {
    for (const SharedColumns& part : parts_) ends_.push_back((ends_.empty() ? 0 : ends_.back()) + part->count());
  }

  [[nodiscard]] Block lend(const Range& range, Scratch& scratch) const override {
    const auto at = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), range.first) - ends_.begin());
    if (at == parts_.size()) return parts_.back()->lend({parts_.back()->count(), 0}, scratch);  // none
    const Index before = at == 0 ? 0 : ends_[at - 1];
    if (range.first + range.count <= ends_[at]) return parts_[at]->lend({range.first - before, range.count}, scratch);
    return across(range, at, scratch);
  }
  [[nodiscard]] bool in_memory() const override {
    return std::all_of(parts_.begin(), parts_.end(), [](const SharedColumns& part) { return part->in_memory(); });
  }
  [[nodiscard]] Status unchanged() const override {
    for (const SharedColumns& part : parts_) PPDNMF_TRY_STATUS(part->unchanged());
    return {};
  }

 private:
  // Of several parts: put together in the scratch.
  [[nodiscard]] Block across(const Range& range, std::size_t at, Scratch& scratch) const {
    Scratch of_part;
    scratch.values.clear();
    scratch.row.clear();
    scratch.first.assign(1, 0);
    Block out;
    bool dense = true;
    for (Index done = 0; done < range.count; ++at) {
      const Index first = range.first + done - (at == 0 ? 0 : ends_[at - 1]);
      const Index count = std::min(range.count - done, parts_[at]->count() - first);
      const Block block = parts_[at]->lend({first, count}, of_part);
      dense = block.dense();
      const std::size_t entries =
          dense ? static_cast<std::size_t>(block.rows * count) : block.entries_before(block.count);
      const double* const values = dense ? block.values : block.value;
      scratch.values.insert(scratch.values.end(), values, values + entries);
      if (!dense) {
        const std::size_t before = scratch.first.back();
        scratch.row.insert(scratch.row.end(), block.row, block.row + entries);
        for (Index m = 1; m <= count; ++m) scratch.first.push_back(before + block.entries_before(m));
      }
      done += count;
    }
    out.rows = rows();
    out.count = range.count;
    if (dense) {
      out.values = scratch.values.data();
      return out;
    }
    out.first = scratch.first.data();
    out.row = scratch.row.data();
    out.value = scratch.values.data();
    return out;
  }

  std::vector<SharedColumns> parts_;
  std::vector<Index> ends_;
};

class ClippedColumns final : public ColumnsOver {
 public:
  using ColumnsOver::ColumnsOver;

  [[nodiscard]] Block lend(const Range& range, Scratch& scratch) const override {
    return internal::rescaled(source(), range, scratch, [](Index /*column*/, double z) { return clipped(z); });
  }
};

}  // namespace

SharedColumns part(SharedColumns columns, const Range& range) {
  PPDNMF_CHECK(range.first >= 0 && range.count >= 0 && range.first + range.count <= columns->count());
  if (range.count == columns->count()) return columns;
  return std::make_shared<PartColumns>(std::move(columns), range);
}

SharedColumns beside(std::vector<SharedColumns> parts) {
  PPDNMF_CHECK(!parts.empty());
  for (const SharedColumns& part : parts)
    PPDNMF_CHECK(part->rows() == parts.front()->rows() && lie_dense(*part) == lie_dense(*parts.front()));
  if (parts.size() == 1) return std::move(parts.front());
  return std::make_shared<ColumnsBeside>(std::move(parts));
}

SharedColumns clipped(SharedColumns columns) { return std::make_shared<ClippedColumns>(std::move(columns)); }

}  // namespace ppdnmf::data
