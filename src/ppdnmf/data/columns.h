// Where a holder's columns are: dense in memory, by their nonzero entries, or somewhere else behind the same interface.
//
// Columns are lent a few at a time and are never changed: whoever works with them walks over blocks, so nobody needs
// all of them in memory, and one matrix serves all that look at parts of it. Every implementation is immutable and may
// be read from several threads at the same time, each with a Scratch of its own.
#ifndef PPDNMF_DATA_COLUMNS_H_
#define PPDNMF_DATA_COLUMNS_H_

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::data {

// Columns first, first + 1, ..., first + count - 1.
struct Range {
  Index first = 0;
  Index count = 0;
};

// Some columns side by side, dense or by their nonzero entries alone; the other pointers are null. Lent: it ends with
// the Columns it came from, and with the next use of the Scratch it was lent with.
struct Block {
  Index rows = 0;
  Index count = 0;
  const double* values = nullptr;  // dense: column m begins at values + m * rows
  // Nonzeros: column m has entries first[m] - first[0] to first[m + 1] - first[0] - 1 of `row` and `value`, from top
  // to bottom.
  const std::size_t* first = nullptr;
  const int* row = nullptr;
  const double* value = nullptr;

  [[nodiscard]] bool dense() const { return values != nullptr; }
  [[nodiscard]] std::size_t entries_before(Index column) const { return first[column] - first[0]; }
};

// Memory in which Columns that do not lie as they are lent put a block together.
struct Scratch {
  std::vector<double> values;
  std::vector<std::size_t> first;  // as a block's, with the rows
  std::vector<int> row;
  Bytes bytes;                     // as they stand in a file
  std::unique_ptr<Scratch> below;  // of the columns that others stand in front of
};

// The rows that some columns lack: column m lacks row[first[m] - first[0]] to row[first[m + 1] - first[0] - 1], from
// top to bottom. Where nothing is missing the pointers are null. They live as long as the Columns that they came from.
struct Gaps {
  const std::size_t* first = nullptr;
  const int* row = nullptr;

  [[nodiscard]] bool none() const { return first == nullptr; }
  [[nodiscard]] std::span<const int> of(Index column) const {
    if (none()) return {};
    return {row + (first[column] - first[0]), first[column + 1] - first[column]};
  }
};

class Columns {
 public:
  Columns(Index rows, Index count) : rows_(rows), count_(count) {}
  Columns(const Columns&) = delete;
  Columns& operator=(const Columns&) = delete;
  Columns(Columns&&) = delete;
  Columns& operator=(Columns&&) = delete;
  virtual ~Columns() = default;

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index count() const { return count_; }

  // 0 <= range.first, range.first + range.count <= count() (unchecked). Entries are nonnegative and finite if the data
  // have been checked (data/sums.h). A missing entry is lent as a zero.
  [[nodiscard]] virtual Block lend(const Range& range, Scratch& scratch) const = 0;
  // Whether they lie in memory; of columns that do not, nobody keeps a copy.
  [[nodiscard]] virtual bool in_memory() const { return true; }
  // Fails if they are not, or were not for a while, what they were when they were opened: what was computed from them
  // is worth nothing then. Asked between rounds, and before anything is sent or written.
  [[nodiscard]] virtual Status unchanged() const { return {}; }
  // Coordinates of these columns, rank x count, become those of the columns that the owner has: the same, unless the
  // owner's are divided by something before they are lent.
  virtual void restore_units(Matrix& Y) const { (void)Y; }
  // How many of these columns belong to the person that this one belongs to, itself included (data/persons.h).
  [[nodiscard]] virtual Index columns_of_person(Index column) const {
    (void)column;
    return 1;
  }
  // How often this column counts (data/weights.h).
  [[nodiscard]] virtual double weight(Index column) const {
    (void)column;
    return 1;
  }
  // What the columns of the range lack (data/gaps.h).
  [[nodiscard]] virtual Gaps gaps(const Range& range) const {
    (void)range;
    return {};
  }

 private:
  Index rows_, count_;
};

using SharedColumns = std::shared_ptr<const Columns>;

// Columns in front of others, for classes that change one thing of them.
class ColumnsOver : public Columns {
 public:
  explicit ColumnsOver(SharedColumns source) : Columns(source->rows(), source->count()), source_(std::move(source)) {}

  [[nodiscard]] Block lend(const Range& range, Scratch& scratch) const override {
    return source_->lend(range, scratch);
  }
  [[nodiscard]] bool in_memory() const override { return source_->in_memory(); }
  [[nodiscard]] Status unchanged() const override { return source_->unchanged(); }
  void restore_units(Matrix& Y) const override { source_->restore_units(Y); }
  [[nodiscard]] Index columns_of_person(Index column) const override { return source_->columns_of_person(column); }
  [[nodiscard]] double weight(Index column) const override { return source_->weight(column); }
  [[nodiscard]] Gaps gaps(const Range& range) const override { return source_->gaps(range); }

 protected:
  [[nodiscard]] const Columns& source() const { return *source_; }

 private:
  SharedColumns source_;
};

// visit(row, z) for every entry of column m that is not zero, and perhaps for some that are, from top to bottom. For
// sums to which zeros add nothing: they are the same to the bit, however the columns are kept.
template <typename Visit>
void for_entries(const Block& block, Index m, const Visit& visit) {
  if (block.dense()) {
    const double* const z = block.values + m * block.rows;
    for (Index l = 0; l < block.rows; ++l) visit(l, z[l]);
    return;
  }
  for (std::size_t i = block.entries_before(m); i < block.entries_before(m + 1); ++i)
    visit(static_cast<Index>(block.row[i]), block.value[i]);
}

// Column m of the block, dense: where it lies, or written into `space`.
[[nodiscard]] const double* dense_column(const Block& block, Index m, std::vector<double>& space);

// So many columns as stay in a cache while something walks over them; for walks whose result does not depend on it.
[[nodiscard]] Index columns_at_a_time(Index rows);

// visit(block, the block's range) for all columns of the range, from left to right, columns_at_a_time of them.
template <typename Visit>
void walk(const Columns& columns, const Range& range, const Visit& visit) {
  Scratch scratch;
  const Index step = columns_at_a_time(columns.rows());
  for (Index done = 0; done < range.count; done += step) {
    const Range part{range.first + done, range.count - done < step ? range.count - done : step};
    visit(columns.lend(part, scratch), part);
  }
}

}  // namespace ppdnmf::data

#endif  // PPDNMF_DATA_COLUMNS_H_
